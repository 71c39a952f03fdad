/* How long a text takes over the border, in µs of processor time: cc -O2 tests/speed.c $(pkg-config --cflags --libs
   linksift) -o speed && ./speed. The number of links is checked before anything is timed. */
#include <linksift.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char LINE[] = "Deploy is done, logs are at https://ci.example.com/job/1 today.\n";

static size_t links_of(linksift_links *links, size_t *bytes) {
  size_t count = 0;
  while (linksift_next(links) == LINKSIFT_LINK) {
    *bytes += linksift_get(links, LINKSIFT_URI).len;
    count++;
  }
  linksift_links_free(links);
  return count;
}

static double now(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static void measure(size_t lines, int is_utf16) {
  size_t len = lines * (sizeof LINE - 1), i, bytes = 0, rounds = 20000000 / len / (is_utf16 ? 2 : 1), n;
  char *text = malloc(len);
  uint16_t *units = malloc(len * sizeof *units);
  double start;
  linksift_finder *finder = linksift_finder_new(NULL);
  if (text == NULL || units == NULL) {
    exit(2);
  }
  for (i = 0; i < len; i++) {
    text[i] = LINE[i % (sizeof LINE - 1)];
    units[i] = (unsigned char)text[i];
  }
  for (n = 0, start = now(); n <= rounds; n++) {
    size_t count = links_of(is_utf16 ? linksift_find_utf16(finder, units, len, 0)
                                     : linksift_find(finder, text, len, 0), &bytes);
    if (count != lines) {
      fprintf(stderr, "%lu links, not %lu\n", (unsigned long)count, (unsigned long)lines);
      exit(1);
    }
    if (n == 0) {
      start = now();
    }
  }
  printf("%-8s %6lu bytes: %8.3f us a text\n", is_utf16 ? "utf-16" : "utf-8",
         (unsigned long)(is_utf16 ? 2 * len : len), (now() - start) * 1e6 / (double)rounds);
  linksift_finder_free(finder);
  free(text);
  free(units);
}

static void measure_html(void) {
  size_t len = 16 << 20, i;
  char *text = malloc(len);
  double start;
  linksift_string html;
  if (text == NULL) {
    exit(2);
  }
  for (i = 0; i < len; i++) {
    text[i] = "Plain words that are read, with a comma, a stop. And one more of them;\n"[i % 71];
  }
  memcpy(text, LINE, sizeof LINE - 1);
  start = now();
  html = linksift_to_html(NULL, text, len);
  printf("to_html: %.2f GB/s\n", (double)len / 1e9 / (now() - start));
  if (html.len <= len) {
    exit(1);
  }
  linksift_string_free(html);
  free(text);
}

int main(void) {
  measure(1, 0);
  measure(64, 0);
  measure(1, 1);
  measure(64, 1);
  measure_html();
  return 0;
}
