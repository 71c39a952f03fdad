//! Offsets of a source: where the bytes available begin is known to few types, and no one else reckons with it.
//!
//! A chunk turns indices of its bytes into offsets and back (`Chunk::offset`, `range`, `index`, `relative`). Elsewhere an
//! offset is compared, kept and handed on as it is.

use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ExprBinary, ExprMethodCall, Fields, ItemStruct, Local, Pat, Type};

use super::sources::{Source, sources};

/// The types that know where their bytes begin, and why each is not a chunk.
const OWNERS: &[(&str, &str, &str)] = &[
    ("input/chunk", "Chunk", "it is one"),
    ("input/sliding_buffer", "SlidingBuffer", "chunks are lent of it"),
    ("document/window/text", "WindowText", "chunks are lent of it"),
    ("scan/view", "View", "a chunk with what a scan has to know of it"),
    ("scan/mod", "Scanner", "its offsets are those of the last view: `rebase` changes them"),
    ("scan/prefilter/marks", "Batch", "indices of a view"),
    ("scan/prefilter/triggers", "Triggers", "indices of a view"),
];

/// A file's types with a `base` that is a number, and its reckoning with that of another type.
#[derive(Default)]
struct Found {
    types: Vec<String>,
    sums: Vec<String>,
}

/// Whether this is `x.base()`, maybe in parentheses or cast.
fn is_base(expression: &Expr) -> bool {
    match expression {
        Expr::MethodCall(call) => call.method == "base" && call.args.is_empty(),
        Expr::Paren(inner) => is_base(&inner.expr),
        Expr::Cast(inner) => is_base(&inner.expr),
        Expr::Reference(inner) => is_base(&inner.expr),
        _ => false,
    }
}

/// Whether the value of `x.base()` is given a name of its own, alone or among others. Settings have a base too, an IRI.
fn is_named(local: &Local) -> bool {
    let Some(init) = &local.init else { return false };
    let of_self = |expression: &Expr| match expression {
        Expr::MethodCall(call) => {
            matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"))
        }
        _ => false,
    };
    let is_named = |name: &Pat, value: &Expr| {
        matches!(name, Pat::Ident(name) if name.ident == "base")
            && is_base(value)
            && !of_self(value)
    };
    match (&local.pat, &*init.expr) {
        (Pat::Tuple(names), Expr::Tuple(values)) => {
            names.elems.iter().zip(&values.elems).any(|(name, value)| is_named(name, value))
        }
        (name, value) => is_named(name, value),
    }
}

impl<'a> Visit<'a> for Found {
    fn visit_item_mod(&mut self, module: &'a syn::ItemMod) {
        if module.ident != "tests" {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_item_struct(&mut self, item: &'a ItemStruct) {
        let is_number = |kind: &Type| match kind {
            Type::Path(path) => path.path.is_ident("usize") || path.path.is_ident("u64"),
            _ => false,
        };
        if let Fields::Named(fields) = &item.fields
            && fields.named.iter().any(|field| {
                field.ident.as_ref().is_some_and(|name| name == "base") && is_number(&field.ty)
            })
        {
            self.types.push(item.ident.to_string());
        }
    }

    fn visit_expr_binary(&mut self, sum: &'a ExprBinary) {
        let is_sum = matches!(
            sum.op,
            BinOp::Add(_) | BinOp::Sub(_) | BinOp::AddAssign(_) | BinOp::SubAssign(_)
        );
        if is_sum && (is_base(&sum.left) || is_base(&sum.right)) {
            self.sums.push("a sum with base()".to_owned());
        }
        visit::visit_expr_binary(self, sum);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let name = call.method.to_string();
        let is_sum = name.ends_with("_sub") || name.ends_with("_add");
        if is_sum && (is_base(&call.receiver) || call.args.iter().any(is_base)) {
            self.sums.push(format!("{name} with base()"));
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_local(&mut self, local: &'a Local) {
        if is_named(local) {
            self.sums.push("a variable for base()".to_owned());
        }
        visit::visit_local(self, local);
    }
}

fn found(text: &str) -> Found {
    let mut found = Found::default();
    found.visit_file(&syn::parse_file(text).expect("a source parses"));
    found
}

#[test]
fn offsets_are_those_of_the_source() {
    let is_looked_at = |source: &Source| {
        !source.is_command() && !source.is_generated() && !source.path.ends_with("tests")
    };
    let (mut wrong, mut known) = (Vec::new(), Vec::new());
    for source in sources().iter().filter(|source| is_looked_at(source)) {
        let Found { types, sums } = found(&source.text);
        for name in types {
            match OWNERS.iter().find(|(path, owner, _)| *path == source.path && *owner == name) {
                Some(owner) => known.push(owner.1),
                None => wrong.push(format!("{}: {name} has a base of its own", source.path)),
            }
        }
        wrong.extend(sums.into_iter().map(|sum| format!("{}: {sum}", source.path)));
        let is_scan = source.path.starts_with("scan/");
        for name in ["shift", "rebase"] {
            let is_defined = source.text.contains(&format!("fn {name}("));
            if is_defined && !(is_scan && name == "rebase") {
                wrong.push(format!("{}: fn {name}", source.path));
            }
        }
    }
    assert!(wrong.is_empty(), "offsets that are reckoned with:\n{}", wrong.join("\n"));
    let gone: Vec<_> = OWNERS.iter().filter(|owner| !known.contains(&owner.1)).collect();
    assert!(gone.is_empty(), "have no base any more: {gone:?}");
}

#[test]
fn reckoning_with_a_base_is_seen() {
    let sums = |body: &str| found(&format!("fn f() {{ {body} }}")).sums.len();
    assert_eq!(sums("let at = chunk.base() + 1;"), 1);
    assert_eq!(sums("g(at - (view.chunk().base() as usize));"), 1);
    assert_eq!(sums("at += chunk.base();"), 1);
    assert_eq!(sums("at.saturating_sub(chunk.base())"), 1);
    assert_eq!(sums("let (bytes, base) = (chunk.bytes(), chunk.base());"), 1);
    assert_eq!(sums("at.max(chunk.base())"), 0);
    assert_eq!(sums("let base = self.base();"), 0);
    let types = |text: &str| found(text).types;
    assert_eq!(types("struct Window { bytes: Vec<u8>, base: usize }"), ["Window"]);
    assert!(types("struct Settings { base: Option<Base> }").is_empty());
    assert!(types("#[cfg(test)] mod tests { struct Window { base: usize } }").is_empty());
}
