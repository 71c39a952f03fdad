/* linksift for Vala. */
[CCode (cheader_filename = "linksift.h", cprefix = "linksift_", lower_case_cprefix = "linksift_")]
namespace Linksift {
  /* A text that a link has; its `data` is null where the link has none. */
  [SimpleType]
  [CCode (cname = "linksift_string", has_type_id = false)]
  public struct Text {
    public unowned string? data;
    public size_t len;
  }

  [CCode (cname = "int", cprefix = "LINKSIFT_", has_type_id = false)]
  public enum Field {
    URI, IRI, RAW, HOST, CONTEXT, CHARSET, REASON, WARNINGS, SHOWN, PART, TRANSFER, MESSAGE_ID,
    SOURCE, DISPLAY, SEVERITY, MEMBER, MEMBER_BYTES
  }

  [CCode (cname = "int", cprefix = "LINKSIFT_KIND_", has_type_id = false)]
  public enum Kind { IRI, SCHEMELESS, EMAIL, REFERENCE }

  [CCode (cname = "int", cprefix = "LINKSIFT_", has_type_id = false)]
  public enum Step { END, LINK, CANDIDATE, FAILED, PENDING, UNREADABLE, PANIC }

  [CCode (cname = "int", cprefix = "LINKSIFT_", has_type_id = false)]
  public enum Result { OK, UNKNOWN_NAME, BAD_VALUE, PANIC, NULL }

  [Flags]
  [CCode (cname = "unsigned int", cprefix = "LINKSIFT_", has_type_id = false)]
  public enum Flags { REJECTED, POSITIONS, CHARACTERS, ARCHIVES }

  public unowned string version ();
  public unowned string unicode_version ();
  public unowned string error ();

  [Compact]
  [CCode (cname = "linksift_settings", free_function = "linksift_settings_free")]
  public class Settings {
    [CCode (cname = "linksift_settings_new")]
    public Settings ();
    [CCode (cname = "linksift_settings_set")]
    public Result @set (string name, string value);
  }

  [Compact]
  [CCode (cname = "linksift_finder", free_function = "linksift_finder_free")]
  public class Finder {
    [CCode (cname = "linksift_finder_new")]
    public Finder (Settings? settings = null);
  }

  /* Looks in bytes of UTF-8; the text must stay as it is as long as the links are used. */
  [CCode (cname = "linksift_find")]
  public Links? find (Finder? finder, char* text, size_t len, Flags flags = 0);
  [CCode (cname = "linksift_find_document")]
  public Links? find_document (Finder? finder, uint8* bytes, size_t len, Flags flags = 0);
  [CCode (cname = "linksift_find_message")]
  public Links? find_message (Finder? finder, uint8* bytes, size_t len, Flags flags = 0);

  /* HTML of a text, or of HTML with its links marked; free it with free_text. */
  [CCode (cname = "linksift_to_html")]
  public Text to_html (Finder? finder, char* text, size_t len);
  [CCode (cname = "linksift_mark_html")]
  public Text mark_html (Finder? finder, char* html, size_t len);
  [CCode (cname = "linksift_string_free")]
  public void free_text (Text text);

  [Compact]
  [CCode (cname = "linksift_links", free_function = "linksift_links_free")]
  public class Links {
    [CCode (cname = "linksift_next")]
    public Step next ();
    [CCode (cname = "linksift_next_for")]
    public Step next_for (uint milliseconds);
    [CCode (cname = "linksift_start")]
    public uint64 start ();
    [CCode (cname = "linksift_end")]
    public uint64 end ();
    [CCode (cname = "linksift_line")]
    public uint64 line ();
    [CCode (cname = "linksift_column")]
    public uint64 column ();
    [CCode (cname = "linksift_kind")]
    public Kind kind ();
    [CCode (cname = "linksift_get")]
    public Text @get (Field field);
    [CCode (cname = "linksift_finding_count")]
    public size_t finding_count ();
    [CCode (cname = "linksift_finding_code")]
    public unowned string? finding_code (size_t number);
    [CCode (cname = "linksift_finding_severity")]
    public unowned string? finding_severity (size_t number);
    [CCode (cname = "linksift_finding_start")]
    public size_t finding_start (size_t number);
    [CCode (cname = "linksift_finding_end")]
    public size_t finding_end (size_t number);
    [CCode (cname = "linksift_notice_count")]
    public size_t notice_count ();
    [CCode (cname = "linksift_notice_code")]
    public unowned string? notice_code (size_t number);
    [CCode (cname = "linksift_notice_member")]
    public unowned string? notice_member (size_t number);
  }
}
