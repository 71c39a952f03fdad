/* Prints the links of a file or of standard input: place, URI, and what a reader should know. */
#include <linksift.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *file = argc > 1 ? fopen(argv[1], "rb") : stdin;
  char *bytes = NULL;
  size_t len = 0, room = 0, got;
  linksift_links *links;
  int found = 0;
  if (file == NULL) {
    perror(argv[1]);
    return 2;
  }
  do {
    if (room - len < 65536) {
      room = 2 * room + 65536;
      bytes = realloc(bytes, room);
      if (bytes == NULL) {
        return 2;
      }
    }
    got = fread(bytes + len, 1, room - len, file);
    len += got;
  } while (got > 0);

  links = linksift_find_document(NULL, (const uint8_t *)bytes, len, LINKSIFT_POSITIONS);
  if (links == NULL) {
    fprintf(stderr, "%s\n", linksift_error());
    return 2;
  }
  while (linksift_next(links) == LINKSIFT_LINK) {
    linksift_string warnings = linksift_get(links, LINKSIFT_WARNINGS);
    printf("%llu:%llu:%s%s%s\n", (unsigned long long)linksift_line(links),
           (unsigned long long)linksift_column(links), linksift_get(links, LINKSIFT_URI).data,
           warnings.len ? "  " : "", warnings.len ? warnings.data : "");
    found = 1;
  }
  linksift_links_free(links);
  free(bytes);
  return !found;
}
