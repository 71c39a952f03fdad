#ifndef LINKSIFT_H
#define LINKSIFT_H

/* Generated from bindings/c/src by its test `header`; LINKSIFT_BLESS=1 writes it anew. */

#include <stddef.h>
#include <stdint.h>

/*
 All went well.
 */
#define LINKSIFT_OK 0

/*
 There is no setting of this name.
 */
#define LINKSIFT_UNKNOWN_NAME -1

/*
 The setting does not take this value.
 */
#define LINKSIFT_BAD_VALUE -2

/*
 A defect of linksift; the call did nothing, and the process goes on.
 */
#define LINKSIFT_PANIC -3

/*
 An argument is NULL that must not be.
 */
#define LINKSIFT_NULL -4

/*
 Of `linksift_next`: the archive itself cannot be read, or not to its end.
 */
#define LINKSIFT_UNREADABLE -5

/*
 Gives rejected candidates too, in their order among the links.
 */
#define LINKSIFT_REJECTED 1

/*
 Counts lines and columns, for `linksift_line` and `linksift_column`.
 */
#define LINKSIFT_POSITIONS 2

/*
 For `linksift_find`: offsets are characters (code points), as GTK counts them, instead of bytes.
 */
#define LINKSIFT_CHARACTERS 4

/*
 For `linksift_find_document` and `linksift_find_message`: opens compressed documents, archives, and archives that are
 attached to a message. Offsets are bytes of the document that `LINKSIFT_MEMBER` names.
 */
#define LINKSIFT_ARCHIVES 8

/*
 Result of `linksift_next`: no more links.
 */
#define LINKSIFT_END 0

/*
 Result of `linksift_next`: a link.
 */
#define LINKSIFT_LINK 1

/*
 Result of `linksift_next`: a rejected candidate; `LINKSIFT_REASON` says why.
 */
#define LINKSIFT_CANDIDATE 2

/*
 Result of `linksift_next`: a member of an archive cannot be read, or not to its end; `LINKSIFT_MEMBER` says
 which, for one in an attachment after the part and the name of that (`2!a.zip!b.txt`), `LINKSIFT_REASON` why. Only with
 `LINKSIFT_ARCHIVES` and `LINKSIFT_REJECTED`.
 */
#define LINKSIFT_FAILED 3

/*
 Result of `linksift_next_for`: no link within the time; call it again, or free the links.
 */
#define LINKSIFT_PENDING 4

/*
 Result of `linksift_kind`: a link with a scheme.
 */
#define LINKSIFT_KIND_IRI 0

/*
 Result of `linksift_kind`: a host without a scheme, `example.com/x`.
 */
#define LINKSIFT_KIND_SCHEMELESS 1

/*
 Result of `linksift_kind`: an e-mail address, with or without `mailto:`.
 */
#define LINKSIFT_KIND_EMAIL 2

/*
 Result of `linksift_kind`: a relative reference, only in markup.
 */
#define LINKSIFT_KIND_REFERENCE 3

/*
 URI that the link maps to: ASCII, valid by RFC 3986; absent if rejected.
 */
#define LINKSIFT_URI 0

/*
 IRI, resolved against the base if there is one; of a rejected candidate as far as it got.
 */
#define LINKSIFT_IRI 1

/*
 Link as written: decoded, character references not resolved.
 */
#define LINKSIFT_RAW 2

/*
 Host as in the URI.
 */
#define LINKSIFT_HOST 3

/*
 Where the link occurs: `text`, `a@href`, `header:list-unsubscribe` and so on.
 */
#define LINKSIFT_CONTEXT 4

/*
 Encoding that the input was decoded from, by its name in the Encoding Standard, in lower case.
 */
#define LINKSIFT_CHARSET 5

/*
 Reason for the rejection: `host-invalid-idna`, `userinfo` and so on.
 */
#define LINKSIFT_REASON 6

/*
 Codes of the warnings about the link; separated by spaces if they are one text.
 */
#define LINKSIFT_WARNINGS 7

/*
 Host in the visible text, if it is another one.
 */
#define LINKSIFT_SHOWN 8

/*
 Position in a mailbox or message, such as `12!1.2`.
 */
#define LINKSIFT_PART 9

/*
 Transfer encoding that the bytes of the link are written in.
 */
#define LINKSIFT_TRANSFER 10

/*
 Message-ID of the message that contains the link, without `<>`.
 */
#define LINKSIFT_MESSAGE_ID 11

/*
 IRI of the document itself: the target of a WARC record, the Content-Location of a part.
 */
#define LINKSIFT_SOURCE 12

/*
 Form for people: each label of the host that deceives is in ASCII.
 */
#define LINKSIFT_DISPLAY 13

/*
 Greatest severity of the findings: `note`, `suspect` or `deceptive`; absent without findings.
 */
#define LINKSIFT_SEVERITY 14

/*
 Archive member that contains the link, outermost first, joined by `!`; U+FFFD replaces bytes that are not UTF-8.
 */
#define LINKSIFT_MEMBER 15

/*
 Bytes of the member's name, if it is not UTF-8.
 */
#define LINKSIFT_MEMBER_BYTES 16

/*
 Page of the document that contains the link, from 1.
 */
#define LINKSIFT_PAGE 17

/*
 Object of the document in whose decoded text the range counts, such as `31 0`.
 */
#define LINKSIFT_OBJECT 18

/*
 What a program does with the link: `text`, `navigate`, `embed`, `submit`, `relation`, `base`, `identity`, `header` or `other`.
 */
#define LINKSIFT_ROLE 19

/*
 Visible text of the link, at most 1 KiB, with the setting `details`.
 */
#define LINKSIFT_TEXT 20

/*
 Relation of the link in lower case, such as `nofollow ugc`, with the setting `details`.
 */
#define LINKSIFT_REL 21

/*
 Finds links by its settings; threads may share it.
 */
typedef struct linksift_finder linksift_finder;

/*
 Links that are being looked for.
 */
typedef struct linksift_links linksift_links;

/*
 Settings of a finder, by the names of the command's options.
 */
typedef struct linksift_settings linksift_settings;

/*
 A text in UTF-8, with a NUL after its last byte that `len` does not count; `data` is NULL where there
 is no such text. Who owns it stands with each function that returns one.
 */
typedef struct {
  /*
   The first byte.
   */
  const char *data;
  /*
   How many bytes it has.
   */
  size_t len;
} linksift_string;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/*
 The version of the library, such as `0.1.0`; static.
 */
const char *linksift_version(void);

/*
 The version of Unicode by which linksift judges characters, such as `18.0.0`; static.
 */
const char *linksift_unicode_version(void);

/*
 Why the last call of this thread that failed did so, in English; empty if none has failed. Valid
 until the next call of the thread that fails.
 */
const char *linksift_error(void);

/*
 The code of the document that the last call of this thread that failed did not read: `archive`, `media`, `table`, `unsupported`,
 `binary`, `pdf`, `encrypted`, `damaged`, `too-long` or `undecodable`. Empty if it failed for another reason. Valid as long as
 `linksift_error`.
 */
const char *linksift_error_code(void);

/*
 Finds links in `len` bytes of UTF-8. Offsets are bytes. A sequence that is not UTF-8 ends a link.

 `finder` may be NULL for the default settings. `text` must stay unchanged until `linksift_links_free`;
 it may be NULL if `len` is 0. `flags`: `LINKSIFT_REJECTED`, `LINKSIFT_POSITIONS`,
 `LINKSIFT_CHARACTERS`. NULL is returned if `text` is NULL and `len` is not 0.

 # Safety

 `finder` is NULL or came from `linksift_finder_new`; there are `len` bytes at `text`, which stay as
 they are until the links are freed.
 */
linksift_links *linksift_find(const linksift_finder *finder,
                              const char *text,
                              size_t len,
                              unsigned int flags);

/*
 Finds links in `len` units of UTF-16 in the byte order of the machine. Offsets are units.

 `LINKSIFT_CHARACTERS` is ignored. An unpaired surrogate ends a link. The setting `max-link` counts bytes, of which a unit has
 two: by default a link has up to 32,768 units. Otherwise as `linksift_find`.

 # Safety

 `finder` is NULL or came from `linksift_finder_new`; there are `len` units at `text`, which stay as
 they are until the links are freed.
 */
linksift_links *linksift_find_utf16(const linksift_finder *finder,
                                    const uint16_t *text,
                                    size_t len,
                                    unsigned int flags);

/*
 Finds links in a document of `len` bytes: HTML, XML, CSS, JSON, CSV, Markdown or text, in any
 charset. Offsets are stored bytes.

 Format, charset, base and name are those of the finder's settings (`format`, `charset`, `base`,
 `name`); by default the format and the charset are detected. NULL is returned if `bytes` is NULL and `len` is not 0, and if
 nothing of the document is read, since it is a picture, an archive that is not opened, or encrypted, or declares a charset that
 cannot be decoded: `linksift_error_code` says which.

 With `LINKSIFT_ARCHIVES` a thread reads `bytes` until the links are freed, and waits while enough links are
 ready, so that memory is bounded whatever the archive contains. NULL is then also returned if the beginning cannot be read. The
 settings `max-depth`, `max-expansion` and `max-window` limit the archives that are opened.

 # Safety

 As for `linksift_find`.
 */
linksift_links *linksift_find_document(const linksift_finder *finder,
                                       const uint8_t *bytes,
                                       size_t len,
                                       unsigned int flags);

/*
 Finds links in a message (RFC 5322) of `len` bytes: in the header fields that the setting `headers` selects,
 and in each part. Offsets are stored bytes, before transfer decoding; `LINKSIFT_PART`,
 `LINKSIFT_TRANSFER` and `LINKSIFT_MESSAGE_ID` tell where a link is.

 Otherwise as `linksift_find_document`.

 # Safety

 As for `linksift_find`.
 */
linksift_links *linksift_find_message(const linksift_finder *finder,
                                      const uint8_t *bytes,
                                      size_t len,
                                      unsigned int flags);

/*
 Returns the number of findings of the current link: features that deceive, or that a reader should know.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
size_t linksift_finding_count(linksift_links *links);

/*
 Returns the code of a finding of the current link, such as `host-mixed-script`; valid
 until `linksift_next` or `linksift_links_free`. Findings are counted from 0. NULL if there are fewer findings.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_finding_code(linksift_links *links,
                                  size_t number);

/*
 Returns the severity of a finding: `note`, `suspect` or `deceptive`; valid as long as the
 code. NULL if there are fewer findings.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_finding_severity(linksift_links *links, size_t number);

/*
 Returns one English sentence about a finding, for the person who reads the link; valid as long as the code, which is the
 key for translations. NULL if there are fewer findings.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_finding_sentence(linksift_links *links,
                                      size_t number);

/*
 Returns the byte of `LINKSIFT_IRI` at which a finding begins; 0 if there are fewer findings.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
size_t linksift_finding_start(linksift_links *links, size_t number);

/*
 Returns the byte of `LINKSIFT_IRI` at which a finding ends; 0 if there are fewer findings.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
size_t linksift_finding_end(linksift_links *links, size_t number);

/*
 Converts `len` bytes of UTF-8 to HTML: all text is escaped, and each link becomes an `a` element
 whose `href` is its URI. The settings `class`, `target`, `rel`, `newlines` and so on are those of the finder.

 The caller owns the returned text and frees it with `linksift_string_free`. `data` is NULL if
 `text` is NULL and `len` is not 0, or if the text is not UTF-8.

 # Safety

 `finder` is NULL or came from `linksift_finder_new`; there are `len` bytes at `text`.
 */
linksift_string linksift_to_html(const linksift_finder *finder,
                                 const char *text,
                                 size_t len);

/*
 Marks the bare links in `len` bytes of HTML in UTF-8, outside of `a`, `script` and their like;
 everything else stays unchanged, byte for byte. It does not make unsafe HTML safe.

 Otherwise as `linksift_to_html`.

 # Safety

 As for `linksift_to_html`.
 */
linksift_string linksift_mark_html(const linksift_finder *finder, const char *html, size_t len);

/*
 Frees a text that `linksift_to_html` or `linksift_mark_html` returned; one whose `data` is NULL is ignored.

 # Safety

 `string` came from one of them, and is not used after this.
 */
void linksift_string_free(linksift_string string);

/*
 Advances to the next link. Returns `LINKSIFT_LINK`; with `LINKSIFT_REJECTED` also `LINKSIFT_CANDIDATE` and `LINKSIFT_FAILED`;
 `LINKSIFT_END` at the end, on each further call too; `LINKSIFT_PANIC` on a defect of linksift; `LINKSIFT_NULL`
 for NULL. Only with `LINKSIFT_ARCHIVES`, once before the end: `LINKSIFT_UNREADABLE`, if the input itself could not be read
 to its end; `linksift_error` says why. Texts of the previous link become invalid.

 # Safety

 `links` is NULL or came from one of the functions that find, and the text that is searched is as it was.
 */
int linksift_next(linksift_links *links);

/*
 As `linksift_next`, but returns `LINKSIFT_PENDING` if no link is found within about `milliseconds`: for programs that do
 other work in between, or may have to stop and free the links. With 0 a short step is made.

 Some documents are processed in longer steps: a message part by part, Markdown and pages in UTF-16 as a whole. With
 `LINKSIFT_ARCHIVES` no step is long: a thread reads the archive, and `linksift_links_free` ends it within milliseconds.

 # Safety

 As for `linksift_next`.
 */
int linksift_next_for(linksift_links *links,
                      unsigned int milliseconds);

/*
 Returns the offset at which the current link begins, in units of the searched text; 0 without a link.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
uint64_t linksift_start(const linksift_links *links);

/*
 Returns the offset at which the current link ends, in units of the searched text; 0 without a link.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
uint64_t linksift_end(const linksift_links *links);

/*
 Returns the line of the link's first byte, from 1; 0 without `LINKSIFT_POSITIONS`.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
uint64_t linksift_line(const linksift_links *links);

/*
 Returns the column of the link's first byte, from 1, in the unit of the setting `columns`, by default bytes; 0 without
 `LINKSIFT_POSITIONS`.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
uint64_t linksift_column(const linksift_links *links);

/*
 Returns the kind of the current link, by how it is written: one of `LINKSIFT_KIND_…`; `LINKSIFT_NULL` without a link.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
int linksift_kind(const linksift_links *links);

/*
 Returns 1 if the current link is in code and not in prose, such as a block of Markdown or a `pre` element; 0 otherwise.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
int linksift_is_code(const linksift_links *links);

/*
 Returns a text of the current link: `LINKSIFT_URI`, `LINKSIFT_RAW` and so on. It belongs to `links`, and is
 valid until `linksift_next` or `linksift_links_free`. `data` is NULL if the link has no such text.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
linksift_string linksift_get(linksift_links *links,
                             int field);

/*
 Frees links; NULL is ignored.

 # Safety

 `links` is NULL or came from one of the functions that find, and is not used after this.
 */
void linksift_links_free(linksift_links *links);

/*
 Returns the number of notices so far: a picture that is not read, an encoding that is not decoded, a limit that was
 reached. All are known when `linksift_next` has returned `LINKSIFT_END`.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
size_t linksift_notice_count(linksift_links *links);

/*
 Returns the code of a notice, such as `media-unread` or `unknown-charset`; valid until `linksift_links_free`.
 Notices are counted from 0. NULL if there are fewer notices.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_notice_code(linksift_links *links,
                                 size_t number);

/*
 Returns the member of an archive that a notice is about, as `LINKSIFT_MEMBER` has it; empty if it is about the document
 itself. Valid as long as the code. NULL if there are fewer notices.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_notice_member(linksift_links *links,
                                   size_t number);

/*
 Returns the part of a message that a notice is about, as `LINKSIFT_PART` has it; empty if it is about the document or the
 member itself. Valid as long as the code. NULL if there are fewer notices.

 # Safety

 `links` is NULL or came from one of the functions that find.
 */
const char *linksift_notice_part(linksift_links *links,
                                 size_t number);

/*
 Returns default settings. Free them with `linksift_settings_free`.
 */
linksift_settings *linksift_settings_new(void);

/*
 Sets the setting that the command's option of this name sets, such as `schemes` to `known`, `schemeless` to
 `no`, `format` to `html`, `charset` to `shift_jis`, `base` to an IRI. Names and values end in NUL.

 With `LINKSIFT_ARCHIVES`: `max-depth` says how many archives and compressions may be inside each other (8),
 `max-expansion` how many times its stored size something may expand to, beyond 1 GiB a member and 4 GiB an input (2000),
 `max-window` how many decoded bytes a decoder may keep (134217728).

 Returns `LINKSIFT_OK`, or `LINKSIFT_UNKNOWN_NAME`, `LINKSIFT_BAD_VALUE`, `LINKSIFT_NULL`; the
 settings are then as before, and `linksift_error` says which values there are.

 # Safety

 `settings` is NULL or came from `linksift_settings_new`; `name` and `value` are NULL or end in NUL.
 */
int linksift_settings_set(linksift_settings *settings,
                          const char *name,
                          const char *value);

/*
 Frees settings; finders that were made with them stay valid. NULL is ignored.

 # Safety

 `settings` is NULL or came from `linksift_settings_new`, and is not used after this.
 */
void linksift_settings_free(linksift_settings *settings);

/*
 Returns a finder with these settings, which it copies; with the default settings for NULL. Free it with
 `linksift_finder_free`. Returns NULL only on a defect of linksift.

 # Safety

 `settings` is NULL or came from `linksift_settings_new`.
 */
linksift_finder *linksift_finder_new(const linksift_settings *settings);

/*
 Frees a finder; links that were started with it stay valid. NULL is ignored.

 # Safety

 `finder` is NULL or came from `linksift_finder_new`, and is not used after this.
 */
void linksift_finder_free(linksift_finder *finder);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LINKSIFT_H */
