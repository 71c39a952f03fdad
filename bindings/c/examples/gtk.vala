// A GTK 4 text view whose links are marked as one types. GTK counts characters, and so does linksift here.
public class Viewer : Gtk.ApplicationWindow {
  private Gtk.TextView view = new Gtk.TextView ();
  private Linksift.Finder finder = new Linksift.Finder ();
  private Gtk.TextTag plain;
  private Gtk.TextTag suspect;

  public Viewer (Gtk.Application app) {
    Object (application: app, title: "linksift in GTK", default_width: 760, default_height: 320);
    plain = view.buffer.create_tag (null, "foreground", "blue", "underline", Pango.Underline.SINGLE);
    suspect = view.buffer.create_tag (null, "foreground", "red", "underline", Pango.Underline.ERROR);
    view.wrap_mode = Gtk.WrapMode.WORD;
    view.buffer.changed.connect (mark);
    child = view;
    view.buffer.text = "Mail to jörg@example.com, or see (http://example.com/a_(b)).\n"
      + "見て http://例え.jp/パス。 Подробнее: https://пример.рф/путь!\n"
      + "😀 docs.rs/serde, not main.rs; https://pаypal.com/ is another site.";
  }

  private void mark () {
    Gtk.TextIter start, end;
    view.buffer.get_bounds (out start, out end);
    view.buffer.remove_all_tags (start, end);
    var text = view.buffer.get_text (start, end, true);
    var links = Linksift.find (finder, (char*) text, text.length, Linksift.Flags.CHARACTERS);
    while (links.next () == Linksift.Step.LINK) {
      view.buffer.get_iter_at_offset (out start, (int) links.start ());
      view.buffer.get_iter_at_offset (out end, (int) links.end ());
      var severity = links.get (Linksift.Field.SEVERITY).data;
      var deceives = severity == "suspect" || severity == "deceptive";
      view.buffer.apply_tag (deceives ? suspect : plain, start, end);
    }
  }

  // A picture of the window's content, for the tests.
  public void save (string file) {
    var snapshot = new Gtk.Snapshot ();
    new Gtk.WidgetPaintable (view).snapshot (snapshot, view.get_width (), view.get_height ());
    get_renderer ().render_texture (snapshot.to_node (), null).save_to_png (file);
  }
}

int main (string[] args) {
  var app = new Gtk.Application ("org.example.linksift", GLib.ApplicationFlags.NON_UNIQUE);
  var picture = args.length > 1 ? args[1] : null;
  app.activate.connect (() => {
    var viewer = new Viewer (app);
    viewer.present ();
    if (picture != null) {
      Timeout.add (1500, () => {
        viewer.save (picture);
        app.quit ();
        return Source.REMOVE;
      });
    }
  });
  return app.run ({ args[0] });
}
