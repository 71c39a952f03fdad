//! Links and rejected candidates as objects of Python: their texts are made when they are asked for.

use linksift::trust::{self, FindingDetail};
use linksift::{LinkKind, Severity, Transfer, Warnings};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyTuple};

use crate::border::guarded;
use crate::offsets::Characters;

/// What was found, detached from what it was found in.
pub(crate) type Judged = Result<linksift::Link<'static>, linksift::Rejected<'static>>;

/// A link or a rejected candidate, and where it is in units of Python.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    pub(crate) judged: Judged,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Of its line, if lines are counted.
    pub(crate) column: Option<u64>,
}

/// What a link and a rejected candidate both say.
macro_rules! either {
    ($judged:expr, $accessor:ident) => {
        match $judged {
            Ok(link) => link.$accessor(),
            Err(rejected) => rejected.$accessor(),
        }
    };
}
pub(crate) use either;

impl Found {
    /// Of bytes, where offsets stay as they are, or with the characters of a text in UTF-8.
    pub(crate) fn new(judged: Judged, text: Option<(&mut Characters, &[u8])>) -> Found {
        let range = either!(&judged, range);
        let position = either!(&judged, position);
        let (range, column) = match text {
            None => (range, position.map(|position| position.column)),
            Some((characters, bytes)) => {
                let first = range.start;
                let range = characters.range(bytes, range);
                let column = position.map(|at| characters.column(bytes, first, at.line, at.column));
                (range, column)
            }
        };
        Found { judged, start: range.start, end: range.end, column }
    }

    /// As an object of its class.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.judged {
            Ok(_) => Py::new(py, Link(self))?.into_any(),
            Err(_) => Py::new(py, Rejected(self))?.into_any(),
        })
    }

    fn line(&self) -> Option<u64> {
        either!(&self.judged, position).map(|position| position.line)
    }
}

/// One thing that deceives in a link.
#[pyclass(frozen, eq, hash, module = "linksift")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Finding {
    /// The code of the warning.
    #[pyo3(get)]
    warning: &'static str,
    /// How much it matters: `note`, `suspect` or `deceptive`.
    #[pyo3(get)]
    severity: &'static str,
    /// Where it begins, in characters of the link's `iri`.
    #[pyo3(get)]
    start: usize,
    /// Where it ends.
    #[pyo3(get)]
    end: usize,
    /// What is there: two scripts with a space between, a host, an address; `None`: the text itself.
    #[pyo3(get)]
    what: Option<String>,
}

impl Finding {
    /// What of a link deceives, with ranges in characters of its IRI.
    pub(crate) fn all(judged: &Result<linksift::Link<'_>, linksift::Rejected<'_>>) -> Vec<Finding> {
        let findings = either!(judged, findings);
        if findings.is_empty() {
            return Vec::new();
        }
        let iri = either!(judged, iri);
        findings.iter().map(|finding| Finding::new(finding, &iri)).collect()
    }

    fn new(finding: &trust::Finding, iri: &str) -> Finding {
        let range = finding.range();
        let what = match finding.what() {
            FindingDetail::Scripts(one, other) => Some(format!("{one} {other}")),
            FindingDetail::Host(host) => Some(host.to_string()),
            FindingDetail::Address(address) => Some(address.to_string()),
            _ => None,
        };
        let characters = |to: usize| iri.get(..to).map_or(0, |text| text.chars().count());
        Finding {
            warning: finding.warning().code(),
            severity: finding.warning().severity().as_str(),
            start: characters(range.start),
            end: characters(range.end),
            what,
        }
    }

    /// All that it has, in the order of the columns of `findings`.
    pub(crate) fn columns(&self) -> (&str, &str, usize, usize, Option<&str>) {
        (self.warning, self.severity, self.start, self.end, self.what.as_deref())
    }
}

#[pymethods]
impl Finding {
    fn __repr__(&self) -> String {
        let what = self.what.as_deref().map_or(String::new(), |what| format!(" {what:?}"));
        format!("<Finding {} {}..{}{what}>", self.warning, self.start, self.end)
    }
}

/// A link: valid by RFC 3987, with the URI that it maps to.
#[pyclass(frozen, eq, hash, module = "linksift")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Link(Found);

/// A candidate that is no link, and why.
#[pyclass(frozen, eq, hash, module = "linksift")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Rejected(Found);

/// A class with the attributes that links and rejected candidates have in common, and with its own.
macro_rules! class {
    ($Class:ident, |$one:ident: $Inner:ty| $inner:expr, { $($own:tt)* }) => {
        impl $Class {
            fn inner(&self) -> &$Inner {
                let $one = &self.0;
                match $inner {
                    Some(inner) => inner,
                    None => unreachable!("an object is made of what its class says"),
                }
            }
        }

        #[pymethods]
        impl $Class {
            /// Where it begins: characters of a `str`, stored bytes of bytes.
            #[getter]
            fn start(&self) -> usize {
                self.0.start
            }

            /// Where it ends: `source[start:end]` is the link as written.
            #[getter]
            fn end(&self) -> usize {
                self.0.end
            }

            /// As written: decoded, character references not resolved.
            #[getter]
            fn raw(&self) -> &str {
                self.inner().raw()
            }

            /// The IRI; of a rejected candidate: as far as it got.
            #[getter]
            fn iri(&self) -> PyResult<std::borrow::Cow<'_, str>> {
                guarded(|| self.inner().iri())
            }

            /// `iri`, `schemeless`, `email` or `reference`.
            #[getter]
            fn kind(&self) -> &'static str {
                LinkKind::as_str(self.inner().kind())
            }

            /// Where it stood: `text`, `a@href`, `header:list-unsubscribe` and so on.
            #[getter]
            fn context(&self) -> &str {
                self.inner().context()
            }

            /// What the input was decoded from: the WHATWG name in lower case.
            #[getter]
            fn charset(&self) -> &'static str {
                self.inner().charset()
            }

            /// The codes of what a reader should know.
            #[getter]
            fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                codes(py, self.inner().warnings())
            }

            /// What of it deceives: each of its warnings with its place.
            #[getter]
            fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, guarded(|| Finding::all(&self.0.judged))?)
            }

            /// The greatest severity of its warnings: `note`, `suspect` or `deceptive`.
            #[getter]
            fn severity(&self) -> Option<&'static str> {
                self.inner().severity().map(Severity::as_str)
            }

            /// The line that it begins in, from 1, with `positions=True`.
            #[getter]
            fn line(&self) -> Option<u64> {
                self.0.line()
            }

            /// Its place in that line, from 1: in characters of a `str`, in bytes of bytes.
            #[getter]
            fn column(&self) -> Option<u64> {
                self.0.column
            }

            /// The member of an archive that holds it, steps joined by `!`.
            #[getter]
            fn member(&self) -> Option<&str> {
                self.inner().member()
            }

            /// The bytes of that name, if they are not UTF-8.
            #[getter]
            fn member_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
                self.inner().member_bytes().map(|bytes| PyBytes::new(py, bytes))
            }

            /// The place in a mailbox or message, such as `12!1.2`.
            #[getter]
            fn part(&self) -> Option<&str> {
                self.inner().part()
            }

            /// The transfer encoding that its bytes are written in.
            #[getter]
            fn transfer(&self) -> Option<&'static str> {
                self.inner().transfer().map(Transfer::as_str)
            }

            /// The document's own IRI: the target of a WARC record, the Content-Location of a part.
            #[getter]
            fn source(&self) -> Option<&str> {
                self.inner().source()
            }

            /// The Message-ID of the message that holds it, without `<>`.
            #[getter]
            fn message_id(&self) -> Option<&str> {
                self.inner().message_id()
            }

            /// The host that the visible text names, where it is another one.
            #[getter]
            fn shown(&self) -> Option<&str> {
                self.inner().shown()
            }

            /// All that it has to say, by the names of the command's records, for JSON.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                record(py, &self.0)
            }

            $($own)*
        }
    };
}

class!(Link, |found: linksift::Link<'static>| found.judged.as_ref().ok(), {
    /// The URI that it maps to: ASCII, valid by RFC 3986.
    #[getter]
    fn uri(&self) -> PyResult<std::borrow::Cow<'_, str>> {
        guarded(|| self.inner().uri())
    }

    /// The host as in `uri`.
    #[getter]
    fn host(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.inner().host()
    }

    /// The form for people: each label of the host that deceives is in ASCII.
    #[getter]
    fn display(&self) -> PyResult<String> {
        guarded(|| self.inner().display())
    }

    fn __str__(&self) -> PyResult<std::borrow::Cow<'_, str>> {
        self.uri()
    }

    fn __repr__(&self) -> String {
        format!("<Link {}..{} {:?}>", self.0.start, self.0.end, self.inner().uri())
    }
});

class!(Rejected, |found: linksift::Rejected<'static>| found.judged.as_ref().err(), {
    /// Why it is no link: `host-invalid-idna`, `userinfo` and so on.
    #[getter]
    fn reason(&self) -> &'static str {
        self.inner().reason().code()
    }

    /// The rule that takes it for the name of a file or a member, if that is the reason; ids may change in any version.
    #[getter]
    fn rule(&self) -> Option<&'static str> {
        self.inner().rule()
    }

    fn __repr__(&self) -> String {
        let raw = self.inner().raw();
        format!("<Rejected {}..{} {} {raw:?}>", self.0.start, self.0.end, self.reason())
    }
});

fn codes<'py>(py: Python<'py>, warnings: Warnings) -> PyResult<Bound<'py, PyTuple>> {
    let codes: Vec<_> = warnings.iter().map(|warning| warning.code()).collect();
    PyTuple::new(py, codes)
}

/// The fields of the command's records that it has, in their order.
fn record<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let record = PyDict::new(py);
    let judged = &found.judged;
    let link = judged.as_ref().ok();
    let text = |name: &str, value: Option<&str>| match value {
        Some(value) => record.set_item(name, value),
        None => Ok(()),
    };
    text("member", either!(judged, member))?;
    text("part", either!(judged, part))?;
    text("transfer", either!(judged, transfer).map(Transfer::as_str))?;
    text("source", either!(judged, source))?;
    text("message_id", either!(judged, message_id))?;
    record.set_item("start", found.start)?;
    record.set_item("end", found.end)?;
    if let (Some(line), Some(column)) = (found.line(), found.column) {
        record.set_item("line", line)?;
        record.set_item("column", column)?;
    }
    text("kind", Some(either!(judged, kind).as_str()))?;
    text("context", Some(either!(judged, context)))?;
    text("charset", Some(either!(judged, charset)))?;
    text("raw", Some(either!(judged, raw)))?;
    text("iri", Some(&either!(judged, iri)))?;
    text("uri", link.map(|link| link.uri()).as_deref())?;
    text("host", link.and_then(|link| link.host()).as_deref())?;
    text("rejected", judged.as_ref().err().map(|rejected| rejected.reason().code()))?;
    let warnings = either!(judged, warnings);
    if !warnings.is_empty() {
        record.set_item("warnings", warnings.iter().map(|w| w.code()).collect::<Vec<_>>())?;
    }
    if let Some(shown) = either!(judged, shown) {
        record.set_item("shown", shown)?;
    }
    text("rule", judged.as_ref().err().and_then(|rejected| rejected.rule()))?;
    Ok(record)
}
