//! Rules that select the files of directory walks.

use linksift::files::{ParseRuleError, Rules};

use crate::args::Walking;

/// Returns the rules of the arguments; `None` if all files are read.
pub(crate) fn rules(args: &Walking) -> Result<Option<Rules>, String> {
    let Walking { gitignore, glob, include, exclude, types, types_not, no_hidden, follow } = args;
    let lists = [glob, include, exclude, types, types_not];
    if !(*gitignore || *no_hidden || *follow) && lists.iter().all(|list| list.is_empty()) {
        return Ok(None);
    }
    let mut rules = Rules::new().gitignore(*gitignore).hidden(!no_hidden).follow(*follow);
    let said =
        |option: &str, value: &str, error: ParseRuleError| format!("{option} {value}: {error}");
    for (option, globs) in [("--glob", glob), ("--include", include)] {
        for glob in globs {
            rules = rules.glob(glob).map_err(|error| said(option, glob, error))?;
        }
    }
    for glob in exclude {
        rules = rules.glob(&format!("!{glob}")).map_err(|error| said("--exclude", glob, error))?;
    }
    for name in types {
        rules = rules.only_type(name).map_err(|error| said("--type", name, error))?;
    }
    for name in types_not {
        rules = rules.not_type(name).map_err(|error| said("--type-not", name, error))?;
    }
    Ok(Some(rules))
}
