//! Which hosts are rather names of files or of members in code.
//!
//! A host is judged by its domain and the words in front of it, then by the way
//! it is written, then by what stands beside it. `com`, `www.` and the like are
//! never doubted, unless nobody can register it for its underscore.

use super::Twin;
use super::beside::*;
use super::host::labels;
use super::siblings;
use super::written::{self, Around};

/// Never doubted.
pub(super) const BELIEVED: &str = "arpa biz com coop edu gov mil museum net org";

/// Endings of files.
pub(super) const FILES: &str = "ac am bt cc cf coffee gb gp id la md mh mk ml mm mo mov ms pl pm properties ps py rs sc sd sh sl so st td \
     tf tm vc zip";
/// Those that are so after several labels too, unless the last of them is one
/// below which countries register.
pub(super) const FILES_ANYWHERE: &str = "md mm mov pm properties ps py tf zip";
pub(super) const SECOND_LEVEL: &str = "ac co com coop edu gob gouv gov mil net org una";

/// Words of code.
pub(super) const WORDS: &str = "actor audio bar bb black blue bot box build cab click codes date day diy direct directory \
     discover dog email events fail family fish fit foo free gmo gold green inc ing jobs menu mom name new \
     parts pay pics pid play post property pub radio red repair report rest run security storage \
     stream style watch win";
/// Words of code that nobody registers below.
pub(super) const CLOSED: &str = "abc able android author auto bom cal call case channel chrome circle compare data delta docs dot drive fast final fire \
     gap got here java lds like man map mobile next now office open origins phone pin ping prime prod read room safe save search secure seek \
     select shell smart song spot star tab talk target total windows xxx zero";
/// Domains, files and members alike.
pub(super) const DOUBTED: &str = "car center contact country earth energy exchange game graphics lat law market movie music photo photos \
     place plus weather world \
     city claims community degree domains global media one safety social space store team today video \
     ad app as at be br ca cat ci cm dev download ge group gt help host icu in info is \
     it link lt me my ne network nr page pe ph pk pro re services shop show sm ss support systems tk to \
     tools top tt tz us work zone bh bo lc mu";
/// Fields and registers are called so: names of code near them tell.
pub(super) const FIELDS: &str = "bh bo lc mu";

/// Names of one letter are in use there.
pub(super) const SHORT: &str = "ai co gd io me mp pr";

/// First labels that no host has.
pub(super) const OBJECTS: &str = "args argv asyncio builtins bytearray cgroup cls codecs copyright cpsr cpufreq cr0 cr4 \
     datetime dbm distutils div dr7 dtv elem errno fs gnumakefile hashlib imaplib importlib ioctl \
     javax kobj ld ldx logger makefile manifest mmap multiprocessing mutex mymodule nntplib obj \
     opts params pfd pickle pmscr pollfd poplib proc psr pstate ptr readme regs req resp sched \
     self span spsr stdin stdout str struct subprocess sys syscall this threading tkinter tuple turtle \
     typing uint8array unittest urllib userinfo util var vnd";
/// First labels of code, and of hosts below other domains than those above.
pub(super) const CODE: &str = "action animal aquota array as autoconf blob buffer bytes cert changelog cl cluster console \
     contributors copying coreutils cpp curses cxx date dict document doxyfile dst edge endpoint \
     entry enum err error errors event f32 f64 find func fw gas gcc gdb github gitlab gmp gnu gnupg i32 \
     i64 indent inspect interface item iter jquery kern kernel lcov libc libgomp logging lxc match \
     math memory method module moment mpfr msg node object operator opt option options os param \
     parser path perf pid pidfd pkg process quota qv rc reference request requests response \
     result script sed sendemail serviceuser setup setuptools socket spec src standards stat \
     stats string super syslog systemd tar test time tk tmp token uri url uuid watch wget window worker \
     x509 xml xorg yaml";
/// First labels of settings and objects, with nothing more in front of a member.
pub(super) const SECTIONS: &str = "attr attrs bool fetch fields format ftp host http https imap instance ldap mysql owner pop3 smtp sql submodule value values";
/// First labels of settings, before words of code and `app dev email info
/// services in`.
pub(super) const PLACES: &str = "add alias auth authpriv config core coverage cron daemon db dhcp dir email feed foo index init \
     install job load local0 local1 local2 local3 local4 local5 local6 local7 lpr mail master my news \
     sample server static user uucp version";
/// First labels of names written the other way round, and those that are so
/// only before a domain of three letters.
pub(super) const REVERSED: &str = "alt com comp gmane java org";
pub(super) const REVERSED_LONG: &str = "gnu humanities io net rec sci soc";

/// What variables are called, before all but the domains with the most hosts.
pub(super) const VARIABLES: &str = "acc actual addon addr address after ahead anchor arg argument arguments arr ascii assert ast attribute \
     attributes author authors backend binary binding bits block blocks body bound bounds boxed bucket buf bufs \
     builder byte cached callback callbacks candidate candidates categories cfg chain channel char chars child \
     children chunk chunks cipher classes cli client cmd collection collections column command commander \
     committer compiler component components compressed conf conn connection connector constants container \
     contents context controller copy count counter counts ctrl ctx cur current cursor data decoded decoder \
     defaults dep dependencies deps desc description deserializer dest destination dictionary digest digits \
     directory dirs doc domain duration elements elems emitter encoded encoder encoding entity entries env \
     escaped evt exc exception existing expect expected exports expr exprs ext extensions extra fallback feature \
     features field file filename filepath files filter flag flags float folder formatter found fragment frame \
     function generics handle handler handlers hash hasher hashes haystack header headers heap helper hex \
     hostname ident identity idx img indices input inputs int invalid items iterator itertools key keys keywords \
     kind kwargs label latlng layer layout len length level lexer lhs lifetime limit line lines listener \
     listeners literal loader locale location lookup lower mapping mask matched matches max members merged \
     message messages meta metadata metrics min names namespace needle nodes num number numbers objects observer \
     offset offsets orig origin original other outer output owned package padding pair pairs parameters parent \
     parsed part parts password pattern patterns payload pending plugin plugins point policy poll pos position \
     positions prefix prefixes prev previous probe prop properties props proto protocol prototype provider query \
     queue rand ranges reader reason receiver record records rect ref regex regexp registry remaining renderer \
     repr require res resolver rest results ret rhs root roots route router row rule rules runner runtime scheme \
     scope second secrets section seed segment segments sender seq sequence serializer settings sig signature \
     size slice slot slots sock source sources stack start state status stderr stream streams strings style sub \
     subject suffix sum symbol symbols table tag tags tail targets task tasks tempfile template text texts \
     texture threads timeout timer title tmpdir tokenizer tokens total transform transport tween type types upper \
     username utils val vals variant variants vars vec vector verifier versions visitor vnode waker warnings \
     words wrapper writer";
pub(super) const COMMON: &str = "au ch cloud club cn cz de dk es eu fi fr gr hr hu ie im jp kr lv nl no nz ro ru se si sk tv tw ua uk xyz";

/// Domains that are members after two words or more, beside the words of code.
pub(super) const CHAINS: &str = "center contact country domains download earth energy exchange game global graphics help \
     lat law link media movie music one page photo photos place safety services show space store support \
     team today tools top video weather zone";

/// What the second label of a newsgroup may be.
pub(super) const NEWS: &str = "alt comp humanities misc rec sci soc talk";
/// Domains that hosts in source code have, and such as they have with two labels in front.
pub(super) const OF_HOSTS: &str = "au cn cz de eu fr hu jp kr nl nz ru tw ua uk";
pub(super) const OF_LONG_HOSTS: &str = "ai app cloud co dev io page pl se sh us";

/// Endings of files in front of another.
pub(super) const MIDDLES: &str = "1 2 3 4 5 6 7 8 9 abi3 am awk bat bz2 c cc cfg cgi cmake conf config cpp css cxx def desktop dll \
     docs doxygen el exe exp f90 gz h hh hpp html install java jpg js json links local log lua m4 \
     mak man manpages map md mdoc mk pc php pl plist pm png po postinst postrm pre preinst prerm \
     properties prototype py rb rc rs rst rules service sgml sh sin spec sql stdlib svg symbols \
     templates texi tmpl toml tpl txt xml yaml yml";
/// What stands before `.in` in the name of a template, and how it ends.
pub(super) const TEMPLATES: &str = "copyright credits gunzip gzexe in install pc postinst postrm preinst prerm setup thanks version zcat \
     zcmp zdiff zegrep zfgrep zforce zgrep zless zmore znew";
const TEMPLATE_ENDS: &str = "-h -pc config -in -lang";

/// Files and members known by their whole name, and hosts known by theirs.
pub(super) const KNOWN: &str = "acc.no approx.in art.nr avg.is bill.no build.gn changelog.org command.com config.in config.site configure.ac \
     configure.com configure.in contact.no contributing.org control.in debhelper.in dim.in do.it et.al fig.in \
     house.no issue.net java.io kto.nr later.no license.mit ltd.in mail.to main.cf makefile.am makefile.com \
     makefile.in manifest.in master.cf mob.no org.nr pers.nr ph.no plug.in potfiles.in read.me readme.org ref.no \
     reg.no roll.no rpc.in sr.no tel.no tel.nr temp.at testsuite.at tlf.nr to.do todo.org vol.is well.me";
pub(super) const HOSTS: &str = "allegro.pl brew.sh bun.sh dict.cc docs.rs hex.pm hexdocs.pm notion.so onet.pl socket.io time.is wp.pl";

/// Countries with so many hosts that a tab before the line tells nothing.
pub(super) const LARGE: &str = "be br ca it us";
/// Directories in which there are files.
pub(super) const DIRECTORIES: &str = "assets bin config contrib data debian doc docs etc examples fixtures images img include \
     lib libs man notes scripts share src static templates test tests tools usr var vendor";

pub(super) fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word.to_ascii_lowercase())
}

fn upper(label: &str) -> bool {
    label.contains(|c: char| c.is_ascii_uppercase())
}

fn lower(label: &str) -> bool {
    label.contains(|c: char| c.is_ascii_lowercase())
}

fn number(label: &str) -> bool {
    label.chars().all(|c| c.is_ascii_digit())
}

/// How sure it is that a host is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// It is one wherever it stands.
    Trusted,
    Host,
    /// Unless a path or a query follows.
    Doubted,
    Certain,
}

/// The domain is a word of code, or the ending of a file.
pub(super) fn is_listed(ending: &str) -> bool {
    is_weak(ending)
}

/// Nothing in code or among files is called by this domain.
pub(super) fn is_believed(ending: &str) -> bool {
    has(BELIEVED, ending)
}

/// By its labels alone.
pub(super) fn judge(host: &str) -> Name {
    let all = labels(host);
    let [before @ .., ending] = all.as_slice() else { return Name::Trusted };
    let [first, ..] = before else { return Name::Trusted };
    if has(BELIEVED, ending) && before[before.len() - 1].contains('_') {
        return Name::Certain;
    }
    let framework = lower(first) || ["ADO", "ASP", "ML", "VB"].contains(first);
    let of_system = *ending == "Net" && *first == "System";
    if before.len() == 1 && (*ending == "NET" && framework || of_system) {
        return Name::Doubted;
    }
    let own = ["self", "this", "cls"].contains(first);
    if has(BELIEVED, ending) && own && before.len() == 1 && !ending.eq_ignore_ascii_case("com") {
        return Name::Doubted;
    }
    if has(BELIEVED, ending) && has(KNOWN, host) {
        return Name::Doubted;
    }
    let word = ending.starts_with(|c: char| c.is_ascii_uppercase())
        && !ending.chars().skip(1).any(|c| c.is_ascii_uppercase())
        && *ending != "Com";
    if has(BELIEVED, ending) && before.len() > 1 && word && is_module(before) {
        return Name::Doubted;
    }
    if has(BELIEVED, ending)
        || first.eq_ignore_ascii_case("www")
        || !ending.chars().all(|c| c.is_ascii_alphabetic())
        || has(HOSTS, host) && !(lower(host) && ending.chars().all(|c| c.is_ascii_uppercase()))
    {
        return Name::Trusted;
    }
    if has(KNOWN, host) || is_no_host(before, ending) {
        Name::Certain
    } else if is_file(before, ending) || is_member(before, ending) || is_written(before, ending) {
        Name::Doubted
    } else {
        Name::Host
    }
}

/// `Text.Pandoc.Writers.Org`, but not `Www.Example.Org` and `Example.Co.UK`.
fn is_module(before: &[&str]) -> bool {
    let all = before.iter().all(|label| {
        label.starts_with(|c: char| c.is_ascii_uppercase())
            && (lower(label) || label.len() == 1)
            && label.chars().all(|c| c.is_ascii_alphanumeric())
    });
    all && !before[0].eq_ignore_ascii_case("www") && !has(SECOND_LEVEL, before[before.len() - 1])
}

fn is_word(ending: &str) -> bool {
    has(WORDS, ending) || has(CLOSED, ending)
}

/// It takes more than to stand there.
fn is_weak(ending: &str) -> bool {
    [FILES, WORDS, CLOSED, DOUBTED].iter().any(|list| has(list, ending))
}

/// Nobody can register it, or it is a template.
fn is_no_host(before: &[&str], ending: &str) -> bool {
    let last = before[before.len() - 1].to_ascii_lowercase();
    let template = has(TEMPLATES, &last)
        || TEMPLATE_ENDS.split_ascii_whitespace().any(|end| last.ends_with(end));
    has(CLOSED, ending) || last.contains('_') || ending.eq_ignore_ascii_case("in") && template
}

/// A file by its ending, or by the ending in front of it.
fn is_file(before: &[&str], ending: &str) -> bool {
    let last = before[before.len() - 1];
    if before.len() == 1 {
        // `incr06.at`: numbered with a zero in front.
        let mut back = last.chars().rev();
        let numbered = back.next().is_some_and(|c| c.is_ascii_digit())
            && back.next() == Some('0')
            && back.next().is_some_and(|c| c.is_ascii_alphabetic());
        // `99-default.link`: numbered in front.
        let ordered =
            last.chars().take(2).all(|c| c.is_ascii_digit()) && last.chars().nth(2) == Some('-');
        return has(FILES, ending)
            || is_word(ending)
            || has(DOUBTED, ending) && ordered
            || has(DOUBTED, ending) && numbered
            || ending.eq_ignore_ascii_case("app") && upper(last);
    }
    let version = number(last) && before[before.len() - 2].ends_with(|c: char| c.is_ascii_digit());
    let library = before[0].starts_with("lib") || before[0].starts_with("ld-");
    has(MIDDLES, last)
        || ending.eq_ignore_ascii_case("in") && before[1..].iter().any(|label| has(MIDDLES, label))
        || has(FILES_ANYWHERE, ending) && !has(SECOND_LEVEL, last)
        || has(FILES, ending) && last.eq_ignore_ascii_case("in")
        || version && is_weak(ending)
        || ending.eq_ignore_ascii_case("so") && library
}

/// A member by the object or the module in front.
fn is_member(before: &[&str], ending: &str) -> bool {
    let first = before[0];
    let alone = before.len() == 1;
    let weak = is_weak(ending);
    let long = ending.len() > 2;
    // `comp.example.ac.nz`
    if !alone && ending.len() == 2 && has(SECOND_LEVEL, before[before.len() - 1]) {
        return false;
    }
    let listed = [OBJECTS, CODE, PLACES, REVERSED, REVERSED_LONG, SECTIONS, NEWS, VARIABLES];
    if alone && !listed.iter().any(|list| has(list, first)) {
        let bare = first.trim_end_matches(|c: char| c.is_ascii_digit());
        return weak && [OBJECTS, CODE, VARIABLES].iter().any(|list| has(list, bare));
    }
    let variable = has(VARIABLES, first);
    let common = has(COMMON, ending) || has(SHORT, ending);
    if variable && alone && (weak || !common) {
        return true;
    }
    // `file.owner.id`, `k.image.id`
    if (variable || first.len() == 1) && ending.eq_ignore_ascii_case("id") {
        return true;
    }
    // `w.e.gl`
    let single = before.iter().all(|label| label.len() == 1);
    if !alone && single && !long && !common {
        return true;
    }
    let newsgroup = before.len() > 1 && first.len() == 2 && has(NEWS, before[1]);
    newsgroup
        || has(OBJECTS, first)
        || has(SECTIONS, first) && alone && weak
        || has(CODE, first) && weak
        || has(PLACES, first)
            && (is_word(ending)
                || has(DOUBTED, ending) && long
                || ending.eq_ignore_ascii_case("in"))
        || before.len() > 1 && (has(REVERSED, first) || has(REVERSED_LONG, first) && long)
}

/// By the way it is written.
fn is_written(before: &[&str], ending: &str) -> bool {
    let first = before[0];
    let alone = before.len() == 1;
    let two_letters = |l: &str| l.len() == 2 && l.chars().all(|c| c.is_ascii_alphabetic());
    let pairs = before.len() >= 3 && ending.len() == 2 && before.iter().all(|l| two_letters(l));
    let leading = before.iter().take_while(|label| number(label)).count();
    let customer = leading >= 4 && before.len() > leading;
    let numbers = before.len() >= 2 && number(before[0]) && number(before[1]) && !customer;
    let version = before.len() >= 2
        && before[0].strip_prefix(['v', 'V']).is_some_and(number)
        && before[1..].iter().all(|label| number(label));
    let underscore = before.iter().any(|l| l.contains('_'));
    if underscore && (is_word(ending) || has(FILES, ending)) || pairs || numbers || version {
        return true;
    }
    // `resource.class.name`
    let plain = |l: &&str| l.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if before.len() > 1 && (is_word(ending) || has(CHAINS, ending)) && before.iter().all(plain) {
        return true;
    }
    let long = ending.len() > 2;
    let hump = first
        .as_bytes()
        .windows(2)
        .any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    if alone && hump && has(FIELDS, ending) {
        return true;
    }
    let letters = |l: &&str| l.chars().all(|c| c.is_ascii_alphabetic());
    let common = has(COMMON, ending) || has(SHORT, ending);
    let reversed = first.len() == 2 && !has(COMMON, ending);
    if before.len() >= 4 && (!common && long || reversed) && before.iter().all(letters) {
        return true;
    }
    let camel = upper(first) && first.starts_with(|c: char| c.is_ascii_lowercase());
    if camel && (ending.len() > 2 || has(DOUBTED, ending)) {
        return true;
    }
    // `Name.Variable.Global`, `GLib.Status.FOO`
    if upper(ending) && ending.len() > 2 && before.iter().any(|l| lower(l)) {
        return true;
    }
    if upper(ending) {
        if !lower(ending) && alone && first.len() == 1 {
            return !has(SHORT, ending);
        }
        if !lower(ending) {
            let lower_case = !before.iter().any(|l| upper(l));
            let lower_too = before.iter().any(|l| lower(l));
            let upper_alone = !before.iter().any(|l| l.chars().all(|c| c.is_ascii_uppercase()));
            return lower_case
                || lower_too && (alone || is_module(before) || is_weak(ending) && upper_alone);
        }
        return alone || is_module(before) || before.iter().all(|l| l.len() == 1);
    }
    if alone {
        return first.len() == 1 && !has(SHORT, ending);
    }
    let behind = before[1..].iter().any(|l| upper(l));
    behind && (!upper(first) || is_word(ending))
}

/// Bytes in front that are looked at.
const BEFORE: usize = 32;

impl Twin<'_> {
    /// By its labels, and else by what stands beside it.
    pub(super) fn name(&self, start: usize, end: usize) -> Name {
        let after_scheme = start >= 5
            && "file:".chars().enumerate().all(|(n, c)| self.written(start - 5 + n) == Some(c));
        if self.is_in_folder(start) || after_scheme {
            return Name::Certain;
        }
        let host = self.string(start, end);
        let name = judge(&host);
        let name = match name {
            Name::Host if self.is_beside_code(start, end, &host) => Name::Doubted,
            Name::Trusted if self.is_member_by_marks(start, end, &host) => Name::Doubted,
            Name::Trusted if self.is_file_or_module(start, end, &host) => Name::Certain,
            name => name,
        };
        match name {
            Name::Doubted if self.is_named(start, end, &host) => Name::Host,
            Name::Host | Name::Trusted
                if self.settings.code && self.prose() && !self.is_host_in_code(&host, end) =>
            {
                Name::Doubted
            }
            name => name,
        }
    }

    /// The line up to `start`, as far as it is looked at.
    fn line_before(&self, start: usize) -> String {
        let mut from = start;
        let mut bytes = 0;
        while let Some(c) = self.before(from).filter(|c| *c != '\n') {
            bytes += c.len_utf8();
            if bytes > BEFORE {
                break;
            }
            from -= 1;
        }
        self.string(from, start)
    }

    /// A link with a scheme beside it has this host, or a mail server tells of it.
    fn is_named(&self, start: usize, end: usize, host: &str) -> bool {
        let (line, behind) = (self.line_before(start), self.line_behind(end));
        let host = host.to_ascii_lowercase();
        let linked = [&line, &behind].iter().any(|text| {
            text.to_ascii_lowercase().split("://").skip(1).any(|rest| {
                let rest = rest.strip_prefix("www.").unwrap_or(rest);
                rest.strip_prefix(&host).is_some_and(|rest| {
                    !rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "-.@_".contains(c))
                })
            })
        });
        let front = line.to_ascii_lowercase();
        let received = ["from ", "by ", "helo="].iter().any(|word| front.ends_with(word));
        let server =
            behind.starts_with(" (") && !behind.contains("://") && behind.contains(['[', '.'])
                || [" with SMTP", " with ESMTP", " with HTTP", " with LMTP", " (Postfix"]
                    .iter()
                    .any(|word| behind.starts_with(word));
        let relay = front.ends_with('(')
            && behind
                .strip_prefix(" [")
                .is_some_and(|a| a.starts_with(|c: char| c.is_ascii_digit()));
        linked || received && server || relay
    }

    /// In source code a host has `www`, a domain of hosts, or a country's second level, and neither an object in
    /// front nor an operator after.
    fn is_host_in_code(&self, host: &str, end: usize) -> bool {
        let all = labels(host);
        let [first, .., ending] = all.as_slice() else { return true };
        let (count, capital) = (all.len() - 1, upper(host));
        if first.eq_ignore_ascii_case("www") {
            return true;
        }
        let member = match count {
            1 => {
                has(OBJECTS, first)
                    || [CODE, SECTIONS, REVERSED].iter().any(|list| has(list, first))
                        && has("net int biz mil", ending)
            }
            _ => has(OBJECTS, first) || has(REVERSED, first),
        };
        if member && !ending.eq_ignore_ascii_case("com")
            || count > 1 && has(REVERSED, first)
            || self.is_before_operator("", end)
            || self.at(end) == Some('[')
        {
            return false;
        }
        let second = count > 1 && ending.len() == 2 && has(SECOND_LEVEL, all[count - 1]);
        has(BELIEVED, ending)
            || second
            || !capital && has(OF_HOSTS, ending) && first.len() > 1
            || !capital && count > 1 && has(OF_LONG_HOSTS, ending)
            || !ending.chars().all(|c| c.is_ascii_alphabetic())
    }

    /// What follows a doubted name is an arity or a divisor, or in code whatever no path begins with.
    pub(super) fn is_no_path(&self, tail: &str) -> bool {
        let code = self.settings.code && self.prose();
        match tail.strip_prefix('/') {
            Some(rest) if !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()) => true,
            Some(rest) => {
                code && rest.chars().next().is_none_or(|c| !c.is_ascii_alphanumeric() && c != '_')
            }
            None => code,
        }
    }

    /// `if (!entry.org`, `entry.net[name]`
    fn is_member_by_marks(&self, start: usize, end: usize, host: &str) -> bool {
        let all = labels(host);
        let [_, ending] = all.as_slice() else { return false };
        let letter = self.at(end + 1).is_some_and(|c| c.is_ascii_alphabetic());
        is_believed(ending)
            && !ending.eq_ignore_ascii_case("com")
            && (start >= 2 && self.is(start - 2, "(!") || self.at(end) == Some('[') && letter)
    }

    /// Below a domain that is never doubted: a file by its path, a module that is imported.
    fn is_file_or_module(&self, start: usize, end: usize, host: &str) -> bool {
        let ending = labels(host).pop().unwrap_or_default().to_owned();
        let (before, from) = self.text_before(start);
        let (behind, ends) = self.rest_of_line(end);
        let front = before.rsplit('\n').next().unwrap_or_default();
        let begins = front.len() < BEFORE;
        let around = Around { front, begins, behind: &behind, ends, weak: false };
        let module = before.ends_with("from ") && around.is_imported();
        let whole = from == 0 && before.len() < BEFORE;
        let two = labels(host).len() == 2;
        let org = two && ending.eq_ignore_ascii_case("org") && written::is_source(&before);
        is_believed(&ending) && (module || org || written::is_folder(&before, whole))
    }

    /// What is in front as far as it is looked at, and where that begins.
    /// The same as it is stored: of a reference no more than its marks.
    pub(super) fn stored_before(&self, start: usize) -> (String, usize) {
        let mut from = start;
        while from > 0 {
            let (first, end) = self.text.stored(from - 1, start);
            if end - first > BEFORE {
                break;
            }
            from -= 1;
        }
        let piece = |i: usize| match self.written(i) {
            Some(c) => c.to_string(),
            None if self.at(i) == Some('\u{FFFD}') => "\u{FFFD}".to_owned(),
            None => "&#;".to_owned(),
        };
        ((from..start).map(piece).collect(), from)
    }

    pub(super) fn text_before(&self, start: usize) -> (String, usize) {
        let mut from = start;
        let mut bytes = 0;
        while let Some(c) = self.before(from) {
            bytes += c.len_utf8();
            if bytes > BEFORE {
                break;
            }
            from -= 1;
        }
        (self.string(from, start), from)
    }

    /// What is after on the line as far as it is looked at, and whether the line ends with it.
    fn rest_of_line(&self, end: usize) -> (String, bool) {
        let behind = self.line_behind(end);
        let ends = behind.len() < BEFORE && self.at(end + behind.len()).is_none_or(|c| c == '\n');
        match behind.strip_suffix('\r') {
            Some(line) if ends => (line.to_owned(), ends),
            _ => (behind, ends),
        }
    }

    fn is_beside_code(&self, start: usize, end: usize, host: &str) -> bool {
        let (before, from) = self.text_before(start);
        let ending = labels(host).pop().unwrap_or_default().to_owned();
        if self.is_after_operator(&before)
            || self.is_before_operator(&before, end)
            || self.key_goes_on(end, &ending)
        {
            return true;
        }
        let (behind, ends) = self.rest_of_line(end);
        let mut lines = before.rsplit('\n');
        let line = lines.next().unwrap_or_default();
        let previous = before[..before.len() - line.len()].strip_suffix('\n').unwrap_or_default();
        let whole = from == 0 || line.len() < before.len();
        let bullet = line.trim_ascii();
        let spaced = bullet.is_empty()
            || matches!(bullet, "*" | "+" | "-") && line.ends_with([' ', '\t', '\r']);
        let first = whole && spaced;
        let weak = is_weak(&ending);
        let at_begin = from == 0 || line.len() < BEFORE;
        let country = !weak && ending.len() == 2 && !has(SHORT, &ending);
        let begins = line.len() < BEFORE;
        let around = Around { front: line, begins, behind: &behind, ends, weak };
        if behind.starts_with("()")
            || around.is_code(country)
            || is_called_so(line, &behind, weak)
            || includes(line)
            || is_in_path(&before)
            || first && line.starts_with("\t*") && is_entry(&behind, line.contains('*'))
            || siblings::beside(host, line, &behind, at_begin)
        {
            return true;
        }
        if !weak {
            let is_inner = |c: char| c.is_ascii_alphanumeric();
            return before.strip_suffix('/').is_some_and(|path| {
                let name = path.rsplit(|c| !is_inner(c)).next().unwrap_or_default();
                has(DIRECTORIES, name)
            });
        }
        if before.ends_with('/') {
            return !before.ends_with("//");
        }
        if before.ends_with('{') || before.ends_with(">>> ") {
            return true;
        }
        let alone = labels(host).len() == 2;
        let literal = alone && !has(LARGE, &ending) && before.ends_with("``");
        let quoted = before.ends_with('`')
            && (behind.starts_with('\'')
                || behind.starts_with('`') && is_word(&ending)
                || behind.starts_with("``") && literal);
        let changelog = line.starts_with("\t*")
            || line.starts_with("\t(")
            || line.starts_with('\t')
                && !bullet.is_empty()
                && has(DOUBTED, &ending)
                && !has(LARGE, &ending)
                && alone;
        quoted
            || behind.starts_with(['(', '[']) && !has(DOUBTED, &ending)
            || names_source(line)
            || bullet.is_empty() && previous.ends_with(',') && names_source(previous)
            || behind.starts_with(", ") && names_source(&behind)
            || whole && changelog
            || (first || line.ends_with(": ")) && is_entry(&behind, line.contains('*'))
            || is_position(&before, &behind)
            || is_in_diffstat(&behind)
            || alone && host.ends_with(".in") && has(EDITED, word_in_front(line))
            || alone
                && host.ends_with(".in")
                && line.strip_suffix(' ').is_some_and(|front| {
                    matches!(
                        front.split_ascii_whitespace().next_back(),
                        Some("-r" | "--requirement")
                    )
                })
            || has(FIELDS, &ending) && (has_identifier(line) || has_identifier(&behind))
    }

    /// What follows on the line, as far as it is looked at.
    fn line_behind(&self, end: usize) -> String {
        let mut line: String = (end..)
            .map_while(|i| self.at(i))
            .take_while(|&c| c != '\n' && c.is_ascii())
            .take(BEFORE)
            .collect();
        if self.at(end + BEFORE).is_some_and(|c| c.is_ascii_alphanumeric()) && line.len() == BEFORE
        {
            line.truncate(line.trim_end_matches(|c: char| c.is_ascii_alphanumeric()).len());
        }
        line
    }

    /// Another name stands after the slash: an ending of a source, another of the same object, another
    /// file with this ending, a function.
    pub(super) fn is_other_name(&self, host: &str, tail: &str) -> bool {
        let Some(name) = tail.strip_prefix('/') else { return false };
        let all = labels(host);
        let object = format!("{}.", all[0]);
        let more = name.starts_with(&object) && name.len() > object.len();
        let ending = all[all.len() - 1];
        let alike = all.len() == 2
            && (has(FILES, ending) || has(DOUBTED, ending))
            && !ending.eq_ignore_ascii_case("sh")
            && !name.contains('/')
            && name.rsplit('.').next().is_some_and(|end| end.eq_ignore_ascii_case(ending));
        has(SOURCES, name.strip_prefix('.').unwrap_or(name))
            || name.ends_with("()")
            || ending.eq_ignore_ascii_case("app") && name.starts_with("Contents")
            || more
            || alike
    }

    /// `a->b.c`, `&a.b`, `:attr:`…
    fn is_after_operator(&self, before: &str) -> bool {
        if let Some(object) = before.strip_suffix("->") {
            return object.ends_with(|c: char| c.is_ascii_alphanumeric() || "_)]".contains(c));
        }
        if let Some(role) = before.strip_suffix(":`") {
            let word = role.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
            return word.len() < role.len() && word.ends_with(':');
        }
        // `*View*title.top`
        let front = before.strip_suffix('*').unwrap_or_default();
        if front.ends_with(|c: char| c.is_ascii_alphanumeric()) {
            return true;
        }
        let mark = before.ends_with(['~', '&', '#', '$', '^']) && !before.ends_with("~~");
        mark || ["::", ":: ", "\\f("].iter().any(|end| before.ends_with(end))
    }

    /// More of a key or a pattern directly after it.
    fn key_goes_on(&self, end: usize, ending: &str) -> bool {
        let letter = |i: usize| self.at(i).is_some_and(|c| c.is_ascii_alphanumeric());
        if self.is(end, "..") || self.is(end, "\\-") {
            return letter(end + 2);
        }
        let patterns = [".<", ".*", ".{", ".$", ".%", ".+", "._"];
        let keys = ["[\"", "['", "[{", "[$"];
        let index = self.at(end) == Some('[') && letter(end + 1);
        let number = self.at(end + 1).is_some_and(|c| c.is_ascii_digit());
        // `entry.as:type=a`, `entry = a.services.bz:Service`
        let property = self.written(end) == Some(':')
            && !has(COMMON, ending)
            && self.at(end + 1).is_some_and(|c| c.is_ascii_alphabetic());
        property
            || self.at(end) == Some('$') && !has(COMMON, ending)
            || patterns.iter().any(|one| self.is(end, one))
            || !has(COMMON, ending) && keys.iter().any(|one| self.is(end, one))
            || is_weak(ending) && index && !number
    }

    /// `a.b = c`, `a.b->c`, `a.b_`…
    fn is_before_operator(&self, before: &str, end: usize) -> bool {
        if self.at(end) == Some('_') {
            return !before.ends_with('_');
        }
        if self.is(end, "->") || self.is(end, "++") {
            return true;
        }
        let mut at = end;
        while at < end + 24 && matches!(self.at(at), Some(' ' | '\t')) {
            at += 1;
        }
        if matches!(self.at(at), Some('-' | '+' | '|' | '&' | '*' | '!' | '~' | '>')) {
            at += 1;
        }
        self.at(at) == Some('=') && self.at(at + 1) != Some('>')
    }
}
