//! Names that only look like hosts: of files (`main.rs`, `libc-2.12.so`), and of members in code
//! (`os.name`, `threading.Thread.run`, `Color.RED`, `PSTATE.ZA`).
//!
//! Comes in: a host without a scheme whose last label is a top-level domain, as it is written. Goes
//! out: whether it is rather such a name; the caller asks only where no path and no query follows and
//! takes the answer back if one does. No table of real names decides: what speaks is the ending, the
//! way it is written and the shape of what stands before it. Which endings count was settled by
//! reading what was found in documentation, man pages and changelogs: without the rules four bare
//! hosts in five were none. `com`, `org`, `net` and their like never are refused.

/// The longest ending or first label that counts: `properties`.
const LONGEST: usize = 10;

/// The ending, in lower case, is that of a file's name far more often than a domain's when it stands
/// behind one label. Below a name of two labels (`get.example.sh`) it is a domain.
fn is_ending(lower: &[u8]) -> bool {
    match lower {
        b"cc" | b"cf" | b"la" | b"md" | b"mh" | b"mk" | b"ml" | b"mm" | b"mo" | b"mov" | b"pl"
        | b"pm" | b"properties" | b"ps" | b"py" | b"rs" | b"sh" | b"so" | b"st" | b"tf"
        | b"zip" => true,
        // The commonest member of an object; hosts below it have `co.id`, `go.id` and so on.
        b"id" => true,
        _ => false,
    }
}

/// The ending, in lower case, is a word of code (a method, a field, a module) or the ending of a file
/// far more often than a domain. Each of these was found so; domains that people do register by such
/// words (`group`, `host`, `support`, `top`) are left believed.
fn is_word(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"abc"
            | b"auto"
            | b"bar"
            | b"black"
            | b"blue"
            | b"bom"
            | b"cab"
            | b"cal"
            | b"call"
            | b"case"
            | b"circle"
            | b"click"
            | b"compare"
            | b"data"
            | b"date"
            | b"day"
            | b"direct"
            | b"directory"
            | b"discover"
            | b"dot"
            | b"drive"
            | b"fail"
            | b"final"
            | b"foo"
            | b"free"
            | b"got"
            | b"green"
            | b"here"
            | b"inc"
            | b"java"
            | b"lds"
            | b"man"
            | b"map"
            | b"menu"
            | b"name"
            | b"new"
            | b"next"
            | b"now"
            | b"open"
            | b"parts"
            | b"pid"
            | b"pin"
            | b"ping"
            | b"play"
            | b"post"
            | b"prod"
            | b"property"
            | b"pub"
            | b"radio"
            | b"read"
            | b"red"
            | b"rest"
            | b"run"
            | b"safe"
            | b"save"
            | b"search"
            | b"secure"
            | b"seek"
            | b"select"
            | b"shell"
            | b"star"
            | b"tab"
            | b"talk"
            | b"target"
            | b"total"
            | b"win"
            | b"windows"
            | b"xxx"
            | b"zero"
    )
}

/// The first label, in lower case, is an object or a module of a common language.
fn is_object(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"args"
            | b"argv"
            | b"asyncio"
            | b"builtins"
            | b"bytearray"
            | b"bytes"
            | b"cls"
            | b"codecs"
            | b"curses"
            | b"date"
            | b"datetime"
            | b"dict"
            | b"document"
            | b"elem"
            | b"enum"
            | b"errno"
            | b"event"
            | b"imaplib"
            | b"ioctl"
            | b"jquery"
            | b"logger"
            | b"logging"
            | b"nntplib"
            | b"obj"
            | b"object"
            | b"operator"
            | b"options"
            | b"opts"
            | b"os"
            | b"pickle"
            | b"poplib"
            | b"req"
            | b"resp"
            | b"self"
            | b"socket"
            | b"str"
            | b"struct"
            | b"subprocess"
            | b"super"
            | b"sys"
            | b"syscall"
            | b"test"
            | b"this"
            | b"threading"
            | b"tkinter"
            | b"token"
            | b"turtle"
            | b"typing"
            | b"uuid"
            | b"var"
            | b"window"
    )
}

/// Domains that nothing in code or among files is called by: always believed.
fn is_believed(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"arpa"
            | b"biz"
            | b"com"
            | b"coop"
            | b"edu"
            | b"gov"
            | b"mil"
            | b"museum"
            | b"net"
            | b"org"
    )
}

/// Domains of two letters below which names of one letter are in use: `t.me`, `x.ai`.
fn is_short(lower: &[u8]) -> bool {
    matches!(lower, b"ai" | b"co" | b"gd" | b"io" | b"me" | b"mp" | b"pr")
}

/// Whether `name.lower` is a file known by its whole name, whose ending is rather a domain elsewhere.
fn is_known_file(name: &[u8], lower: &[u8]) -> bool {
    let is = |file: &str| name.eq_ignore_ascii_case(file.as_bytes());
    // Templates: `config.h.in`, `Makefile.pre.in`.
    let is_template = || {
        let before = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
        before.len() < name.len()
            && matches!(
                before,
                b"c" | b"cfg"
                    | b"conf"
                    | b"h"
                    | b"man"
                    | b"pc"
                    | b"pre"
                    | b"py"
                    | b"sh"
                    | b"stdlib"
            )
    };
    match lower {
        b"in" => {
            is("configure")
                || is("makefile")
                || is("config")
                || is("manifest")
                || is("plug")
                || is_template()
        }
        b"ac" => is("configure"),
        b"am" => is("makefile"),
        b"site" => is("config"),
        b"al" => is("et"),
        _ => false,
    }
}

/// Whether a version number ends the name: `libc-2.12.so`, `python3.11.info`.
fn has_version(name: &[u8]) -> bool {
    let mut labels = name.rsplit(|&b| b == b'.');
    let last = labels.next().unwrap_or_default();
    let before = labels.next().and_then(<[u8]>::last);
    !last.is_empty()
        && last.iter().all(u8::is_ascii_digit)
        && before.is_some_and(u8::is_ascii_digit)
}

/// Whether the host is written as the member of something in code.
fn is_member(name: &[u8], ending: &[u8], lower: &[u8]) -> bool {
    let first = name.split(|&b| b == b'.').next().unwrap_or_default();
    let last = name.rsplit(|&b| b == b'.').next().unwrap_or_default();
    let is_alone = first.len() == name.len();
    let has_lower = name.iter().any(u8::is_ascii_lowercase);
    let mut word = [0; LONGEST];
    if fold(first, &mut word).is_some_and(is_object) {
        return true;
    }
    // Nobody can register it: `cgroup_events.at`.
    if last.contains(&b'_') {
        return true;
    }
    // `Color.RED`, `i.MX`, `Co.Ltd`; `BBC.CO.UK`, `EXAMPLE.DE` and `Example.COM` are hosts.
    if ending.iter().any(u8::is_ascii_uppercase) {
        let is_all_upper = !has_lower && ending.iter().all(u8::is_ascii_uppercase);
        return is_alone && !is_all_upper;
    }
    if is_alone {
        return first.len() == 1 && !is_short(lower);
    }
    has_capital_inside(name)
}

/// `threading.Thread.run`: hosts that are written with capitals begin with one.
fn has_capital_inside(name: &[u8]) -> bool {
    let first = name.split(|&b| b == b'.').next().unwrap_or_default();
    !first.iter().any(u8::is_ascii_uppercase) && name.iter().any(u8::is_ascii_uppercase)
}

/// The word in lower case, unless it is longer than any that counts.
fn fold<'b>(word: &[u8], buffer: &'b mut [u8; LONGEST]) -> Option<&'b [u8]> {
    let lower = buffer.get_mut(..word.len())?;
    for (to, from) in lower.iter_mut().zip(word) {
        *to = from.to_ascii_lowercase();
    }
    Some(lower)
}

/// Whether `name.ending`, whose last label is `ending`, is rather the name of a file or of a member
/// in code.
pub(crate) fn is_file_name(name: &[u8], ending: &[u8]) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = fold(ending, &mut lower) else { return false };
    let www = name.get(..4).unwrap_or(name);
    if is_believed(lower)
        || www.eq_ignore_ascii_case(b"www.")
        || www.eq_ignore_ascii_case(b"www")
        || !ending.iter().all(u8::is_ascii_alphabetic)
        || name.contains(&b'&')
    {
        return false;
    }
    let is_alone = !name.contains(&b'.');
    is_alone && is_ending(lower)
        || (is_alone || has_capital_inside(name)) && is_word(lower)
        || is_known_file(name, lower)
        || has_version(name) && (is_ending(lower) || lower == b"info")
        || is_member(name, ending, lower)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_file(host: &str) -> bool {
        let (name, ending) = host.rsplit_once('.').unwrap_or((host, ""));
        is_file_name(name.as_bytes(), ending.as_bytes())
    }

    #[test]
    fn files() {
        for host in [
            "main.RS",
            "Makefile.AM",
            "log4j.properties",
            "configure.in",
            "config.h.in",
            "MANIFEST.in",
            "libc-2.12.so",
            "python3.11.info",
            "vmlinux.lds",
            "id_rsa.pub",
        ] {
            assert!(is_file(host), "{host}");
        }
        for host in ["www.rs", "www.example.rs", "example.in", "get.example.sh", "example.info"] {
            assert!(!is_file(host), "{host}");
        }
    }

    #[test]
    fn members() {
        for host in [
            "os.name",
            "threading.Thread.run",
            "collections.abc",
            "Color.RED",
            "i.MX",
            "re.Match.re",
            "self.it",
            "drm_device.dev",
            "q.id",
            "s.dev",
        ] {
            assert!(is_file(host), "{host}");
        }
        for host in [
            "self.com",
            "LWN.net",
            "EXAMPLE.DE",
            "SAP.de",
            "example.group",
            "api.example.data",
            "RapidIO.org",
            "BBC.CO.UK",
            "CXL.io",
            "OpenRISC.io",
            "t.me",
            "example.dev",
            "crates.io",
            "bbc.co.uk",
            "a_b.com",
            "example.construction",
            "example.xn--p1ai",
        ] {
            assert!(!is_file(host), "{host}");
        }
    }
}
