// linksift for C++17: links out of a text, each freed by itself.
//
//   for (const linksift::Link &link : linksift::find("see http://example.com/")) std::cout << link.uri();
#ifndef LINKSIFT_HPP
#define LINKSIFT_HPP

#include "linksift.h"

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace linksift {

/// A setting that does not exist or does not take a value, or a document that cannot be decoded.
class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {
/// Whether an argument is a temporary that takes its text along when it ends, as `std::string("a") + b` is. What lends the
/// text of somebody else, as `std::string_view` and its like, has nothing to free.
template <class T, class View>
using if_temporary =
    std::enable_if_t<!std::is_lvalue_reference_v<T> && std::is_convertible_v<T, View> && !std::is_trivially_destructible_v<T>,
                     int>;
} // namespace detail

/// What is looked for and how, by the names of the command's options.
class Settings {
public:
  Settings() : settings_(linksift_settings_new()) {}

  /// Sets what the command's option of this name sets. Throws `Error`.
  Settings &set(const std::string &name, const std::string &value) {
    if (linksift_settings_set(settings_.get(), name.c_str(), value.c_str()) != LINKSIFT_OK) {
      throw Error(linksift_error());
    }
    return *this;
  }

  const linksift_settings *get() const { return settings_.get(); }

private:
  struct Free {
    void operator()(linksift_settings *it) const { linksift_settings_free(it); }
  };
  std::unique_ptr<linksift_settings, Free> settings_;
};

/// What of a link deceives, or a reader should know.
struct Finding {
  std::string code;
  std::string severity;
  /// In bytes of the link's IRI.
  std::size_t start;
  std::size_t end;
};

/// What is not read as one may expect: the code, and the member of an archive that it is about, empty for the document
/// itself.
struct Notice {
  std::string code;
  std::string member;
};

/// A link, or a candidate that was rejected; its texts are valid until the next one is asked for.
class Link {
public:
  std::string_view uri() const { return text(LINKSIFT_URI); }
  std::string_view iri() const { return text(LINKSIFT_IRI); }
  std::string_view raw() const { return text(LINKSIFT_RAW); }
  std::string_view host() const { return text(LINKSIFT_HOST); }
  std::string_view context() const { return text(LINKSIFT_CONTEXT); }
  std::string_view display() const { return text(LINKSIFT_DISPLAY); }
  std::string_view severity() const { return text(LINKSIFT_SEVERITY); }
  std::string_view warnings() const { return text(LINKSIFT_WARNINGS); }
  std::string_view part() const { return text(LINKSIFT_PART); }
  std::string_view transfer() const { return text(LINKSIFT_TRANSFER); }
  std::string_view shown() const { return text(LINKSIFT_SHOWN); }
  std::string_view member() const { return text(LINKSIFT_MEMBER); }
  /// Any other text, by its number; empty if the link has none.
  std::string_view text(int field) const {
    const linksift_string string = linksift_get(links_, field);
    return string.data == nullptr ? std::string_view() : std::string_view(string.data, string.len);
  }
  std::vector<Finding> findings() const {
    std::vector<Finding> all;
    for (std::size_t n = 0; n < linksift_finding_count(links_); n++) {
      all.push_back({linksift_finding_code(links_, n), linksift_finding_severity(links_, n),
                     linksift_finding_start(links_, n), linksift_finding_end(links_, n)});
    }
    return all;
  }
  /// In the units of what is searched: bytes, or units of UTF-16.
  std::uint64_t start() const { return linksift_start(links_); }
  std::uint64_t end() const { return linksift_end(links_); }
  int kind() const { return linksift_kind(links_); }
  /// Whether it is no link, or a member of an archive that failed; `text(LINKSIFT_REASON)` says why.
  bool rejected() const { return text(LINKSIFT_REASON).data() != nullptr; }

private:
  friend class Links;
  linksift_links *links_ = nullptr;
};

/// Links that are being looked for; the text must outlive them.
class Links {
public:
  explicit Links(linksift_links *links) : links_(links) {
    if (links == nullptr) {
      throw Error(linksift_error());
    }
    link_.links_ = links;
  }

  /// Goes from link to link, once.
  class iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Link;
    using difference_type = std::ptrdiff_t;
    using pointer = const Link *;
    using reference = const Link &;

    iterator() = default;
    explicit iterator(Links *links) : links_(links) { ++*this; }
    const Link &operator*() const { return links_->link_; }
    const Link *operator->() const { return &links_->link_; }
    iterator &operator++() {
      const int step = linksift_next(links_->links_.get());
      if (step < 0) {
        throw Error(linksift_error());
      }
      if (step == LINKSIFT_END) {
        links_ = nullptr;
      }
      return *this;
    }
    friend bool operator==(const iterator &a, const iterator &b) { return a.links_ == b.links_; }
    friend bool operator!=(const iterator &a, const iterator &b) { return !(a == b); }

  private:
    Links *links_ = nullptr;
  };

  iterator begin() { return iterator(this); }
  iterator end() { return iterator(); }
  /// The notices so far; all of them at the end.
  std::vector<Notice> notices() const {
    std::vector<Notice> all;
    const std::size_t count = linksift_notice_count(links_.get());
    for (std::size_t n = 0; n < count; n++) {
      all.push_back({linksift_notice_code(links_.get(), n), linksift_notice_member(links_.get(), n)});
    }
    return all;
  }

private:
  struct Free {
    void operator()(linksift_links *it) const { linksift_links_free(it); }
  };
  std::unique_ptr<linksift_links, Free> links_;
  Link link_;
};

/// Finds links by its settings; threads may share it. Links are found one after the other where the text is, which must
/// outlive them: a temporary is refused when it is compiled.
class Finder {
public:
  Finder() : finder_(linksift_finder_new(nullptr)) {}
  explicit Finder(const Settings &settings) : finder_(linksift_finder_new(settings.get())) {}

  Links find(std::string_view text, unsigned flags = 0) const {
    return Links(linksift_find(finder_.get(), text.data(), text.size(), flags));
  }
  /// Offsets are units of UTF-16, as those of `QString`.
  Links find(std::u16string_view text, unsigned flags = 0) const {
    const auto *units = reinterpret_cast<const std::uint16_t *>(text.data());
    return Links(linksift_find_utf16(finder_.get(), units, text.size(), flags));
  }
  Links document(std::string_view bytes, unsigned flags = 0) const {
    return Links(linksift_find_document(finder_.get(), data(bytes), bytes.size(), flags));
  }
  Links message(std::string_view bytes, unsigned flags = 0) const {
    return Links(linksift_find_message(finder_.get(), data(bytes), bytes.size(), flags));
  }
  template <class T, detail::if_temporary<T, std::string_view> = 0> Links find(T &&, unsigned = 0) const = delete;
  template <class T, detail::if_temporary<T, std::u16string_view> = 0> Links find(T &&, unsigned = 0) const = delete;
  template <class T, detail::if_temporary<T, std::string_view> = 0> Links document(T &&, unsigned = 0) const = delete;
  template <class T, detail::if_temporary<T, std::string_view> = 0> Links message(T &&, unsigned = 0) const = delete;
  /// HTML of a text, its links marked.
  std::string html(std::string_view text) const {
    return taken(linksift_to_html(finder_.get(), text.data(), text.size()));
  }
  /// HTML with the bare links in its text marked.
  std::string mark_html(std::string_view html) const {
    return taken(linksift_mark_html(finder_.get(), html.data(), html.size()));
  }

private:
  static std::string taken(linksift_string string) {
    if (string.data == nullptr) {
      throw Error(linksift_error());
    }
    std::string text(string.data, string.len);
    linksift_string_free(string);
    return text;
  }
  static const std::uint8_t *data(std::string_view bytes) {
    return reinterpret_cast<const std::uint8_t *>(bytes.data());
  }
  struct Free {
    void operator()(linksift_finder *it) const { linksift_finder_free(it); }
  };
  std::unique_ptr<linksift_finder, Free> finder_;
};

/// The links of a text with the default settings; the text must outlive them.
inline Links find(std::string_view text) {
  return Links(linksift_find(nullptr, text.data(), text.size(), 0));
}
template <class T, detail::if_temporary<T, std::string_view> = 0> Links find(T &&) = delete;

} // namespace linksift

#endif
