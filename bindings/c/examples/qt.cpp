// A Qt 6 text editor whose links are marked as one types: the offsets are those of QString.
#include <QApplication>
#include <QSyntaxHighlighter>
#include <QTextEdit>
#include <QTimer>
#include <linksift.hpp>

class Links : public QSyntaxHighlighter {
public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

protected:
  void highlightBlock(const QString &line) override {
    const std::u16string_view text(reinterpret_cast<const char16_t *>(line.utf16()), line.size());
    for (const linksift::Link &link : finder_.find(text)) {
      QTextCharFormat format;
      const bool deceives = link.severity() == "deceptive" || link.severity() == "suspect";
      format.setForeground(deceives ? Qt::red : Qt::blue);
      format.setFontUnderline(true);
      const std::string_view display = link.display();
      format.setToolTip(QString::fromUtf8(display.data(), int(display.size())));
      setFormat(int(link.start()), int(link.end() - link.start()), format);
    }
  }

private:
  linksift::Finder finder_;
};

int main(int argc, char **argv) {
  QApplication app(argc, argv);
  QTextEdit edit;
  Links links(edit.document());
  edit.resize(760, 320);
  edit.setWindowTitle("linksift in Qt");
  edit.setPlainText(QString::fromUtf8(
      "Mail to j\u00f6rg@example.com, or see (http://example.com/a_(b)).\n"
      "\u898b\u3066 http://\u4f8b\u3048.jp/\u30d1\u30b9\u3002 \u041f\u043e\u0434\u0440\u043e\u0431\u043d\u0435\u0435: https://\u043f\u0440\u0438\u043c\u0435\u0440.\u0440\u0444/\u043f\u0443\u0442\u044c!\n"
      "\U0001F600 docs.rs/serde, not main.rs; https://p\u0430ypal.com/ is another site."));
  edit.show();
  if (argc > 1) { // A picture of the window, for the tests.
    QTimer::singleShot(800, [&] {
      edit.grab().save(argv[1]);
      app.quit();
    });
  }
  return app.exec();
}
