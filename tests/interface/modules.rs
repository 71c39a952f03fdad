//! The modules of a crate as they are written, and what a name in one of them stands for.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use proc_macro2::{TokenStream, TokenTree};
use syn::{Attribute, Item, ItemMacro, UseTree, Visibility};

use crate::tokens::text;

/// A module: its items, and the `#[cfg]`s of the modules around it.
pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    pub(crate) cfgs: Vec<String>,
}

/// Modules by their paths from the root, which has none.
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<Vec<String>, Module>,
}

/// A name that is imported: what it is called, whose it is, how.
pub(crate) struct Import {
    /// As it is called here; none for all that a module has.
    pub(crate) name: Option<String>,
    pub(crate) path: Vec<String>,
    pub(crate) is_public: bool,
    pub(crate) cfgs: Vec<String>,
    pub(crate) is_hidden: bool,
}

impl Crate {
    pub(crate) fn read(root: &Path) -> Crate {
        let mut out = Crate { modules: BTreeMap::new() };
        out.add(Vec::new(), &root.join("lib.rs"), root, Vec::new());
        out
    }

    fn add(&mut self, path: Vec<String>, file: &Path, folder: &Path, cfgs: Vec<String>) {
        let source = fs::read_to_string(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let parsed = syn::parse_file(&source).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let beside = file.parent().unwrap_or(folder);
        self.add_items(path, parsed.items, [beside, folder], cfgs);
    }

    /// `beside` is the folder that the attribute `path` is relative to, `folder` that of the module's own files.
    fn add_items(
        &mut self,
        path: Vec<String>,
        items: Vec<Item>,
        [beside, folder]: [&Path; 2],
        cfgs: Vec<String>,
    ) {
        for item in &items {
            let Item::Mod(module) = item else { continue };
            if is_test(&module.attrs) {
                continue;
            }
            let name = module.ident.to_string();
            let inner: Vec<_> = path.iter().cloned().chain([name.clone()]).collect();
            let cfgs = cfgs.iter().cloned().chain(cfgs_of(&module.attrs)).collect();
            let below = folder.join(&name);
            match &module.content {
                Some((_, items)) => self.add_items(inner, items.clone(), [&below, &below], cfgs),
                None => {
                    let file = path_of(&module.attrs).map(|path| beside.join(path));
                    let file = file.unwrap_or_else(|| file_of(folder, &name));
                    self.add(inner, &file, &below, cfgs);
                }
            }
        }
        self.modules.insert(path, Module { items, cfgs });
    }

    /// What a path stands for in a module: the module that has the item, and its name there. None if it is of another crate.
    pub(crate) fn find(&self, module: &[String], path: &[String]) -> Option<(Vec<String>, String)> {
        self.find_within(module, path, 0)
    }

    fn find_within(
        &self,
        module: &[String],
        path: &[String],
        depth: usize,
    ) -> Option<(Vec<String>, String)> {
        let (first, rest) = path.split_first()?;
        if depth > 20 {
            return None;
        }
        let from = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.to_vec(),
            "super" => module[..module.len().checked_sub(1)?].to_vec(),
            name => {
                let inner: Vec<_> = module.iter().cloned().chain([name.to_owned()]).collect();
                if !rest.is_empty() && self.modules.contains_key(&inner) {
                    return self.find_within(&inner, rest, depth);
                }
                if rest.is_empty() && self.has(module, name) {
                    return Some((module.to_vec(), name.to_owned()));
                }
                return self.imported(module, name, rest, depth);
            }
        };
        match rest.is_empty() {
            true => None,
            false => self.find_within(&from, rest, depth),
        }
    }

    fn imported(
        &self,
        module: &[String],
        name: &str,
        rest: &[String],
        depth: usize,
    ) -> Option<(Vec<String>, String)> {
        let imports = imports(self.modules.get(module)?);
        let named = imports.iter().filter(|one| one.name.as_deref() == Some(name));
        let whole = imports.iter().filter(|one| one.name.is_none());
        let paths = named.map(|one| one.path.clone());
        let globs = whole.map(|one| one.path.iter().cloned().chain([name.to_owned()]).collect());
        paths.chain(globs).find_map(|path: Vec<String>| {
            let path: Vec<_> = path.into_iter().chain(rest.iter().cloned()).collect();
            // A path that begins with itself leads out of the crate.
            (path.first().map(String::as_str) != Some(name)
                || self.modules.contains_key(&[module, &path[..1]].concat()))
            .then(|| self.find_within(module, &path, depth + 1))?
        })
    }

    fn has(&self, module: &[String], name: &str) -> bool {
        let Some(module) = self.modules.get(module) else { return false };
        module.items.iter().any(|item| names(item).iter().any(|one| one == name))
    }
}

/// The file that `#[path]` names, from the folder of a `mod.rs`.
fn path_of(attributes: &[Attribute]) -> Option<String> {
    let one = attributes.iter().find(|one| one.path().is_ident("path"))?;
    let syn::Meta::NameValue(value) = &one.meta else { return None };
    let syn::Expr::Lit(literal) = &value.value else { return None };
    let syn::Lit::Str(path) = &literal.lit else { return None };
    Some(path.value())
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let flat = folder.join(format!("{name}.rs"));
    if flat.exists() { flat } else { folder.join(name).join("mod.rs") }
}

/// The names that an item defines; those of a macro call are in its tokens.
pub(crate) fn names(item: &Item) -> Vec<String> {
    let ident = match item {
        Item::Const(one) => &one.ident,
        Item::Enum(one) => &one.ident,
        Item::Fn(one) => &one.sig.ident,
        Item::Static(one) => &one.ident,
        Item::Struct(one) => &one.ident,
        Item::Trait(one) => &one.ident,
        Item::Type(one) => &one.ident,
        Item::Mod(one) => &one.ident,
        Item::Macro(call) if call.ident.is_none() => return defined(call.mac.tokens.clone()),
        _ => return Vec::new(),
    };
    vec![ident.to_string()]
}

fn defined(tokens: TokenStream) -> Vec<String> {
    let words: Vec<String> = tokens.into_iter().map(|token| token.to_string()).collect();
    let kinds = ["enum", "struct", "fn", "trait"];
    words.windows(2).filter(|pair| kinds.contains(&&*pair[0])).map(|pair| pair[1].clone()).collect()
}

/// The macro that a call is of.
pub(crate) fn called(call: &ItemMacro) -> Option<String> {
    call.mac.path.segments.last().map(|segment| segment.ident.to_string())
}

pub(crate) fn imports(module: &Module) -> Vec<Import> {
    let mut out = Vec::new();
    for item in &module.items {
        let Item::Use(one) = item else { continue };
        if is_test(&one.attrs) {
            continue;
        }
        let mut found = Vec::new();
        spread(&one.tree, Vec::new(), &mut found);
        out.extend(found.into_iter().map(|(name, path)| Import {
            name,
            path,
            is_public: matches!(one.vis, Visibility::Public(_)),
            cfgs: cfgs_of(&one.attrs),
            is_hidden: is_hidden(&one.attrs),
        }));
    }
    out
}

fn spread(tree: &UseTree, path: Vec<String>, out: &mut Vec<(Option<String>, Vec<String>)>) {
    let with = |name: String| path.iter().cloned().chain([name]).collect::<Vec<_>>();
    match tree {
        UseTree::Path(one) => spread(&one.tree, with(one.ident.to_string()), out),
        UseTree::Name(one) if one.ident == "self" => out.push((path.last().cloned(), path)),
        UseTree::Name(one) => out.push((Some(one.ident.to_string()), with(one.ident.to_string()))),
        UseTree::Rename(one) => {
            out.push((Some(one.rename.to_string()), with(one.ident.to_string())))
        }
        UseTree::Glob(_) => out.push((None, path)),
        UseTree::Group(group) => {
            for one in &group.items {
                spread(one, path.clone(), out);
            }
        }
    }
}

/// The conditions that an item is compiled under.
pub(crate) fn cfgs_of(attributes: &[Attribute]) -> Vec<String> {
    attributes.iter().filter(|one| one.path().is_ident("cfg")).map(text).collect()
}

pub(crate) fn is_test(attributes: &[Attribute]) -> bool {
    cfgs_of(attributes).iter().any(|cfg| cfg == "#[cfg(test)]" || cfg.contains("doctest"))
}

/// Whether it has `#[doc(hidden)]`.
pub(crate) fn is_hidden(attributes: &[Attribute]) -> bool {
    let is_hidden = |one: &Attribute| {
        let syn::Meta::List(list) = &one.meta else { return false };
        list.tokens
            .clone()
            .into_iter()
            .any(|token| matches!(token, TokenTree::Ident(name) if name == "hidden"))
    };
    attributes.iter().any(|one| one.path().is_ident("doc") && is_hidden(one))
}
