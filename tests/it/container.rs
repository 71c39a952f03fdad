//! Compressed files and archives, made by generators of our own, through the public API.
//!
//! Which test guards which case:
//!
//! | case | test |
//! |---|---|
//! | a gzip member, two, a link over their border, an empty one | `compressed::members_are_one_document` |
//! | zeros or garbage after the end, of each codec; padding of xz | `compressed::padding_is_passed_over_and_garbage_is_told` |
//! | damage to each codec and container, read by a whole, a slow reader and a file | `damage::…` |
//! | cut streams | `compressed::what_is_cut_gives_what_was_there_and_says_so`, `links_before_a_cut_are_found_in_short_documents` |
//! | wrong checksum or length | `compressed::a_wrong_checksum_keeps_all_links_and_is_told_where_it_is` |
//! | FEXTRA, FNAME, FCOMMENT | `compressed::a_header_of_gzip_may_have_everything` |
//! | skippable frames; a window of 2 GiB | `compressed::skippable_frames_are_skipped`, `a_window_beyond_the_limit_is_refused_with_what_it_needs` |
//! | `.warc.zst` with a dictionary | `cases::case_12_…` |
//! | content before the name | `compressed::what_begins_like_a_codec_is_one_whatever_its_name` |
//! | zip: a name twice, a header twice, `../x`, `a!b%.txt` | `zips::equal_names_…`, `zips::names_stay_as_they_are_stored` |
//! | zip: names in legacy charsets, Unicode paths | `cases::case_20_…`, `zips::names_in_a_legacy_charset_…`, `zips::a_unicode_path_…` |
//! | zip: descriptors, in files and streams | `zips::descriptors_…`, `cases::case_23_…` |
//! | zip: zip64, methods, encryption, cut, prefix | `cases::case_24_…`, `case_26_…`, `case_27_…`, `zips::what_cannot_be_read_…`, `zips::something_may_stand_…` |
//! | tar: two in one file, cut, wrong checksum, claimed sizes, PAX, sparse, GNU names | `tars::…` of these names |
//! | WARC: headers, charset, base, `source`, `Location` | `warcs::a_response_is_read_as_its_headers_say`, `cases::case_34_…`, `case_44_…` |
//! | WARC: headers of many or long fields | `headers::…` |
//! | WARC: chunks and codings that are there or not, stacked | `warcs::bodies_…`, `cases::codings_that_are_stacked_…` |
//! | WARC: revisits, what is not read, media types, targets | `warcs::…` of these names |
//! | WARC: wrong lengths, line feeds, one member, damaged or cut members | `warcs::a_wrong_length_…`, `line_feeds_…`, `steps_are_…`, `after_a_damaged_…` |
//! | one thread and many, ranges of all sizes, false starts | `parallel::case_40_…`, `case_41_…` |
//! | resumed inside an archive | `resumed::…` |
//! | answers of HTTP, with codings that are there or not, many headers | `answers::…` |
//! | office formats, books, jars | `cases::case_45_…` |
//! | random bytes, pictures | `compressed::random_bytes_have_no_links`, `cases::case_46_…` |
//! | garbage between members, members and archives that are cut or follow each other, a zip behind a program | `between::…` |
//! | linear time | `linear::…`, `bombs::…` |
//! | bombs, what holds itself, depth, no room to keep a zip | `hostile::…`, `bombs::…` |
//!
//! What a killed run and a full disk leave behind is a matter of the command.

mod answers;
mod attached;
mod between;
mod bombs;
mod cases;
pub(crate) mod compressed;
mod damage;
mod headers;
mod hostile;
mod linear;
mod office;
mod package;
pub(crate) mod parallel;
mod resumed;
pub(crate) mod run;
pub(crate) mod tars;
pub(crate) mod warcs;
pub(crate) mod zips;
