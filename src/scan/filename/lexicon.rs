//! Word lists that count as evidence for or against the name of a file or a member.
//!
//! The input is a label in upper or lower case, the result is the kinds that it is listed under. The words were collected
//! by reading results from documentation, manual pages and changelogs, and weighted against the hosts that follow `http://`
//! there: a listed word is far more often something else than a label of a host.

mod hashed;

pub(super) use hashed::{Lexicon, LexiconKinds, word};
use hashed::{count, first_word, slots};

// The kinds of a list are bits of the facts of a name, the rarest first (`facts`).

/// The public cannot register a name below it: it belongs to a company, or is not in use.
pub(super) const NO_DOMAIN: LexiconKinds = 1;
/// Names of fields and registers, `iloc.bh`, and of few hosts: names in code nearby decide.
pub(super) const FIELD: LexiconKinds = 1 << 1;
/// The extension of a file after any number of labels; before it, real hosts have `com`, `gov` and similar labels.
pub(super) const ONLY_FILE: LexiconKinds = 1 << 2;
/// `app`, `id`, `in`, `so`.
pub(super) const APP: LexiconKinds = 1 << 3;
pub(super) const ID: LexiconKinds = 1 << 4;
pub(super) const IN: LexiconKinds = 1 << 5;
pub(super) const SO: LexiconKinds = 1 << 6;
/// After two words or more it is a member, `self.inner.store`, and hardly ever a host.
pub(super) const CHAIN: LexiconKinds = 1 << 7;
/// A country with so many hosts that names below it are accepted slightly more easily.
pub(super) const LARGE: LexiconKinds = 1 << 8;
/// Names of one letter are used below it: `t.me`, `x.ai`.
pub(super) const SHORT: LexiconKinds = 1 << 9;
/// Far more often the extension of a file than a domain.
pub(super) const FILE: LexiconKinds = 1 << 10;
/// Far more often a word of code (a method, a field, a module) than a domain.
pub(super) const WORD: LexiconKinds = 1 << 11;
/// As often one as the other: the word before it, or the text around it, must decide.
pub(super) const DOUBT: LexiconKinds = 1 << 12;
/// A domain with so many hosts that any word can be the name of one: `data.de`.
pub(super) const COMMON: LexiconKinds = 1 << 13;
/// No code and no files use it as a name.
pub(super) const BELIEVED: LexiconKinds = 1 << 14;
/// `com`.
pub(super) const COM: LexiconKinds = 1 << 15;
/// Domains that need further evidence.
pub(super) const WEAK: LexiconKinds = FILE | WORD | DOUBT;

const DOMAINS: &[(LexiconKinds, &str)] = &[
    (BELIEVED, "arpa biz coop edu gov mil museum net org"),
    (BELIEVED | COM, "com"),
    (FILE, "ac am bt cc cf coffee gb gp la mh mk ml mo ms pl rs sc sd sh sl st td tm vc"),
    (FILE | ID, "id"),
    (FILE | SO, "so"),
    (FILE | ONLY_FILE, "md mm mov pm properties ps py tf zip"),
    (
        WORD,
        "actor audio bar bb black blue bot box build cab click codes date day diy direct \
         directory discover dog email events fail family fish fit foo free gmo gold green inc ing jobs \
         menu mom name new parts pay pics pid play post property pub radio red repair report rest run \
         security storage stream style watch win",
    ),
    (
        WORD | NO_DOMAIN,
        "abc able android author auto bom cal call case channel chrome circle compare data delta docs dot drive fast final \
         fire gap got here java lds like man map mobile next now office open origins phone pin ping prime prod read room safe save search \
         secure seek select shell smart song spot star tab talk target total windows xxx zero",
    ),
    (
        DOUBT,
        "ad as at car cat ci city claims cm community degree dev ge group gt host icu info is \
         lt market my ne network nr pe ph pk plus pro re shop sm social ss systems tk to tt tz work world",
    ),
    (DOUBT | APP, "app"),
    (DOUBT | IN, "in"),
    (DOUBT | LARGE, "be br ca it us"),
    (
        DOUBT | CHAIN,
        "center contact country domains download earth energy exchange game global graphics help \
         lat law link media movie music one page photo photos place safety services show space store support \
         team today tools top video weather zone",
    ),
    (DOUBT | SHORT, "me"),
    (DOUBT | FIELD, "bh bo lc mu"),
    (SHORT, "ai co gd io mp pr"),
    (
        COMMON,
        "au ch cloud club cn cz de dk es eu fi fr gr hr hu ie im jp kr lv nl no nz ro ru se si sk tv tw ua uk xyz",
    ),
];

pub(super) static ENDINGS: Lexicon<{ count(DOMAINS) }, { slots(DOMAINS) }> = Lexicon::new(DOMAINS);

/// An object or a module; hosts do not have this name.
pub(super) const OBJECT: LexiconKinds = 1;
/// An object, a module or a program; some hosts have this name.
pub(super) const CODE: LexiconKinds = 2;
/// First labels of settings and of settings files, and of many hosts.
pub(super) const PLACE: LexiconKinds = 4;
/// A name in reverse order begins with it: `org.freedesktop.Hal`, `comp.lang.perl`.
pub(super) const REVERSE: LexiconKinds = 8;
/// A name in reverse order begins with it, if the domain has three letters or more.
pub(super) const REVERSE_LONG: LexiconKinds = 16;
/// A section of settings or an object, and a label of many hosts. As the only label it precedes a member: `imap.host`,
/// `attr.show`.
pub(super) const SECTION: LexiconKinds = 32;
/// The second label of a newsgroup: `de.alt.x.computer`.
pub(super) const NEWS: LexiconKinds = 64;
/// Names of variables in all kinds of code, and of hardly any host. As the only label it precedes a member below all but
/// the most common domains: `address.country`.
pub(super) const VARIABLE: LexiconKinds = 128;

const FIRSTS: &[(LexiconKinds, &str)] = &[
    (
        OBJECT,
        "args argv asyncio builtins bytearray cgroup cls codecs copyright cpsr cpufreq cr0 cr4 \
         datetime dbm distutils div dr7 dtv elem errno fs gnumakefile hashlib imaplib importlib ioctl \
         javax kobj ld ldx logger makefile manifest mmap multiprocessing mutex mymodule nntplib \
         obj opts params pfd pickle pmscr pollfd poplib proc psr pstate ptr readme regs req resp \
         sched self span spsr stdin stdout str struct subprocess sys syscall this threading tkinter \
         tuple turtle typing uint8array unittest urllib userinfo util var vnd",
    ),
    (
        CODE,
        "action animal aquota array as autoconf blob buffer bytes cert changelog cl cluster \
         console contributors copying coreutils cpp curses cxx date dict document doxyfile dst \
         edge endpoint entry enum err error errors event f32 f64 find func fw gas gcc gdb github gitlab \
         gmp gnupg i32 i64 indent inspect interface item iter jquery kern kernel lcov libc libgomp \
         logging lxc match math memory method module moment mpfr msg node object operator opt option \
         options os param parser path perf pid pidfd pkg process quota qv rc reference request \
         requests response result script sed sendemail serviceuser setup setuptools socket spec \
         src standards stat stats string super syslog systemd tar test time tk tmp token uri url uuid \
         watch wget window worker x509 xml xorg yaml",
    ),
    (CODE | REVERSE_LONG, "gnu"),
    (
        PLACE,
        "add alias auth authpriv config core coverage cron daemon db dhcp dir email feed foo index init \
         install job load local0 local1 local2 local3 local4 local5 local6 local7 lpr mail master my \
         news sample server static user uucp version",
    ),
    (
        SECTION,
        "attr attrs bool fetch fields format ftp host http https imap instance ldap mysql owner pop3 smtp sql \
         submodule value values",
    ),
    (REVERSE, "com gmane java org"),
    (REVERSE | NEWS, "alt comp"),
    (NEWS | REVERSE_LONG, "humanities rec sci soc"),
    (NEWS, "misc talk"),
    (REVERSE_LONG, "io net"),
    (VARIABLE, include!("variables.in")),
];

pub(super) static FIRST_LABELS: Lexicon<{ count(FIRSTS) }, { slots(FIRSTS) }> =
    Lexicon::new(FIRSTS);

/// The extension of a file, before another one: `config.h.in`, `README.html.fr`.
pub(super) const MIDDLE: LexiconKinds = 1;
/// Countries have hosts below this second-level domain: `example.com.py`.
pub(super) const SECOND_LEVEL: LexiconKinds = 2;
/// Part of the name of a file before `in`: `postinst.in`.
pub(super) const TEMPLATE: LexiconKinds = 4;
/// `in`: `mkoctfile.in.cc`.
pub(super) const IN_FRONT_OF: LexiconKinds = 8;

const LASTS: &[(LexiconKinds, &str)] = &[
    (
        MIDDLE,
        "1 2 3 4 5 6 7 8 9 abi3 am awk bat bz2 c cc cfg cgi cmake conf config cpp css cxx def desktop \
         dll docs doxygen el exe exp f90 gz h hh hpp html java jpg js json links local log lua m4 \
         mak man manpages map md mdoc mk php pl plist pm png po pre properties prototype py rb rc rs \
         rst rules service sgml sh sin spec sql stdlib svg symbols templates texi tmpl toml tpl txt xml \
         yaml yml",
    ),
    (MIDDLE | TEMPLATE, "install pc postinst postrm preinst prerm"),
    (
        TEMPLATE,
        "copyright credits gunzip gzexe setup thanks version zcat zcmp zdiff zegrep zfgrep zforce \
         zgrep zless zmore znew",
    ),
    (TEMPLATE | IN_FRONT_OF, "in"),
    (SECOND_LEVEL, "ac co com coop edu gob gouv gov mil net org una"),
];

pub(super) static LAST_LABELS: Lexicon<{ count(LASTS) }, { slots(LASTS) }> = Lexicon::new(LASTS);

/// A file or a member that is listed with its complete name, whose last label is otherwise rather a domain.
pub(super) const KNOWN: LexiconKinds = 1;
/// A well-known host whose domain is the extension of a file.
pub(super) const HOST: LexiconKinds = 2;

const NAMES: &[(LexiconKinds, &str)] = &[
    (
        KNOWN,
        "acc.no approx.in art.nr avg.is bill.no build.gn changelog.org command.com config.in config.site configure.ac \
         configure.com configure.in contact.no contributing.org control.in debhelper.in dim.in do.it et.al fig.in \
         house.no issue.net java.io kto.nr later.no license.mit ltd.in mail.to main.cf makefile.am makefile.com \
         makefile.in manifest.in master.cf mob.no org.nr pers.nr ph.no plug.in potfiles.in read.me readme.org ref.no \
         reg.no roll.no rpc.in sr.no tel.no tel.nr temp.at testsuite.at tlf.nr to.do todo.org vol.is well.me",
    ),
    (
        HOST,
        "allegro.pl brew.sh bun.sh dict.cc docs.rs hex.pm hexdocs.pm notion.so onet.pl socket.io time.is wp.pl",
    ),
];

pub(super) static WHOLE_NAMES: Lexicon<{ count(NAMES) }, { slots(NAMES) }> = Lexicon::new(NAMES);

/// The first labels of those names, by a hash of length and first letter, so that most names need no search of the list.
static WHOLE_BEGINNINGS: [u64; 4] = {
    let (mut bits, mut list) = ([0; 4], 0);
    while list < NAMES.len() {
        let mut rest = NAMES[list].1.as_bytes();
        while !rest.is_empty() {
            let (name, behind) = rest.split_at(first_word(rest));
            let mut len = 0;
            while name[len] != b'.' {
                len += 1;
            }
            let at = beginning(len, name[0]);
            bits[at / 64] |= 1 << (at % 64);
            rest = match behind {
                [b' ', rest @ ..] => rest,
                _ => &[],
            };
        }
        list += 1;
    }
    bits
};

const fn beginning(len: usize, first: u8) -> usize {
    (len << 5 ^ (first & 31) as usize) & 255
}

/// Returns `true` if the label before the domain may be that of a name on the list.
#[inline]
pub(super) fn may_be_whole(label: &[u8]) -> bool {
    let at = beginning(label.len(), label.first().copied().unwrap_or_default());
    WHOLE_BEGINNINGS[at / 64] >> (at % 64) & 1 != 0
}

/// The extension of a source file: a doubtful name with the same labels nearby is a file too.
pub(super) const SOURCE: LexiconKinds = 1;
/// The extension of a source file, if a path precedes it.
pub(super) const SOURCE_IN_PATH: LexiconKinds = 2;

const SOURCES: &[(LexiconKinds, &str)] = &[
    (SOURCE, "ac am c cpp h hh hpp m4 pod py texi txt"),
    (SOURCE_IN_PATH, "at cc html in info js md sh"),
];

pub(super) static SOURCE_ENDINGS: Lexicon<{ count(SOURCES) }, { slots(SOURCES) }> =
    Lexicon::new(SOURCES);

const DIRECTORY_LIST: &[(LexiconKinds, &str)] = &[(
    1,
    "assets bin config contrib data debian doc docs etc examples fixtures images img include lib libs man notes \
     scripts share src static templates test tests tools usr var vendor",
)];

/// Directories that contain files.
pub(super) static DIRECTORIES: Lexicon<{ count(DIRECTORY_LIST) }, { slots(DIRECTORY_LIST) }> =
    Lexicon::new(DIRECTORY_LIST);

/// Domains that hosts in code have and members do not have.
pub(super) const OF_HOSTS: LexiconKinds = 1;
/// Domains of hosts in code with two labels or more before the domain.
pub(super) const OF_LONG_HOSTS: LexiconKinds = 2;
/// A word that is also the name of members, among those that count as domains in prose.
pub(super) const OF_MEMBERS: LexiconKinds = 4;

const CODE_LIST: &[(LexiconKinds, &str)] = &[
    (OF_HOSTS, "au cn cz de eu fr hu jp kr nl nz ru tw ua uk"),
    (OF_LONG_HOSTS, "ai app cloud co dev io page pl se sh us"),
    (OF_MEMBERS, "biz int mil net"),
];

/// Domains of hosts in source code.
pub(super) static CODE_ENDINGS: Lexicon<{ count(CODE_LIST) }, { slots(CODE_LIST) }> =
    Lexicon::new(CODE_LIST);

const NO_TLD_LIST: &[(LexiconKinds, &str)] = &[(
    1,
    "an bu corp cs dd example home internal invalid lan local localdomain localhost onion test tld tp um yu zr",
)];

/// Last labels of hosts that are not top-level domains: withdrawn ones, those of special use, those of local networks.
pub(super) static NO_TLDS: Lexicon<{ count(NO_TLD_LIST) }, { slots(NO_TLD_LIST) }> =
    Lexicon::new(NO_TLD_LIST);

/// A name of code follows it: `register ar.lc`.
pub(super) const IN_FRONT: LexiconKinds = 1;
/// It follows a name of code: `attr.show callback`.
pub(super) const BEHIND: LexiconKinds = 2;
/// A name of code follows it, whatever its last label: `argument bar.bg`.
pub(super) const SURE: LexiconKinds = 4;
/// Verbs with a template as their object: `Update ignore.in`.
pub(super) const EDITED: LexiconKinds = 8;

const NOUN_LIST: &[(LexiconKinds, &str)] = &[
    (
        IN_FRONT | BEHIND | SURE,
        "attribute callback file function macro method parameter struct variable",
    ),
    (IN_FRONT | BEHIND, "field module register"),
    (BEHIND, "namespace object property"),
    (
        IN_FRONT | SURE,
        "argument arguments filename files functions macros methods parameters variables",
    ),
    (
        IN_FRONT,
        "class fields member option options script setting target targets template templates",
    ),
    (EDITED, "cat edit edited emacs nano regenerate regenerated simplify update updated vi vim"),
];

/// Returns the words of a kind.
#[cfg(test)]
pub(super) fn nouns(kind: LexiconKinds) -> impl Iterator<Item = &'static str> {
    NOUN_LIST
        .iter()
        .filter(move |(kinds, _)| kinds & kind != 0)
        .flat_map(|(_, list)| list.split(' '))
}

pub(super) static NOUNS: Lexicon<{ count(NOUN_LIST) }, { slots(NOUN_LIST) }> =
    Lexicon::new(NOUN_LIST);

#[cfg(test)]
mod tests {
    use super::hashed::LONGEST;
    use super::*;

    fn holds<const N: usize, const SLOTS: usize>(
        lexicon: &Lexicon<N, SLOTS>,
        lists: &[(LexiconKinds, &str)],
    ) {
        for (kinds, list) in lists {
            for one in list.split(' ') {
                assert_eq!(lexicon.kinds(word(one.as_bytes())), *kinds, "{one}");
                assert_eq!(lexicon.kinds(word(one.to_uppercase().as_bytes())), *kinds, "{one}");
                assert_eq!(lexicon.kinds(word(format!("{one}~").as_bytes())), 0, "{one}");
            }
        }
        assert_eq!(lexicon.kinds(word(b"")), 0);
        assert_eq!(lexicon.kinds(word(b"longer-than-any-of-them")), 0);
    }

    #[test]
    fn every_word_is_found_in_any_case() {
        holds(&ENDINGS, DOMAINS);
        holds(&FIRST_LABELS, FIRSTS);
        holds(&LAST_LABELS, LASTS);
        holds(&WHOLE_NAMES, NAMES);
        holds(&SOURCE_ENDINGS, SOURCES);
        holds(&NOUNS, NOUN_LIST);
        holds(&DIRECTORIES, DIRECTORY_LIST);
        holds(&NO_TLDS, NO_TLD_LIST);
        holds(&CODE_ENDINGS, CODE_LIST);
    }

    #[test]
    fn words_of_all_lengths_and_bytes() {
        for byte in 0..=u8::MAX {
            for len in 0..=LONGEST + 1 {
                for at in 0..len {
                    let mut label: Vec<u8> = (0..len).map(|n| b"aZ-5"[n % 4]).collect();
                    label[at] = byte;
                    let each = |word, b: &u8| word << 8 | u128::from(b.to_ascii_lowercase());
                    let want = if len > LONGEST { 0 } else { label.iter().fold(0, each) };
                    assert_eq!(word(&label), want, "{label:?}");
                }
            }
        }
    }

    #[test]
    fn endings_are_domains() {
        for (_, list) in DOMAINS {
            for one in list.split(' ') {
                assert!(crate::tables::tld::is_tld(one), "{one}");
            }
        }
    }
}
