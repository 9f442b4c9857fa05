//! Modules of the page as one script.

use std::collections::BTreeSet;

use crate::files::source;

/// Joins a module and all that it imports to one script. Each module becomes a function that
/// returns what the module exports, so names of different modules cannot clash.
///
/// # Panics
/// If a module imports or exports in a form that [`Module::parse`] does not know: a test joins all
/// modules of the page.
pub(crate) fn join(entry: &str) -> String {
    let mut script = String::new();
    append(entry, &mut script, &mut BTreeSet::new());
    script
}

/// Appends a module after those that it imports.
fn append(name: &str, script: &mut String, done: &mut BTreeSet<String>) {
    if !done.insert(name.to_owned()) {
        return;
    }
    let module = Module::parse(&source(&format!("js/{name}.js")), directory(name));
    for (_, needed) in &module.imports {
        append(needed, script, done);
    }
    script.push_str(&module.wrapped(name));
}

/// Module of the page.
#[derive(Debug, PartialEq, Eq)]
struct Module {
    /// Names in braces, or `* as NAME`, with the path of each imported module below `js/`, without
    /// extension.
    imports: Vec<(String, String)>,
    /// Exported names.
    exports: Vec<String>,
    /// Text without imports and the word `export`.
    body: String,
}

impl Module {
    /// Reads the text of a module in the directory `directory` below `js/`.
    fn parse(text: &str, directory: &str) -> Self {
        let (mut imports, mut exports) = (Vec::new(), Vec::new());
        let mut body = String::new();
        let mut rest = text;
        while !rest.is_empty() {
            if let Some(statement) = rest.strip_prefix("import ") {
                let (statement, after) = statement.split_once(";\n").expect("the import ends");
                let (names, path) = statement
                    .split_once(" from ")
                    .expect("the import names a file");
                imports.push((
                    names.to_owned(),
                    resolved(path.trim_matches('\''), directory),
                ));
                rest = after;
                continue;
            }
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            let line = line.strip_prefix("export ").map_or(line, |declaration| {
                exports.push(declared(declaration).to_owned());
                declaration
            });
            body.push_str(line);
            body.push('\n');
            rest = after;
        }
        Self {
            imports,
            exports,
            body,
        }
    }

    /// Returns the module as a function that is called at once.
    fn wrapped(&self, name: &str) -> String {
        let imports = self.imports.iter().map(|(names, path)| {
            let names = names
                .strip_prefix("* as ")
                .map_or_else(|| names.replace(" as ", ": "), str::to_owned);
            format!("const {names} = {};\n", variable(path))
        });
        let imports: String = imports.collect();
        let exports = self.exports.join(", ");
        format!(
            "const {} = (() => {{\n{imports}{}return {{ {exports} }};\n}})();\n",
            variable(name),
            self.body
        )
    }
}

/// Directory of a module below `js/`, with its slash.
fn directory(name: &str) -> &str {
    &name[..name.rfind('/').map_or(0, |slash| slash + 1)]
}

/// Path of an imported module below `js/`, without extension.
fn resolved(path: &str, directory: &str) -> String {
    let path = path.strip_suffix(".js").expect("modules end in .js");
    match path.strip_prefix("../") {
        Some(path) => path.to_owned(),
        None => format!("{directory}{}", path.trim_start_matches("./")),
    }
}

/// Name of a declaration after the word `export`.
fn declared(declaration: &str) -> &str {
    let mut words = declaration.split(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
    words
        .find(|word| !["", "async", "const", "function", "class"].contains(word))
        .expect("the declaration has a name")
}

/// Variable that holds the exports of a module.
fn variable(name: &str) -> String {
    format!("$${}", name.replace('/', "$"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_split_into_imports_exports_and_body() {
        let text = "/** Text. */\n\nimport * as api from '../api.js';\n\
                    import {\n\th,\n\ts as t,\n} from '../dom.js';\n\
                    import { key } from './keys.js';\n\nexport const A = 1;\n\
                    export async function b() {\n\treturn A;\n}\nclass C {}\n";
        let module = Module::parse(text, "views/");
        let import = |names: &str, path: &str| (names.to_owned(), path.to_owned());
        assert_eq!(
            module.imports,
            [
                import("* as api", "api"),
                import("{\n\th,\n\ts as t,\n}", "dom"),
                import("{ key }", "views/keys")
            ]
        );
        assert_eq!(module.exports, ["A", "b"]);
        let wrapped = module.wrapped("views/game");
        let head = "const $$views$game = (() => {\nconst api = $$api;\nconst {\n\th,\n\ts: t,\n} = \
                    $$dom;\nconst { key } = $$views$keys;\n/** Text. */\n";
        assert!(wrapped.starts_with(head), "{wrapped}");
        assert!(wrapped.ends_with("class C {}\nreturn { A, b };\n})();\n"));
    }

    #[test]
    fn every_module_comes_after_those_that_it_imports() {
        // The view of a game uses further modules, and every form of import.
        for entry in ["replay", "views/game"] {
            let script = join(entry);
            let place = |name: &str| script.find(&format!("const {} = (", variable(name)));
            let mut seen = 0;
            for line in script.lines() {
                assert!(
                    !line.starts_with("import ") && !line.starts_with("export "),
                    "{line}"
                );
                if let Some((_, used)) = line.split_once(" = $$") {
                    let used = used.trim_end_matches(';').replace('$', "/");
                    let place = place(&used).unwrap_or_else(|| panic!("{used} is missing"));
                    assert!(
                        place < script.find(line).unwrap(),
                        "{used} comes after its use"
                    );
                    seen += 1;
                }
            }
            assert!(seen > 15, "{entry} has {seen} imports");
            assert_eq!(
                script
                    .matches(&format!("const {} = (", variable("dom")))
                    .count(),
                1
            );
        }
    }
}
