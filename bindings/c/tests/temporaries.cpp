// What may be searched in C++, and what is refused when it is compiled, since its text would be gone before a link is
// asked for. With REFUSED = 0 all of it compiles; with any other number, up to REFUSALS, it must not: see test.sh.
#include "linksift.hpp"

#include <string>
#include <utility>

// REFUSALS 10
#ifndef REFUSED
#define REFUSED 0
#endif

using namespace std::literals;

// Owns a text, and lends it as QByteArray does.
struct Owner {
  std::string text;
  operator std::string_view() const { return text; }
};

// Lends the text of somebody else, as absl::string_view does.
struct View {
  const char *data;
  std::size_t size;
  operator std::string_view() const { return {data, size}; }
};

static std::size_t count(linksift::Links links) {
  std::size_t number = 0;
  for (const linksift::Link &link : links) {
    number += link.end() > link.start();
  }
  return number;
}

int main() {
  const linksift::Finder finder;
  const std::string text = "see example.com";
  std::string own = text;
  const std::u16string wide = u"see example.com";
  const char array[] = "see example.com";
  const Owner owner{text};
  std::size_t found = 0;

  found += count(linksift::find(text)) + count(linksift::find(own)) + count(linksift::find(owner));
  found += count(linksift::find("see example.com")) + count(linksift::find("see example.com"sv));
  found += count(linksift::find(array)) + count(linksift::find(View{array, 15}));
  found += count(linksift::find(std::string_view(text).substr(4)));
  found += count(finder.find(text)) + count(finder.find(wide)) + count(finder.find(u"see example.com"));
  found += count(finder.find(u"see example.com"sv, LINKSIFT_REJECTED));
  found += count(finder.document(text)) + count(finder.document("see example.com"));
  found += count(finder.message("\r\nsee example.com", LINKSIFT_REJECTED));
  // What is returned is a text of its own.
  found += finder.html(text + "!").size() > 0;

#if REFUSED == 1
  found += count(linksift::find(std::string("see ") + text));
#elif REFUSED == 2
  found += count(linksift::find(std::move(own)));
#elif REFUSED == 3
  found += count(linksift::find(std::move(text)));
#elif REFUSED == 4
  found += count(linksift::find(Owner{text}));
#elif REFUSED == 5
  found += count(finder.find(text.substr(1)));
#elif REFUSED == 6
  found += count(finder.find(wide + u"!"));
#elif REFUSED == 7
  found += count(finder.find("see example.com"s, LINKSIFT_REJECTED));
#elif REFUSED == 8
  found += count(finder.document(text + "!"));
#elif REFUSED == 9
  found += count(finder.message("\r\n" + text, LINKSIFT_ARCHIVES));
#elif REFUSED == 10
  for (const linksift::Link &link : finder.document(Owner{text})) {
    found += link.end();
  }
#endif
  return found == 16 ? 0 : 1;
}
