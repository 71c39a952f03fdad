/* Every function, with what it is for, with NULL, and after the end. Compiled as C99 and as C++17. */
#include "linksift.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static int failures = 0;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);          \
      failures++;                                                              \
    }                                                                          \
  } while (0)

static int is(linksift_string string, const char *text) {
  return string.data != NULL && string.len == strlen(text) &&
         strcmp(string.data, text) == 0;
}

static void text_in_utf8(void) {
  const char *text = "\xE8\xA6\x8B\xE3\x81\xA6 http://\xE4\xBE\x8B\xE3\x81\x88.jp/\xE3\x83\x91 "
                     "http://300.1.1.1/ me@example.org";
  linksift_links *links = linksift_find(NULL, text, strlen(text), 0);
  CHECK(links != NULL);
  CHECK(linksift_get(links, LINKSIFT_URI).data == NULL);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_start(links) == 7 && linksift_end(links) == 27);
  CHECK(linksift_kind(links) == LINKSIFT_KIND_IRI);
  CHECK(is(linksift_get(links, LINKSIFT_URI), "http://xn--r8jz45g.jp/%E3%83%91"));
  CHECK(is(linksift_get(links, LINKSIFT_HOST), "xn--r8jz45g.jp"));
  CHECK(is(linksift_get(links, LINKSIFT_CONTEXT), "text"));
  CHECK(is(linksift_get(links, LINKSIFT_CHARSET), "utf-8"));
  CHECK(linksift_get(links, LINKSIFT_REASON).data == NULL);
  CHECK(linksift_get(links, LINKSIFT_PART).data == NULL);
  CHECK(linksift_get(links, 1000).data == NULL);
  CHECK(linksift_get(links, -1).data == NULL);
  CHECK(linksift_line(links) == 0 && linksift_column(links) == 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_kind(links) == LINKSIFT_KIND_EMAIL);
  CHECK(is(linksift_get(links, LINKSIFT_RAW), "me@example.org"));
  CHECK(linksift_next(links) == LINKSIFT_END);
  CHECK(linksift_next(links) == LINKSIFT_END);
  CHECK(linksift_get(links, LINKSIFT_URI).data == NULL);
  CHECK(linksift_start(links) == 0 && linksift_kind(links) == LINKSIFT_NULL);
  linksift_links_free(links);
}

static void rejected_and_positions(void) {
  const char *text = "a\nb http://300.1.1.1/ c";
  linksift_links *links =
      linksift_find(NULL, text, strlen(text), LINKSIFT_REJECTED | LINKSIFT_POSITIONS);
  CHECK(linksift_next(links) == LINKSIFT_CANDIDATE);
  CHECK(linksift_line(links) == 2 && linksift_column(links) == 3);
  CHECK(linksift_get(links, LINKSIFT_REASON).len > 0);
  CHECK(linksift_get(links, LINKSIFT_URI).data == NULL);
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
}

static void text_in_utf16(void) {
  /* An emoji of two units, then the link. */
  const uint16_t text[] = {0xD83D, 0xDE00, ' ', 'a', '.', 'd', 'e', '/', 0xE9, ' '};
  linksift_links *links = linksift_find_utf16(NULL, text, sizeof text / sizeof *text, 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_start(links) == 3 && linksift_end(links) == 9);
  CHECK(is(linksift_get(links, LINKSIFT_URI), "https://a.de/%C3%A9"));
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
}

/* What begins like a byte order mark is text: in UTF-16 these are the bytes of one of UTF-8, then of UTF-16BE. */
static void no_marks_in_utf16(void) {
  const uint16_t texts[][9] = {{0xBBEF, 0x20BF, ' ', 'b', 'b', '.', 'd', 'e', ' '},
                               {0xFFFE, ' ', ' ', 'b', 'b', '.', 'd', 'e', ' '},
                               {0xFEFF, ' ', ' ', 'b', 'b', '.', 'd', 'e', ' '}};
  size_t i;
  for (i = 0; i < 3; i++) {
    linksift_links *links = linksift_find_utf16(NULL, texts[i], 9, LINKSIFT_POSITIONS);
    CHECK(linksift_next(links) == LINKSIFT_LINK);
    CHECK(linksift_start(links) == 3 && linksift_end(links) == 8);
    CHECK(linksift_line(links) == 1);
    linksift_links_free(links);
  }
}

static void characters(void) {
  const char *text = "\xF0\x9F\x98\x80\xC3\xA9 bb.de \xFF\x80 http://e.example/\xC3\xA9";
  linksift_links *links = linksift_find(NULL, text, strlen(text), LINKSIFT_CHARACTERS);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_start(links) == 3 && linksift_end(links) == 8);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_start(links) == 11 && linksift_end(links) == 29);
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
}

static void findings(void) {
  const char *text = "https://p\xD0\xB0ypal.com/ http://example.com/";
  linksift_links *links = linksift_find(NULL, text, strlen(text), 0);
  CHECK(linksift_finding_count(links) == 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(is(linksift_get(links, LINKSIFT_SEVERITY), "deceptive"));
  CHECK(is(linksift_get(links, LINKSIFT_DISPLAY), "https://xn--pypal-4ve.com/"));
  CHECK(strstr(linksift_get(links, LINKSIFT_WARNINGS).data, "host-mixed-script") != NULL);
  CHECK(linksift_finding_count(links) == 1);
  CHECK(strcmp(linksift_finding_code(links, 0), "host-mixed-script") == 0);
  CHECK(strcmp(linksift_finding_severity(links, 0), "deceptive") == 0);
  CHECK(linksift_finding_start(links, 0) == 8 && linksift_finding_end(links, 0) == 15);
  CHECK(strlen(linksift_finding_sentence(links, 0)) > 20 && linksift_finding_sentence(links, 1) == NULL);
  CHECK(linksift_finding_code(links, 1) == NULL && linksift_finding_severity(links, 1) == NULL);
  CHECK(linksift_finding_end(links, 1) == 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_finding_count(links) == 0 && linksift_finding_code(links, 0) == NULL);
  CHECK(linksift_get(links, LINKSIFT_SEVERITY).data == NULL);
  CHECK(linksift_get(links, LINKSIFT_WARNINGS).data == NULL);
  linksift_links_free(links);
}

static void documents(void) {
  const char *page = "<base href=http://b.example/><a href='x.html?q=\x95\x5C'>x</a>";
  linksift_settings *settings = linksift_settings_new();
  linksift_finder *finder;
  linksift_links *links;
  CHECK(linksift_settings_set(settings, "format", "html") == LINKSIFT_OK);
  CHECK(linksift_settings_set(settings, "charset", "shift_jis") == LINKSIFT_OK);
  finder = linksift_finder_new(settings);
  linksift_settings_free(settings);
  links = linksift_find_document(finder, (const uint8_t *)page, strlen(page), 0);
  linksift_finder_free(finder); /* The links have their own hold of it. */
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(is(linksift_get(links, LINKSIFT_CONTEXT), "base@href"));
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(linksift_kind(links) == LINKSIFT_KIND_REFERENCE);
  CHECK(is(linksift_get(links, LINKSIFT_URI), "http://b.example/x.html?q=%95%5C"));
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);

  page = "<meta charset=iso-2022-kr><a href=http://e.example/>";
  settings = linksift_settings_new();
  linksift_settings_set(settings, "format", "html");
  finder = linksift_finder_new(settings);
  CHECK(linksift_find_document(finder, (const uint8_t *)page, strlen(page), 0) == NULL);
  CHECK(strstr(linksift_error(), "iso-2022-kr") != NULL);
  linksift_finder_free(finder);
  linksift_settings_free(settings);
}

/* How many links a document of this name has, and whether the first has this URI. */
static int count(const char *name, const char *stored, size_t len, const char *first) {
  linksift_settings *settings = linksift_settings_new();
  linksift_finder *finder;
  linksift_links *links;
  int found = 0;
  if (name != NULL) {
    CHECK(linksift_settings_set(settings, "name", name) == LINKSIFT_OK);
  }
  CHECK(linksift_settings_set(settings, "salvage", "true") == LINKSIFT_OK);
  finder = linksift_finder_new(settings);
  links = linksift_find_document(finder, (const uint8_t *)stored, len, 0);
  CHECK(links != NULL || strlen(linksift_error_code()) > 0);
  while (linksift_next(links) == LINKSIFT_LINK) {
    CHECK(found++ > 0 || is(linksift_get(links, LINKSIFT_URI), first));
  }
  linksift_links_free(links);
  linksift_finder_free(finder);
  linksift_settings_free(settings);
  return found;
}

#define COUNT(name, stored, first) count(name, stored, sizeof(stored) - 1, first)

/* One verdict on what a document is, here as in a file. */
static void odd_documents(void) {
  CHECK(COUNT("n.html", "\0<p>www.b.com <a href='http://e.example/?a&amp;b'>x</a>",
              "https://www.b.com") == 2);
  CHECK(COUNT(NULL, "\0<p>www.b.com <a href='http://e.example/?a'>x</a>",
              "http://e.example/?a") == 1);
  CHECK(COUNT("v.ts", "\x47\0\1\2 www.b.com http://e.example/ \0\1\2\3",
              "http://e.example/") == 1);
  CHECK(COUNT("x.html", "\x89PNG\r\n\x1A\n\0 www.b.com http://e.example/", "") == 0);
  CHECK(COUNT(NULL, "PAR1\x15\0 http://e.example/", "") == 0);
  CHECK(COUNT("x.7z", "7z\xBC\xAF\x27\x1C www.b.com http://e.example/", "http://e.example/") == 1);
}

static void message(void) {
  const char *mail = "Message-ID: <1@e.example>\nContent-Type: text/plain\n"
                     "Content-Transfer-Encoding: quoted-printable\n\nsee http://e.example/?a=3D1 now\n";
  linksift_links *links = linksift_find_message(NULL, (const uint8_t *)mail, strlen(mail), 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(is(linksift_get(links, LINKSIFT_URI), "http://e.example/?a=1"));
  CHECK(is(linksift_get(links, LINKSIFT_TRANSFER), "quoted-printable"));
  CHECK(is(linksift_get(links, LINKSIFT_MESSAGE_ID), "1@e.example"));
  CHECK(linksift_get(links, LINKSIFT_PART).data != NULL);
  CHECK(memcmp(mail + linksift_start(links), "http://e.example/?a=3D1", 23) == 0);
  CHECK(linksift_end(links) - linksift_start(links) == 23);
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
}

/* A zip of notes.txt and of bad.txt, whose bytes are broken, attached to a message. */
static const char *const BOX =
    "Content-Type: application/zip; name=box.zip\n"
    "Content-Transfer-Encoding: base64\n\n"
    "UEsDBBQAAAAIAEIKd10QnqBCHQAAAEQAAAAJAAAAbm90ZXMudHh0K05NVcgoKSmw0tdPrUjMLchJ\n"
    "1UvOz9VP1CFBFABQSwMEFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAABiYWQudHh0/ygpKbDS10+t\n"
    "SMwtyEnVS87P1U9SyBh8ggBQSwECFAMUAAAACABCCnddEJ6gQh0AAABEAAAACQAAAAAAAAAAAAAA\n"
    "gAEAAAAAbm90ZXMudHh0UEsBAhQDFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAAAAAAAAAAAAAIAB\n"
    "RAAAAGJhZC50eHRQSwUGAAAAAAIAAgBsAAAAgwAAAAAA\n";

static void archives(void) {
  const uint8_t *bytes = (const uint8_t *)BOX;
  const unsigned flags = LINKSIFT_ARCHIVES | LINKSIFT_REJECTED;
  linksift_links *links = linksift_find_message(NULL, bytes, strlen(BOX), 0);
  int found = 0, step;
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
  links = linksift_find_message(NULL, bytes, strlen(BOX), LINKSIFT_ARCHIVES);
  while (linksift_next(links) == LINKSIFT_LINK) {
    found++;
    CHECK(is(linksift_get(links, LINKSIFT_URI), "http://example.com/a"));
    CHECK(is(linksift_get(links, LINKSIFT_MEMBER), "notes.txt"));
    CHECK(is(linksift_get(links, LINKSIFT_PART), "1"));
    CHECK(linksift_get(links, LINKSIFT_MEMBER_BYTES).data == NULL);
    CHECK(linksift_end(links) - linksift_start(links) == 20);
  }
  CHECK(found == 3);
  linksift_links_free(links);
  links = linksift_find_message(NULL, bytes, strlen(BOX), flags);
  found = 0;
  while ((step = linksift_next(links)) != LINKSIFT_END) {
    if (step == LINKSIFT_FAILED) {
      found++;
      CHECK(is(linksift_get(links, LINKSIFT_MEMBER), "1!box.zip!bad.txt"));
      CHECK(linksift_get(links, LINKSIFT_REASON).len > 0);
      CHECK(linksift_get(links, LINKSIFT_URI).data == NULL);
      CHECK(linksift_start(links) == 0 && linksift_finding_count(links) == 0);
    }
  }
  CHECK(found == 1);
  linksift_links_free(links);
  /* Bytes that say that they are gzip, and are not. */
  CHECK(linksift_find_document(NULL, (const uint8_t *)"\x1F\x8B\x08\0\0\0\0\0\0\3\xFF\xFF", 12,
                               flags) == NULL);
  CHECK(strlen(linksift_error()) > 0);
  /* What is no archive is one document. */
  links = linksift_find_document(NULL, (const uint8_t *)"see bb.de", 9, flags);
  CHECK(linksift_next(links) == LINKSIFT_LINK && linksift_start(links) == 4);
  CHECK(linksift_get(links, LINKSIFT_MEMBER).data == NULL);
  linksift_links_free(links);
}

static void settings(void) {
  linksift_settings *settings = linksift_settings_new();
  linksift_finder *finder;
  linksift_links *links;
  CHECK(linksift_settings_set(settings, "no-such-name", "1") == LINKSIFT_UNKNOWN_NAME);
  CHECK(strstr(linksift_error(), "no-such-name") != NULL);
  CHECK(linksift_settings_set(settings, "schemes", "ht tp") == LINKSIFT_BAD_VALUE);
  CHECK(linksift_settings_set(settings, "charset", "no-such-charset") == LINKSIFT_BAD_VALUE);
  CHECK(linksift_settings_set(settings, NULL, "x") == LINKSIFT_NULL);
  CHECK(linksift_settings_set(settings, "schemes", NULL) == LINKSIFT_NULL);
  CHECK(linksift_settings_set(NULL, "schemes", "any") == LINKSIFT_NULL);
  CHECK(linksift_settings_set(settings, "schemes", "any") == LINKSIFT_OK);
  CHECK(linksift_settings_set(settings, "schemeless", "no") == LINKSIFT_OK);
  CHECK(linksift_settings_set(settings, "emails", "no") == LINKSIFT_OK);
  finder = linksift_finder_new(settings);
  links = linksift_find(finder, "a.de app://x/y me@a.de", 22, 0);
  CHECK(linksift_next(links) == LINKSIFT_LINK);
  CHECK(is(linksift_get(links, LINKSIFT_URI), "app://x/y"));
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
  linksift_finder_free(finder);
  linksift_settings_free(settings);
}

static void to_html(void) {
  const char *text = "<b> & http://e.example/?a=1&b=2";
  linksift_string html = linksift_to_html(NULL, text, strlen(text));
  CHECK(html.data != NULL && strlen(html.data) == html.len);
  CHECK(strstr(html.data, "&lt;b&gt; &amp; <a ") == html.data);
  CHECK(strstr(html.data, "href=\"http://e.example/?a=1&amp;b=2\"") != NULL);
  linksift_string_free(html);
  {
    linksift_settings *settings = linksift_settings_new();
    linksift_finder *marking;
    CHECK(linksift_settings_set(settings, "on-suspect", "mark") == LINKSIFT_OK);
    CHECK(linksift_settings_set(settings, "on-suspect", "drop") == LINKSIFT_BAD_VALUE);
    marking = linksift_finder_new(settings);
    html = linksift_to_html(marking, "http://www.bank.com.evil.test/", 30);
    CHECK(strstr(html.data, "class=\"suspect\" title=\"suspect: The host begins") != NULL);
    linksift_string_free(html);
    linksift_finder_free(marking);
    linksift_settings_free(settings);
  }
  html = linksift_to_html(NULL, "\xFF", 1);
  CHECK(html.data == NULL && strstr(linksift_error(), "UTF-8") != NULL);
  linksift_string_free(html);
  text = "<p>bb.de<a href=x>bb.de</a>";
  html = linksift_mark_html(NULL, text, strlen(text));
  CHECK(strstr(html.data, "<p><a href=\"https://bb.de\"") == html.data);
  CHECK(strstr(html.data, "</a><a href=x>bb.de</a>") != NULL);
  linksift_string_free(html);
  html = linksift_to_html(NULL, NULL, 0);
  CHECK(html.data != NULL && html.len == 0);
  linksift_string_free(html);
}

static void nothing(void) {
  linksift_string none = linksift_get(NULL, LINKSIFT_URI);
  CHECK(linksift_find(NULL, NULL, 1, 0) == NULL);
  CHECK(linksift_find_utf16(NULL, NULL, 1, 0) == NULL);
  CHECK(linksift_find_document(NULL, NULL, 1, 0) == NULL);
  CHECK(linksift_find_message(NULL, NULL, 1, 0) == NULL);
  CHECK(linksift_to_html(NULL, NULL, 1).data == NULL);
  CHECK(linksift_mark_html(NULL, NULL, 1).data == NULL);
  /* A negative length that was cast. */
  CHECK(linksift_find(NULL, "x", (size_t)-1, 0) == NULL);
  CHECK(linksift_find_utf16(NULL, (const uint16_t *)"xx", (size_t)-1, 0) == NULL);
  CHECK(linksift_finding_count(NULL) == 0 && linksift_finding_code(NULL, 0) == NULL);
  CHECK(linksift_finding_severity(NULL, 0) == NULL);
  CHECK(linksift_finding_start(NULL, 0) == 0 && linksift_finding_end(NULL, 0) == 0);
  CHECK(linksift_next(NULL) == LINKSIFT_NULL);
  CHECK(none.data == NULL && none.len == 0);
  CHECK(linksift_start(NULL) == 0 && linksift_end(NULL) == 0);
  CHECK(linksift_line(NULL) == 0 && linksift_column(NULL) == 0);
  CHECK(linksift_kind(NULL) == LINKSIFT_NULL);
  linksift_links_free(NULL);
  linksift_finder_free(NULL);
  linksift_settings_free(NULL);
  linksift_string_free(none);
  linksift_links_free(linksift_find(NULL, NULL, 0, 0));
  CHECK(linksift_version()[0] >= '0' && linksift_version()[0] <= '9');
  CHECK(strcmp(linksift_unicode_version(), "18.0.0") == 0);
}

/* A tar of one text of so many bytes, which its caller frees. */
static uint8_t *tar_of(size_t size, const char *words, size_t *len) {
  const size_t count = strlen(words);
  uint8_t *tar;
  unsigned sum = 0;
  size_t at;
  *len = 512 + (size + 511) / 512 * 512 + 1024;
  tar = (uint8_t *)calloc(1, *len);
  memcpy(tar, "notes.txt", 9);
  memcpy(tar + 100, "0000644", 7);
  sprintf((char *)tar + 124, "%011lo", (unsigned long)size);
  memcpy(tar + 148, "        ", 8);
  tar[156] = '0';
  memcpy(tar + 257, "ustar\00000", 8);
  for (at = 0; at < 512; at++) {
    sum += tar[at];
  }
  sprintf((char *)tar + 148, "%06o", sum);
  for (at = 0; at < size; at++) {
    tar[512 + at] = (uint8_t)words[at % count];
  }
  return tar;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static long most_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/* What an archive holds is handed over as it is found, and no more of it is kept than is asked for. */
static void archives_are_streams(void) {
  const size_t size = 19 * 500000;
  size_t len, found = 0;
  int step;
  uint8_t *tar = tar_of(size, "http://e.example/a ", &len);
  const long before = most_kilobytes();
  linksift_links *links = linksift_find_document(NULL, tar, len, LINKSIFT_ARCHIVES);
  while ((step = linksift_next(links)) == LINKSIFT_LINK) {
    CHECK(linksift_start(links) == 19 * found);
    found++;
  }
  CHECK(step == LINKSIFT_END && found == 500000);
  CHECK(linksift_next(links) == LINKSIFT_END);
  linksift_links_free(links);
  /* All of them kept were some 300 MB. */
  CHECK(most_kilobytes() - before < 100000);
  free(tar);
}

/* Freed in the middle, and at once: the thread is gone when the call returns, and reads nothing any more. */
static void archives_are_stopped(void) {
  size_t len;
  int round;
  uint8_t *tar = tar_of((size_t)64 << 20, "no link in this, but words and words. ", &len);
  linksift_links *links;
  double start;
  for (round = 0; round < 20; round++) {
    links = linksift_find_document(NULL, tar, len, LINKSIFT_ARCHIVES | LINKSIFT_REJECTED);
    start = seconds();
    if (round % 2 == 1) {
      CHECK(linksift_next_for(links, 1) == LINKSIFT_PENDING);
      CHECK(linksift_get(links, LINKSIFT_URI).data == NULL && linksift_end(links) == 0);
    }
    linksift_links_free(links);
    CHECK(seconds() - start < 1);
  }
  memset(tar, 0, len);
  free(tar);
  tar = tar_of((size_t)4 << 20, "http://e.example/a ", &len);
  for (round = 0; round < 20; round++) {
    links = linksift_find_document(NULL, tar, len, LINKSIFT_ARCHIVES);
    CHECK(round % 2 == 0 || linksift_next(links) == LINKSIFT_LINK);
    linksift_links_free(links);
  }
  free(tar);
}

/* Links, and whether there was time in between. */
/* What a document has is told at its end, in each way that it is read. */
static void notices_of(const char *bytes, size_t len, unsigned flags, const char *member, const char *code) {
  linksift_links *links = linksift_find_document(NULL, (const uint8_t *)bytes, len, flags);
  while (linksift_next(links) > 0) {
  }
  CHECK(linksift_notice_count(links) == (code == NULL ? 0 : 1));
  if (code != NULL) {
    CHECK(strcmp(linksift_notice_code(links, 0), code) == 0);
    CHECK(strcmp(linksift_notice_member(links, 0), member) == 0);
  }
  CHECK(linksift_notice_code(links, 1) == NULL && linksift_notice_member(links, 1) == NULL);
  linksift_links_free(links);
}

static void notices(void) {
  const char *page = "<meta charset=klingon><a href=http://e.example/>x</a>";
  const char *mail = "Content-Type: text/plain; charset=hz-gb-2312\n\n~{<:Ky2;~} http://e.example/";
  const char *parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Transfer-Encoding: odd\n\ntext\n--b--\n";
  const unsigned flags[] = {0, LINKSIFT_REJECTED, LINKSIFT_ARCHIVES};
  linksift_links *links;
  size_t n, len;
  uint8_t *tar;
  for (n = 0; n < 3; n++) {
    notices_of(page, strlen(page), flags[n], "", "unknown-charset");
    notices_of("bb.de", 5, flags[n], "", NULL);
  }
  links = linksift_find_message(NULL, (const uint8_t *)mail, strlen(mail), 0);
  while (linksift_next(links) > 0) {
  }
  CHECK(linksift_notice_count(links) == 1 && strcmp(linksift_notice_code(links, 0), "undecodable") == 0);
  CHECK(strcmp(linksift_notice_part(links, 0), "") == 0);
  linksift_links_free(links);
  /* Of a part, which is named however the message is read. */
  for (n = 0; n < 3; n++) {
    links = linksift_find_message(NULL, (const uint8_t *)parts, strlen(parts), flags[n]);
    while (linksift_next(links) > 0) {
    }
    CHECK(linksift_notice_count(links) == 1 && strcmp(linksift_notice_code(links, 0), "unknown-transfer") == 0);
    CHECK(strcmp(linksift_notice_part(links, 0), "2") == 0 && linksift_notice_part(links, 1) == NULL);
    linksift_links_free(links);
  }
  /* Of a member, which is named. */
  tar = tar_of(1 << 10, "<meta charset=klingon>", &len);
  links = linksift_find_document(NULL, tar, len, LINKSIFT_ARCHIVES);
  while (linksift_next(links) > 0) {
  }
  CHECK(linksift_notice_count(links) == 1);
  CHECK(strlen(linksift_notice_member(links, 0)) > 0);
  CHECK(strcmp(linksift_notice_code(links, 0), "unknown-charset") == 0);
  linksift_links_free(links);
  free(tar);
  CHECK(linksift_notice_count(NULL) == 0 && linksift_notice_code(NULL, 0) == NULL);
  CHECK(linksift_notice_member(NULL, 0) == NULL && linksift_notice_part(NULL, 0) == NULL);
}

/* A document of Word 2, and the object in whose text the places count. */
static void office(void) {
  const char document[] = "\xDB\xA5\x2D\0\0\0\x09\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\0\0\0\x39\0\0\0" "see http://e.example/ now";
  const unsigned flags[] = {0, LINKSIFT_REJECTED, LINKSIFT_ARCHIVES};
  size_t n;
  for (n = 0; n < 3; n++) {
    linksift_links *links = linksift_find_document(NULL, (const uint8_t *)document, sizeof document - 1, flags[n]);
    CHECK(linksift_next(links) == LINKSIFT_LINK);
    CHECK(strcmp(linksift_get(links, LINKSIFT_URI).data, "http://e.example/") == 0);
    CHECK(strcmp(linksift_get(links, LINKSIFT_OBJECT).data, "document") == 0);
    CHECK(strcmp(linksift_get(links, LINKSIFT_CONTEXT).data, "office:text") == 0);
    CHECK(linksift_start(links) == 4 && linksift_end(links) == 21);
    CHECK(linksift_next(links) == LINKSIFT_END && linksift_notice_count(links) == 0);
    linksift_links_free(links);
  }
}

/* Nothing of a document is read: the same code with each flag, but for archives, which one flag opens. */
static void not_read(void) {
  static const struct {
    const char *bytes;
    size_t len;
    const char *code;
  } cases[] = {
#define BYTES(text) text, sizeof text - 1
      {BYTES("\x89PNG\r\n\x1A\n http://e.example/"), "media"},
      {BYTES("PK\3\4\x14\0\0\0 http://e.example/"), "archive"},
      {BYTES("Rar!\x1A\x07\0 http://e.example/"), "unsupported"},
      {BYTES("SQLite format 3\0 http://e.example/"), "table"},
      {BYTES("\x7F" "ELF\2\1\1\0 http://e.example/"), "binary"},
      {BYTES("<meta charset=iso-2022-kr>http://e.example/"), "undecodable"},
#undef BYTES
  };
  const unsigned flags[] = {0, LINKSIFT_REJECTED, LINKSIFT_ARCHIVES};
  size_t n, k;
  for (n = 0; n < sizeof cases / sizeof *cases; n++) {
    for (k = 0; k < 3; k++) {
      linksift_links *links = linksift_find_document(NULL, (const uint8_t *)cases[n].bytes, cases[n].len, flags[k]);
      if (flags[k] == LINKSIFT_ARCHIVES && strcmp(cases[n].code, "archive") == 0) {
        linksift_links_free(links);
        continue;
      }
      CHECK(links == NULL && strcmp(linksift_error_code(), cases[n].code) == 0);
      CHECK(strlen(linksift_error()) > 0);
    }
  }
  /* Another error has no code. */
  CHECK(linksift_find_document(NULL, NULL, 1, 0) == NULL && strcmp(linksift_error_code(), "") == 0);
}

static size_t count_for(linksift_links *links, unsigned milliseconds, size_t *pending) {
  size_t found = 0;
  int step;
  while ((step = linksift_next_for(links, milliseconds)) != LINKSIFT_END) {
    CHECK(step == LINKSIFT_LINK || step == LINKSIFT_CANDIDATE || step == LINKSIFT_PENDING);
    found += step != LINKSIFT_PENDING;
    *pending += step == LINKSIFT_PENDING;
  }
  CHECK(linksift_next_for(links, 0) == LINKSIFT_END);
  linksift_links_free(links);
  return found;
}

static void a_while_at_a_time(void) {
  /* A link and a candidate, and then nothing for longer than a step is. */
  const size_t period = 300000, periods = 12, size = period * periods;
  const char *const links = " http://300.1.1.1/ http://e.example/a ";
  size_t len, pending = 0, before, n;
  uint8_t *tar = tar_of(size, "words and words, ", &len);
  const char *text = (const char *)tar + 512;
  for (n = 0; n < periods; n++) {
    memcpy(tar + 512 + n * period, links, strlen(links));
  }
  CHECK(count_for(linksift_find(NULL, text, size, 0), 0, &pending) == periods);
  CHECK(pending >= periods);
  before = pending;
  CHECK(count_for(linksift_find(NULL, text, size, LINKSIFT_REJECTED), 0, &pending) == 2 * periods);
  CHECK(pending >= before + periods);
  CHECK(count_for(linksift_find(NULL, text, size, LINKSIFT_POSITIONS), 60000, &pending) == periods);
  CHECK(count_for(linksift_find_document(NULL, tar + 512, size, 0), 0, &pending) == periods);
  CHECK(count_for(linksift_find_document(NULL, tar, len, LINKSIFT_ARCHIVES), 1, &pending) == periods);
  CHECK(linksift_next_for(NULL, 1) == LINKSIFT_NULL);
  free(tar);
}

/* As many links as a message has with an archive in it, if so many may be inside each other. */
static int links_at_depth(const char *depth) {
  linksift_settings *settings = linksift_settings_new();
  linksift_finder *finder;
  linksift_links *links;
  int found = 0, step;
  CHECK(linksift_settings_set(settings, "max-depth", depth) == LINKSIFT_OK);
  finder = linksift_finder_new(settings);
  linksift_settings_free(settings);
  links = linksift_find_message(finder, (const uint8_t *)BOX, strlen(BOX), LINKSIFT_ARCHIVES);
  while ((step = linksift_next(links)) > 0) {
    found += step == LINKSIFT_LINK;
  }
  linksift_links_free(links);
  linksift_finder_free(finder);
  return found;
}

static void archives_are_limited(void) {
  linksift_settings *settings = linksift_settings_new();
  const char *const names[] = {"max-depth", "max_expansion", "max-window"};
  size_t i;
  for (i = 0; i < 3; i++) {
    CHECK(linksift_settings_set(settings, names[i], "7") == LINKSIFT_OK);
    CHECK(linksift_settings_set(settings, names[i], "-1") == LINKSIFT_BAD_VALUE);
    CHECK(strstr(linksift_error(), names[i]) != NULL);
    CHECK(linksift_settings_set(settings, names[i], "many") == LINKSIFT_BAD_VALUE);
    CHECK(linksift_settings_set(settings, names[i], "99999999999999999999999") == LINKSIFT_BAD_VALUE);
  }
  CHECK(linksift_settings_set(settings, "max-depths", "7") == LINKSIFT_UNKNOWN_NAME);
  CHECK(strstr(linksift_error(), "max-window") != NULL);
  linksift_settings_free(settings);
  CHECK(links_at_depth("0") == 0);
  /* Mail is no archive: the attachment is one deep. */
  CHECK(links_at_depth("1") == 3 && links_at_depth("8") == 3);
}

/* Gzip of stored bytes, cut: links before the damage come, and then that it is damaged, once. */
static void archives_that_end_early(void) {
  static const uint8_t front[] = {0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3};
  const size_t blocks = 40, block = 19 * 3000;
  const size_t len = sizeof front + blocks * (5 + block);
  uint8_t *gzip = (uint8_t *)malloc(len);
  size_t at = sizeof front, n, i, found = 0, round;
  int step;
  memcpy(gzip, front, sizeof front);
  for (n = 0; n < blocks; n++) {
    gzip[at++] = 0;
    gzip[at++] = (uint8_t)(block & 0xFF);
    gzip[at++] = (uint8_t)(block >> 8);
    gzip[at++] = (uint8_t)(~block & 0xFF);
    gzip[at++] = (uint8_t)(~block >> 8 & 0xFF);
    for (i = 0; i < block; i++) {
      gzip[at++] = (uint8_t)"http://e.example/a "[i % 19];
    }
  }
  for (round = 0; round < 2; round++) {
    linksift_links *links = linksift_find_document(
        NULL, gzip, len, LINKSIFT_ARCHIVES | (round == 1 ? LINKSIFT_REJECTED : 0));
    found = 0;
    while ((step = linksift_next(links)) == LINKSIFT_LINK) {
      found++;
    }
    CHECK(found >= (blocks - 2) * 3000);
    CHECK(step == (round == 1 ? LINKSIFT_FAILED : LINKSIFT_UNREADABLE));
    CHECK(round == 1 ? linksift_get(links, LINKSIFT_REASON).len > 0 : strlen(linksift_error()) > 0);
    CHECK(linksift_next(links) == LINKSIFT_END);
    linksift_links_free(links);
  }
  free(gzip);
}

static void *one_thread(void *finder) {
  const char *text = "http://e.example/a http://e.example/b";
  size_t found = 0;
  int round;
  for (round = 0; round < 2000; round++) {
    linksift_links *links =
        linksift_find((const linksift_finder *)finder, text, strlen(text), 0);
    while (linksift_next(links) == LINKSIFT_LINK) {
      found += linksift_get(links, LINKSIFT_URI).len;
    }
    linksift_links_free(links);
  }
  CHECK(found == 2000 * 36);
  return NULL;
}

static void threads(void) {
  linksift_finder *finder = linksift_finder_new(NULL);
  pthread_t threads[4];
  int i;
  for (i = 0; i < 4; i++) {
    CHECK(pthread_create(&threads[i], NULL, one_thread, finder) == 0);
  }
  for (i = 0; i < 4; i++) {
    pthread_join(threads[i], NULL);
  }
  linksift_finder_free(finder);
}

int main(void) {
  text_in_utf8();
  rejected_and_positions();
  text_in_utf16();
  no_marks_in_utf16();
  characters();
  findings();
  documents();
  notices();
  not_read();
  office();
  odd_documents();
  message();
  archives();
  archives_are_streams();
  archives_are_stopped();
  a_while_at_a_time();
  archives_are_limited();
  archives_that_end_early();
  settings();
  to_html();
  nothing();
  threads();
  if (failures == 0) {
    puts("interface: ok");
  }
  return failures != 0;
}
