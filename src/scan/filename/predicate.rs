//! Facts that need a longer check of a name or of its line: the predicates of rows.

/// A predicate of a name or of the text around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Predicate {
    /// Two digits and a hyphen begin it, or a letter, a zero and a digit end it: `99-default`, `incr06`.
    Numbered,
    /// It ends like the name of a template: `gmp-h`.
    TemplateEnd,
    /// A label after the first is the extension of a file.
    MiddleInside,
    /// It begins like the name of a library: `lib`, `ld-`.
    Library,
    /// The second label is that of a newsgroup.
    Newsgroup,
    /// A capital follows a small letter.
    Hump,
    /// Written like a name of Microsoft's framework.
    Framework,
    /// It has the signs of a host in source code.
    HostInCode,
    /// Its domain is also a word that members are named by.
    MemberDomain,
    /// A directory of a Windows path precedes the name.
    Folder,
    /// A path from the root, or from the current directory, precedes the name.
    Filesystem,
    /// The line is an import from a module; it imports the name.
    ImportFrom,
    Import,
    /// An object precedes the arrow; a word precedes the asterisk; a role precedes the back quote.
    ArrowOfObject,
    StarOfWord,
    Role,
    /// An assignment or a comparison follows.
    Operator,
    /// The byte after the next is a letter; the one after that a letter or a digit.
    SecondLetter,
    ThirdWord,
    /// A function that translates is called before the quotation mark.
    Translated,
    /// The line begins with this.
    IndexEntry,
    Percent,
    /// A bracket was opened on the line, but not directly before the name.
    Bracket,
    /// A letter follows the question mark and the dot.
    OptionalMember,
    /// A function precedes the bracket.
    Argument,
    /// A key is the complete text before the name on its line.
    Field,
    /// A key precedes the equals sign.
    Key,
    /// The line consists of the name and the characters directly next to it.
    AloneOnLine,
    /// The value of an assignment whose target does not state that it is a host.
    Assigned,
    /// Some text precedes the name on the line.
    Something,
    /// An underscore that is part of the name precedes it.
    Private,
    /// The word before or after the name states its kind.
    NounSure,
    NounFront,
    NounFile,
    NounBehind,
    /// The file is included.
    Included,
    /// The preceding path has two slashes or more, and no authority.
    Path,
    Directory,
    /// Its domain is also the extension of a file format, and a directory of source files precedes it.
    OrgFile,
    /// The line is an entry of a changelog, or begins like one.
    TabbedEntry,
    Entry,
    Changelog,
    ChangelogText,
    /// The labels occur a second time on the line, with another last label.
    Sibling,
    /// The name of a source file precedes the name; one ends the previous line; one follows the name.
    SourceInFront,
    SourceOnPrevious,
    SourceBehind,
    /// A line number follows; a number of changes follows.
    Position,
    Diffstat,
    /// The preceding word states that a file is edited.
    Edited,
    /// A name with an underscore is on the line.
    Identifier,
    /// A link on the line has this host.
    Linked,
    /// The text of a mail server surrounds it.
    Server,
    Relay,
}
