//! `docs/modules.svg` and `docs/command.svg`: the modules of the library and of the command, and the arrows between them, drawn
//! from the sources.
//!
//! A module is above all that it imports from. Left out are arrows to the modules that are open to all, and those
//! that lead where a longer way leads too. `LINKSIFT_BLESS=1 cargo test --test layers` draws it again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use super::modules;
use super::structure::modules_of_command;

type Modules = BTreeMap<String, BTreeSet<String>>;

/// The least width; a floor of many modules makes the picture wider.
const WIDTH: usize = 960;
const BOX: (usize, usize) = (104, 30);
const GAP: usize = 12;
const FLOOR: usize = 84;

/// How many floors are below a module: one more than below the highest of those that it imports from.
fn floor(module: &str, modules: &Modules) -> usize {
    let below = modules.get(module).into_iter().flatten();
    below.map(|other| floor(other, modules) + 1).max().unwrap_or(0)
}

/// Whether a way leads from `module` to `goal`.
fn leads(module: &str, goal: &str, modules: &Modules) -> bool {
    module == goal
        || modules.get(module).into_iter().flatten().any(|next| leads(next, goal, modules))
}

/// The modules that `module` imports from and that none of the others leads to.
fn nearest<'r>(module: &str, modules: &'r Modules) -> Vec<&'r str> {
    let others = &modules[module];
    let is_near =
        |goal: &&String| !others.iter().any(|other| other != *goal && leads(other, goal, modules));
    others.iter().filter(is_near).map(String::as_str).collect()
}

/// The width of all, and the middle of each module's box.
fn places(modules: &Modules) -> (usize, BTreeMap<&str, (usize, usize)>) {
    let mut floors: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for module in modules.keys() {
        floors.entry(floor(module, modules)).or_default().push(module);
    }
    let top = floors.keys().last().copied().unwrap_or(0);
    let most = floors.values().map(Vec::len).max().unwrap_or(0);
    let width = WIDTH.max(most * (BOX.0 + GAP));
    let mut places = BTreeMap::new();
    for (floor, modules) in floors {
        for (number, module) in modules.iter().enumerate() {
            let x = width * (2 * number + 1) / (2 * modules.len());
            // Neighbours of a floor are a little higher and lower, so that arrows do not run along them.
            let y = (top - floor) * FLOOR + FLOOR / 2 + (number % 2) * 12;
            places.insert(*module, (x, y));
        }
    }
    (width, places)
}

fn draw(modules: &Modules) -> String {
    let (width, places) = places(modules);
    let height = places.values().map(|place| place.1).max().unwrap_or(0) + FLOOR / 2;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0 8 4 0 8z\" fill=\"#9aa5b1\"/></marker></defs>\n"
    );
    for module in modules.keys() {
        let (x, y) = places[module.as_str()];
        for other in nearest(module, modules) {
            let (to_x, to_y) = places[other];
            let (from, to) = (y + BOX.1 / 2, to_y - BOX.1 / 2);
            let bend = to.saturating_sub(from) / 2;
            let _ = writeln!(
                svg,
                "<path d=\"M{x} {from} C{x} {} {to_x} {} {to_x} {to}\" fill=\"none\" stroke=\"#9aa5b1\" stroke-opacity=\".55\" marker-end=\"url(#tip)\"/>",
                from + bend,
                to - bend
            );
        }
    }
    for (module, (x, y)) in places {
        let (left, top) = (x - BOX.0 / 2, y - BOX.1 / 2);
        let _ = writeln!(
            svg,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" rx=\"6\" fill=\"#eef4fb\" stroke=\"#3b6ea5\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" fill=\"#123\">{module}</text>",
            BOX.0,
            BOX.1,
            y + 5
        );
    }
    svg + "</svg>\n"
}

fn is_current(name: &str, modules: &Modules) {
    let picture = draw(modules);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if env::var_os("LINKSIFT_BLESS").is_some_and(|value| value == "1") {
        fs::write(path, picture).unwrap();
        return;
    }
    let stored = fs::read_to_string(path).unwrap_or_default();
    assert!(
        stored == picture,
        "{name} shows other arrows: LINKSIFT_BLESS=1 cargo test --test layers picture"
    );
}

#[test]
fn the_picture_of_the_modules_is_current() {
    is_current("docs/modules.svg", &modules());
}

#[test]
fn the_picture_of_the_command_is_current() {
    is_current("docs/command.svg", &modules_of_command());
}

#[test]
fn a_module_is_above_those_it_imports_from() {
    let module = |name: &str, others: &[&str]| {
        (name.to_owned(), others.iter().map(|other| (*other).to_owned()).collect())
    };
    let modules = Modules::from([module("a", &["b", "c"]), module("b", &["c"]), module("c", &[])]);
    assert_eq!(["a", "b", "c"].map(|name| floor(name, &modules)), [2, 1, 0]);
    let (_, places) = places(&modules);
    assert!(places["a"].1 < places["b"].1 && places["b"].1 < places["c"].1);
    assert_eq!(draw(&modules).matches("<path d=\"M").count(), 2 + 1);
}
