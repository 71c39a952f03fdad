//! Links and rejected candidates as objects of Python: their texts are made when they are asked for.

use linksift::report::{Field, Record};
use linksift::trust::{self, FindingDetail};
use linksift::{Candidate, LinkKind, Severity, Transfer, Warnings};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::border::guarded;
use crate::docs::documentation;
use crate::offsets::Characters;

/// A link or a rejected candidate, and where it is in units of Python.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Found {
    pub(crate) judged: Candidate<'static>,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// A part of a `str` with halves of surrogate pairs, as it is there: a rejected candidate may have some.
    surrogates: Option<Box<[u8]>>,
    /// Of its line, if lines are counted.
    pub(crate) column: Option<u64>,
}

/// What a link and a rejected candidate both say.
macro_rules! either {
    ($judged:expr, $accessor:ident) => {
        match $judged {
            linksift::Candidate::Link(link) => link.$accessor(),
            linksift::Candidate::Rejected(rejected) => rejected.$accessor(),
        }
    };
}
pub(crate) use either;

impl Found {
    /// Of bytes, where offsets stay as they are, or with the characters of a text in UTF-8, whose columns may be of another unit.
    pub(crate) fn new(
        judged: Candidate<'static>,
        text: Option<(&mut Characters, &[u8])>,
        has_columns: bool,
    ) -> Found {
        let range = either!(&judged, range);
        let position = either!(&judged, position);
        let mut surrogates = None;
        let (range, column) = match text {
            None => (range, position.map(|position| position.column)),
            Some((characters, bytes)) => {
                let (first, stored) = (range.start, &bytes[range.clone()]);
                let is_lossy = |raw: &str| {
                    std::str::from_utf8(stored).is_err() && String::from_utf8_lossy(stored) == raw
                };
                if is_lossy(either!(&judged, raw)) {
                    surrogates = Some(stored.into());
                }
                let range = characters.range(bytes, range);
                let column = position.map(|at| match has_columns {
                    true => at.column,
                    false => characters.column(bytes, first, at.line, at.column),
                });
                (range, column)
            }
        };
        Found { judged, start: range.start, end: range.end, surrogates, column }
    }

    /// As an object of its class.
    pub(crate) fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self.judged {
            Candidate::Link(_) => Py::new(py, Link(self))?.into_any(),
            Candidate::Rejected(_) => Py::new(py, Rejected(self))?.into_any(),
        })
    }

    fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
        let Some(bytes) = &self.surrogates else {
            return Ok(PyString::new(py, either!(&self.judged, raw)));
        };
        let text = PyBytes::new(py, bytes).call_method1("decode", ("utf-8", "surrogatepass"))?;
        Ok(text.cast_into()?)
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
    /// One English sentence for the person who reads the link; the code is the key for translations.
    #[pyo3(get)]
    sentence: &'static str,
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
    pub(crate) fn all(judged: &Candidate<'_>) -> Vec<Finding> {
        let findings = either!(judged, findings);
        if findings.is_empty() {
            return Vec::new();
        }
        let iri = either!(judged, iri);
        findings.iter().map(|finding| Finding::new(finding, &iri)).collect()
    }

    fn new(finding: &trust::Finding, iri: &str) -> Finding {
        let range = finding.range();
        let what = match finding.detail() {
            FindingDetail::Scripts(one, other) => Some(format!("{one} {other}")),
            FindingDetail::Host(host) => Some(host.to_string()),
            FindingDetail::Address(address) => Some(address.to_string()),
            _ => None,
        };
        let characters = |to: usize| iri.get(..to).map_or(0, |text| text.chars().count());
        Finding {
            warning: finding.warning().as_str(),
            severity: finding.severity().as_str(),
            sentence: finding.warning().sentence(),
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

            #[doc = documentation!(raw)]
            #[getter]
            fn raw<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyString>> {
                self.0.raw(py)
            }

            #[doc = documentation!(iri)]
            #[getter]
            fn iri(&self) -> PyResult<std::borrow::Cow<'_, str>> {
                guarded(|| self.inner().iri())
            }

            /// `iri`, `schemeless`, `email` or `reference`.
            #[getter]
            fn kind(&self) -> &'static str {
                LinkKind::as_str(self.inner().kind())
            }

            #[doc = documentation!(context)]
            #[getter]
            fn context(&self) -> &str {
                self.inner().context().as_str()
            }

            #[doc = documentation!(charset)]
            #[getter]
            fn charset(&self) -> &'static str {
                self.inner().charset().as_str()
            }

            #[doc = documentation!(warnings)]
            #[getter]
            fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                codes(py, self.inner().warnings())
            }

            #[doc = documentation!(findings)]
            #[getter]
            fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
                PyTuple::new(py, guarded(|| Finding::all(&self.0.judged))?)
            }

            #[doc = documentation!(severity)]
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

            #[doc = documentation!(member)]
            #[getter]
            fn member(&self) -> Option<&str> {
                self.inner().member()
            }

            #[doc = documentation!(member_bytes)]
            #[getter]
            fn member_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
                self.inner().member_bytes().map(|bytes| PyBytes::new(py, bytes))
            }

            #[doc = documentation!(part)]
            #[getter]
            fn part(&self) -> Option<&str> {
                self.inner().part()
            }

            #[doc = documentation!(transfer)]
            #[getter]
            fn transfer(&self) -> Option<&'static str> {
                self.inner().transfer().map(Transfer::as_str)
            }

            #[doc = documentation!(source)]
            #[getter]
            fn source(&self) -> Option<&str> {
                self.inner().source()
            }

            #[doc = documentation!(message_id)]
            #[getter]
            fn message_id(&self) -> Option<&str> {
                self.inner().message_id()
            }

            #[doc = documentation!(page)]
            #[getter]
            fn page(&self) -> Option<u64> {
                self.inner().page()
            }

            #[doc = documentation!(object)]
            #[getter]
            fn object(&self) -> Option<&str> {
                self.inner().object()
            }

            #[doc = documentation!(shown)]
            #[getter]
            fn shown(&self) -> Option<&str> {
                self.inner().text_host()
            }

            #[doc = documentation!(is_code)]
            #[getter]
            fn is_code(&self) -> bool {
                self.inner().is_code()
            }

            /// All that it has to say, by the names of the command's records, for JSON.
            fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
                record(py, &self.0)
            }

            $($own)*
        }
    };
}

class!(Link, |found: linksift::Link<'static>| found.judged.link(), {
    #[doc = documentation!(uri)]
    #[getter]
    fn uri(&self) -> PyResult<std::borrow::Cow<'_, str>> {
        guarded(|| self.inner().uri())
    }

    #[doc = documentation!(host)]
    #[getter]
    fn host(&self) -> Option<std::borrow::Cow<'_, str>> {
        self.inner().host()
    }

    #[doc = documentation!(display)]
    #[getter]
    fn display(&self) -> PyResult<String> {
        guarded(|| self.inner().display())
    }

    #[doc = documentation!(role)]
    #[getter]
    fn role(&self) -> &'static str {
        self.inner().role().as_str()
    }

    #[doc = documentation!(text)]
    #[getter]
    fn text(&self) -> Option<&str> {
        self.inner().text()
    }

    #[doc = documentation!(rel)]
    #[getter]
    fn rel(&self) -> Option<&str> {
        self.inner().rel()
    }

    fn __str__(&self) -> PyResult<std::borrow::Cow<'_, str>> {
        self.uri()
    }

    fn __repr__(&self) -> String {
        format!("<Link {}..{} {:?}>", self.0.start, self.0.end, self.inner().uri())
    }
});

class!(Rejected, |found: linksift::Rejected<'static>| found.judged.rejected(), {
    #[doc = documentation!(reason)]
    #[getter]
    fn reason(&self) -> &'static str {
        self.inner().reason().as_str()
    }

    #[doc = documentation!(rule)]
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
    let codes: Vec<_> = warnings.iter().map(|warning| warning.as_str()).collect();
    PyTuple::new(py, codes)
}

/// The fields of the command's records that it has, in their order.
fn record<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let record = match &found.judged {
        Candidate::Link(link) => Record::link("", link),
        Candidate::Rejected(rejected) => Record::rejected("", rejected),
    };
    let fields = PyDict::new(py);
    for field in Field::ALL {
        // The path is the caller's, and bytes are no JSON.
        if matches!(field, Field::Path | Field::PathBytes | Field::MemberBytes) {
            continue;
        }
        // In units of Python.
        let number = match field {
            Field::Start => Some(found.start as u64),
            Field::End => Some(found.end as u64),
            Field::Line => found.line(),
            Field::Column => found.column,
            Field::Page => either!(&found.judged, page),
            _ => None,
        };
        let name = field.as_str();
        match (number, record.text(*field)) {
            (Some(number), _) => fields.set_item(name, number)?,
            (None, Some(codes)) if *field == Field::Warnings => {
                fields.set_item(name, codes.split(' ').collect::<Vec<_>>())?;
            }
            (None, Some(_)) if *field == Field::Code => {
                fields.set_item(name, either!(&found.judged, is_code))?;
            }
            (None, Some(_)) if *field == Field::Raw => fields.set_item(name, found.raw(py)?)?,
            (None, Some(text)) => fields.set_item(name, text)?,
            (None, None) => {}
        }
    }
    Ok(fields)
}
