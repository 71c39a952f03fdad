//! Facts that take a closer look at a name or at its line: what rows may ask.

/// A question about a name or about what is around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Predicate {
    /// Two digits and a hyphen begin it, or a letter, a zero and a digit end it: `99-default`, `incr06`.
    Numbered,
    /// Ends as the name of a template does: `gmp-h`.
    TemplateEnd,
    /// A label after the first is the ending of a file.
    MiddleInside,
    /// Begins as the name of a library does: `lib`, `ld-`.
    Library,
    /// The second label is that of a newsgroup.
    Newsgroup,
    /// A capital follows a small letter.
    Hump,
    /// Written as a name of Microsoft's framework.
    Framework,
    /// Has the signs of a host in source code.
    HostInCode,
    /// Its domain is a word that members are called by, too.
    MemberDomain,
    /// The folder of a path of Windows is in front.
    Folder,
    /// A path from the root, or from the folder one is in, is in front.
    Filesystem,
    /// The line is an import from a module; it imports the name.
    ImportFrom,
    Import,
    /// An object is before the arrow, a word is before the asterisk, a role is before the back quote.
    ArrowOfObject,
    StarOfWord,
    Role,
    /// An assignment or a comparison follows.
    Operator,
    /// The byte after the next is a letter; the one after that a letter or a digit.
    SecondLetter,
    ThirdWord,
    /// A function that translates is called in front of the quotation mark.
    Translated,
    /// The line begins with this.
    IndexEntry,
    Percent,
    /// A bracket was opened on the line, and not right before the name.
    Bracket,
    /// A letter follows the question mark and the dot.
    OptionalMember,
    /// A function is in front of the bracket.
    Argument,
    /// All of the line in front is a key.
    Field,
    /// A key is in front of the sign.
    Key,
    /// The line consists of the name and what is right beside it.
    AloneOnLine,
    /// Assigned to a name that does not say that it is a host.
    Assigned,
    /// Something is in front on the line.
    Something,
    /// An underscore is in front that is of a name.
    Private,
    /// The word in front or after says what it is.
    NounSure,
    NounFront,
    NounFile,
    NounBehind,
    /// The file is included.
    Included,
    /// Two slashes or more are in the path in front, and no authority.
    Path,
    Directory,
    /// Its domain is the extension of a file format too, and a directory of source files is in front.
    OrgFile,
    /// The line is an entry of a changelog, or begins as one.
    TabbedEntry,
    Entry,
    Changelog,
    ChangelogText,
    /// The labels are on the line once more, with another ending.
    Sibling,
    /// The name of a source is in front, ends the line before, is after it.
    SourceInFront,
    SourceOnPrevious,
    SourceBehind,
    /// A number of a line follows; a number of changes does.
    Position,
    Diffstat,
    /// The word in front says that a file is edited.
    Edited,
    /// A name with an underscore is on the line.
    Identifier,
    /// A link on the line has this host.
    Linked,
    /// A mail server tells of it.
    Server,
    Relay,
}
