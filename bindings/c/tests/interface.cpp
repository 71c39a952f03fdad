// The C++ skin, and that the header is C++.
#include "linksift.hpp"

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                       \
  if (!(condition)) {                                                          \
    std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);       \
    std::exit(1);                                                              \
  }

int main() {
  std::string found;
  for (const linksift::Link &link : linksift::find("see http://example.com/a and bb.de")) {
    found.append(link.uri()).append(" ");
  }
  CHECK(found == "http://example.com/a https://bb.de ");

  const std::u16string text = u"\U0001F600 bb.de";
  int seen = 0;
  for (const linksift::Link &link : linksift::Finder().find(text)) {
    CHECK(text.substr(link.start(), link.end() - link.start()) == u"bb.de");
    seen++;
  }
  CHECK(seen == 1);

  linksift::Settings settings;
  bool thrown = false;
  try {
    settings.set("schemes", "ht tp");
  } catch (const linksift::Error &error) {
    thrown = std::string(error.what()).find("ht tp") != std::string::npos;
  }
  CHECK(thrown);
  const linksift::Finder finder(settings.set("format", "html").set("base", "http://b.example/"));
  int count = 0;
  for (const linksift::Link &link : finder.document("<a href=x>")) {
    CHECK(link.uri() == "http://b.example/x" && !link.rejected());
    count++;
  }
  CHECK(count == 1);
  CHECK(finder.html("a&bb.de").find("&amp;") != std::string::npos);
  CHECK(finder.mark_html("<p>bb.de").find("<p><a href=\"https://bb.de\"") == 0);
  int findings = 0;
  for (const linksift::Link &link : linksift::find("https://p\u0430ypal.com/")) {
    for (const linksift::Finding &finding : link.findings()) {
      CHECK(finding.code == "host-mixed-script" && finding.severity == "deceptive");
      CHECK(link.iri().substr(finding.start, finding.end - finding.start) == "p\u0430ypal");
      findings++;
    }
  }
  CHECK(findings == 1);
  std::string unread;
  try {
    linksift::Finder().document("\x89PNG\r\n\x1A\n http://example.com/");
  } catch (const linksift::Error &error) {
    unread = error.code();
  }
  CHECK(unread == "media");
  linksift::Links page = linksift::Finder().document("<meta charset=klingon>http://example.com/");
  for (const linksift::Link &link : page) {
    CHECK(link.uri() == "http://example.com/");
  }
  CHECK(page.notices().size() == 1 && page.notices()[0].code == "unknown-charset" && page.notices()[0].part.empty());
  std::puts("interface in C++: ok");
}
