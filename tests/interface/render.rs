//! The items that users reach, with all that they can name of them.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Fields, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

use crate::modules::{Crate, called, cfgs_of, imports, is_hidden, is_test, names};
use crate::tokens::text;

/// Where an item is defined.
type Place = (Vec<String>, String);

/// An item that is public by a path.
struct Public {
    cfgs: Vec<String>,
    place: Place,
}

pub(crate) fn interface(krate: &Crate) -> String {
    let mut found = BTreeMap::new();
    let mut out = String::new();
    collect(krate, &[], "linksift", &[], &mut found, &mut out);
    let places: BTreeSet<_> = found.values().map(|one| one.place.clone()).collect();
    let impls = impls(krate, &places);
    let mut used = BTreeSet::new();
    for (path, Public { cfgs, place }) in &found {
        let Some(module) = krate.modules.get(&place.0) else { continue };
        let own = module.items.iter().filter(|item| names(item).contains(&place.1));
        for item in own {
            let front = front(&[cfgs, &cfgs_of(attributes(item))[..]].concat());
            head(item, path, &front, &mut out);
        }
        for line in impls.get(place).into_iter().flatten() {
            out.push_str(line);
            used.insert(place.clone());
        }
    }
    // The macros that those above are made by, and those that these call.
    let macros = macros(krate);
    let mut called = vec![out.clone()];
    let mut left: BTreeSet<_> = macros.keys().collect();
    while let Some(text) = called.pop() {
        let now = left.iter().copied().filter(|name| text.contains(&format!("{name}!")));
        for name in now.collect::<Vec<_>>() {
            left.remove(name);
            let (lines, body) = &macros[name];
            called.push(body.clone());
            out.push_str(&format!("macro {name}\n{}", lines.concat()));
        }
    }
    assert!(used.len() > 50, "{} items with methods", used.len());
    out
}

/// All that a public module holds or re-exports.
fn collect(
    krate: &Crate,
    module: &[String],
    path: &str,
    cfgs: &[String],
    found: &mut BTreeMap<String, Public>,
    out: &mut String,
) {
    let own = &krate.modules[module];
    out.push_str(&format!("{}pub mod {path}\n", front(cfgs)));
    let mut add = |name: &str, place: Place, cfgs: Vec<String>| {
        found.insert(format!("{path}::{name}"), Public { cfgs, place });
    };
    let mut below = Vec::new();
    for item in own.items.iter().filter(|item| is_public(item) && !is_hidden(attributes(item))) {
        for name in names(item) {
            match item {
                Item::Mod(one) => below.push((name, [cfgs, &cfgs_of(&one.attrs)].concat())),
                _ => add(&name, (module.to_vec(), name.clone()), cfgs.to_vec()),
            }
        }
    }
    for import in imports(own).into_iter().filter(|one| one.is_public && !one.is_hidden) {
        let cfgs = [cfgs, &import.cfgs].concat();
        let Some(name) = import.name else { panic!("{path}: a glob that is public") };
        match krate.find(module, &import.path) {
            Some(place) => add(&name, place, cfgs),
            None => out.push_str(&format!(
                "{}pub use {} as {path}::{name}\n",
                front(&cfgs),
                import.path.join("::")
            )),
        }
    }
    for (name, cfgs) in below {
        let inner: Vec<_> = module.iter().cloned().chain([name.clone()]).collect();
        collect(krate, &inner, &format!("{path}::{name}"), &cfgs, found, out);
    }
}

fn front(cfgs: &[String]) -> String {
    let mut seen: Vec<&String> = Vec::new();
    for cfg in cfgs {
        if !seen.contains(&cfg) {
            seen.push(cfg);
        }
    }
    seen.iter().map(|cfg| format!("{cfg} ")).collect()
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(one) => &one.attrs,
        Item::Enum(one) => &one.attrs,
        Item::Fn(one) => &one.attrs,
        Item::Static(one) => &one.attrs,
        Item::Struct(one) => &one.attrs,
        Item::Trait(one) => &one.attrs,
        Item::Type(one) => &one.attrs,
        Item::Mod(one) => &one.attrs,
        Item::Macro(one) => &one.attrs,
        _ => &[],
    }
}

fn is_public(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(one) => &one.vis,
        Item::Enum(one) => &one.vis,
        Item::Fn(one) => &one.vis,
        Item::Static(one) => &one.vis,
        Item::Struct(one) => &one.vis,
        Item::Trait(one) => &one.vis,
        Item::Type(one) => &one.vis,
        Item::Mod(one) => &one.vis,
        // `pub enum NAME` in its tokens.
        Item::Macro(one) => {
            return one.mac.tokens.clone().into_iter().any(|token| token.to_string() == "pub");
        }
        _ => return false,
    };
    matches!(visibility, Visibility::Public(_))
}

/// What users depend on of attributes.
fn marks(attributes: &[Attribute]) -> String {
    let kept = ["non_exhaustive", "must_use", "deprecated", "derive", "repr"];
    let is_kept = |one: &&Attribute| kept.iter().any(|name| one.path().is_ident(name));
    attributes.iter().filter(is_kept).map(|one| format!("    {}\n", text(one))).collect()
}

/// The item itself.
fn head(item: &Item, path: &str, front: &str, out: &mut String) {
    let generics =
        |generics: &syn::Generics| format!("{}{}", text(generics), text(&generics.where_clause));
    let line = match item {
        Item::Const(one) => format!("pub const {path}: {}", text(&one.ty)),
        Item::Static(one) => format!("pub static {path}: {}", text(&one.ty)),
        Item::Fn(one) => {
            let name = one.sig.ident.to_string();
            format!(
                "pub {}",
                text(&one.sig).replacen(&format!("fn {name}"), &format!("fn {path}"), 1)
            )
        }
        Item::Type(one) => {
            format!("pub type {path}{} = {}", generics(&one.generics), text(&one.ty))
        }
        Item::Struct(one) => format!("pub struct {path}{}", generics(&one.generics)),
        Item::Enum(one) => format!("pub enum {path}{}", generics(&one.generics)),
        Item::Trait(one) => {
            format!("pub trait {path}{}: {}", generics(&one.generics), text(&one.supertraits))
        }
        Item::Macro(one) => {
            format!(
                "{path} by {}! {{ {} }}",
                called(one).unwrap_or_default(),
                text(&one.mac.tokens)
            )
        }
        _ => return,
    };
    out.push_str(&format!("{front}{line}\n{}", marks(attributes(item))));
    match item {
        Item::Struct(one) => fields(&one.fields, true, out),
        Item::Enum(one) => {
            for variant in &one.variants {
                let cfgs = self::front(&cfgs_of(&variant.attrs));
                out.push_str(&format!("    {cfgs}{}\n", variant.ident));
                fields(&variant.fields, false, out);
            }
        }
        Item::Trait(one) => {
            for item in &one.items {
                out.push_str(&match item {
                    TraitItem::Fn(one) => {
                        let provided = if one.default.is_some() { " { … }" } else { "" };
                        format!("    {}{provided}\n", text(&one.sig))
                    }
                    other => format!("    {}\n", text(other)),
                });
            }
        }
        _ => {}
    }
}

fn fields(fields: &Fields, only_public: bool, out: &mut String) {
    let is_shown = |field: &&syn::Field| !only_public || matches!(field.vis, Visibility::Public(_));
    for (number, field) in fields.iter().enumerate().filter(|(_, field)| is_shown(field)) {
        let name = field.ident.as_ref().map_or_else(|| number.to_string(), ToString::to_string);
        let cfgs = front(&cfgs_of(&field.attrs));
        out.push_str(&format!("        {cfgs}{name}: {}\n", text(&field.ty)));
    }
}

/// What is implemented for each type, by where it is defined.
fn impls(krate: &Crate, places: &BTreeSet<Place>) -> BTreeMap<Place, Vec<String>> {
    // A trait that users cannot name is none of theirs.
    let is_theirs = |module: &[String], one: &ItemImpl| {
        let name = one.trait_.as_ref().map(|(_, path, _)| words(path));
        name.and_then(|name| krate.find(module, &name)).is_none_or(|place| places.contains(&place))
    };

    let mut found: BTreeMap<Place, Vec<String>> = BTreeMap::new();
    for (path, module) in &krate.modules {
        for item in &module.items {
            if let Item::Macro(one) = item
                && let Some((place, call)) = call_for(krate, path, one)
            {
                found
                    .entry(place)
                    .or_default()
                    .push(format!("    {}{call}\n", front(&module.cfgs)));
            }
            let Item::Impl(one) = item else { continue };
            let Some(place) = name_of(&one.self_ty).and_then(|name| krate.find(path, &name)) else {
                continue;
            };
            if !is_test(&one.attrs) && is_theirs(path, one) {
                let cfgs = [&module.cfgs[..], &cfgs_of(&one.attrs)].concat();
                found.entry(place).or_default().extend(implemented(one, &front(&cfgs)));
            }
        }
    }
    for lines in found.values_mut() {
        lines.sort();
        lines.dedup();
    }
    found
}

/// The type that a macro is called for, if it is not made by it.
fn call_for(krate: &Crate, module: &[String], one: &syn::ItemMacro) -> Option<(Place, String)> {
    let is_call = one.ident.is_none() && names(&Item::Macro(one.clone())).is_empty();
    let first = one.mac.tokens.clone().into_iter().next().filter(|_| is_call)?;
    let place = krate.find(module, &[first.to_string()])?;
    Some((place, format!("{}! {{ {} }}", called(one)?, text(&one.mac.tokens))))
}

fn words(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|one| one.ident.to_string()).collect()
}

fn name_of(own: &Type) -> Option<Vec<String>> {
    match own {
        Type::Path(path) => Some(words(&path.path)),
        Type::Reference(one) => name_of(&one.elem),
        _ => None,
    }
}

fn implemented(one: &ItemImpl, front: &str) -> Vec<String> {
    if let Some((not, name, _)) = &one.trait_ {
        let not = if not.is_some() { "!" } else { "" };
        let (generics, own) = (text(&one.generics), text(&one.self_ty));
        let bounds = text(&one.generics.where_clause);
        let line = format!("    {front}impl{generics} {not}{} for {own} {bounds}", text(name));
        return vec![line.trim_end().to_owned() + "\n"];
    }
    let mut out = Vec::new();
    for item in &one.items {
        let line = match item {
            ImplItem::Fn(one)
                if matches!(one.vis, Visibility::Public(_)) && !is_hidden(&one.attrs) =>
            {
                let is_kept = one.attrs.iter().any(|one| one.path().is_ident("must_use"));
                let kept = if is_kept { "#[must_use] " } else { "" };
                format!("{}{kept}pub {}", self::front(&cfgs_of(&one.attrs)), text(&one.sig))
            }
            ImplItem::Const(one) if matches!(one.vis, Visibility::Public(_)) => {
                format!("pub const {}: {}", one.ident, text(&one.ty))
            }
            ImplItem::Macro(one) => text(&one.mac),
            _ => continue,
        };
        out.push(format!("    {front}{line}\n"));
    }
    out
}

/// The heads of the public items in the macros that make some, and all that is in them.
fn macros(krate: &Crate) -> BTreeMap<String, (Vec<String>, String)> {
    let mut found = BTreeMap::new();
    for module in krate.modules.values() {
        for item in &module.items {
            let Item::Macro(one) = item else { continue };
            let Some(name) = &one.ident else { continue };
            let mut lines = Vec::new();
            heads(one.mac.tokens.clone(), &mut lines);
            if !lines.is_empty() {
                found.insert(name.to_string(), (lines, text(&one.mac.tokens)));
            }
        }
    }
    found
}

/// `pub …` and `impl …` up to the body, wherever they stand in these tokens.
fn heads(tokens: TokenStream, out: &mut Vec<String>) {
    let mut head: Option<TokenStream> = None;
    for token in tokens {
        let is_end = match &token {
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | '='),
            _ => false,
        };
        if is_end && let Some(head) = head.take() {
            out.push(format!("    {}\n", text(&head)));
        }
        match (&token, &mut head) {
            (TokenTree::Ident(word), None) if word == "pub" || word == "impl" => {
                head = Some(token.to_token_stream());
            }
            (_, Some(head)) => head.extend([token.clone()]),
            _ => {}
        }
        if let TokenTree::Group(group) = token
            && head.is_none()
        {
            heads(group.stream(), out);
        }
    }
}
