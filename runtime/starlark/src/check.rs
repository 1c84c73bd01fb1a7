//! What can be said about a script without running it: whether it is one, and whether it has its entry function.

use crate::language::ast::{Expr, Stmt};
use crate::language::{Place, SyntaxFault};
use crate::library;
use crate::run::prepare;

/// What a script defines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The functions of the top level: name, place and whether one positional argument is accepted.
    pub functions: Vec<FunctionOutline>,
    /// Other names that the top level binds.
    pub globals: Vec<String>,
}

/// A function of the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionOutline {
    /// Its name.
    pub name: String,
    /// Where it is defined.
    pub at: Place,
    /// Whether it can be called with one positional argument, as an entry function is.
    pub takes_ctx: bool,
}

/// Parses a script and resolves its names, as a run would do first; nothing is run. `modules` are those that `stdlib`
/// grants.
///
/// # Errors
///
/// The first fault of the text.
pub fn outline(source: &str, path: &str, modules: &[String]) -> Result<Outline, SyntaxFault> {
    // Nesting is capped, but callers may have little stack left.
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        let told = thread
            .spawn_scoped(scope, || outline_here(source, path, modules))
            .map(|thread| thread.join());
        match told {
            Ok(Ok(told)) => told,
            _ => Err(SyntaxFault::new(
                Place { line: 1, column: 1 },
                "this script could not be looked at",
            )),
        }
    })
}

/// Far more than the capped nesting of a script needs.
const STACK: usize = 16 << 20;

fn outline_here(source: &str, path: &str, modules: &[String]) -> Result<Outline, SyntaxFault> {
    let given = library::given(modules);
    let file = prepare(source, path, &|name| given.index(name))?;
    let mut out = Outline {
        functions: Vec::new(),
        globals: Vec::new(),
    };
    for statement in &file.statements {
        match statement {
            Stmt::Def { name, function } => out.functions.push(FunctionOutline {
                name: name.text.to_string(),
                at: name.at,
                takes_ctx: function.takes_one(),
            }),
            Stmt::Assign { target, .. } => names(target, &mut out.globals),
            _ => {}
        }
    }
    Ok(out)
}

fn names(target: &Expr, out: &mut Vec<String>) {
    match target {
        Expr::Name(name) => out.push(name.text.to_string()),
        Expr::List { items, .. } | Expr::Tuple { items, .. } => items.iter().for_each(|item| names(item, out)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules() -> Vec<String> {
        ["json", "math", "yaml"].map(str::to_owned).to_vec()
    }

    #[test]
    fn functions_and_globals_are_told() {
        let source = "a, b = 1, 2\ndef main(ctx, more = 1):\n    return {}\ndef f():\n    return json\n";
        let outline = outline(source, "x.star", &modules()).unwrap();
        assert_eq!(outline.globals, ["a", "b"]);
        let told: Vec<_> = outline
            .functions
            .iter()
            .map(|f| (f.name.as_str(), f.at.line, f.takes_ctx))
            .collect();
        assert_eq!(told, [("main", 2, true), ("f", 4, false)]);
    }

    #[test]
    fn the_first_fault_has_its_place() {
        for (source, line, column, text) in [
            ("def main(ctx):\n    return nope\n", 2, 12, "undefined: nope"),
            (
                "x = 1\nx = 2\n",
                2,
                1,
                "cannot reassign global x declared at x.star:1:1",
            ),
            ("if True:\n    pass\n", 1, 1, "if statement not within a function"),
            ("x = [1\n", 2, 1, "got end of file, want ']'"),
            ("def f(a, a):\n    pass\n", 1, 10, "duplicate parameter: a"),
            ("x = 1 < 2 < 3\n", 1, 11, "< does not associate with < (use parens)"),
            ("x = 'a\n", 1, 5, "unexpected newline in string"),
        ] {
            let fault = outline(source, "x.star", &modules()).unwrap_err();
            assert_eq!(
                (fault.at.line, fault.at.column, fault.text.as_str()),
                (line, column, text),
                "{source}"
            );
        }
    }

    #[test]
    fn nesting_has_an_end() {
        for source in [
            format!("x = {}1{}\n", "(".repeat(100_000), ")".repeat(100_000)),
            format!("x = {}\n", "[".repeat(100_000)),
            format!("x = {}True\n", "not ".repeat(100_000)),
            format!("x = {}1\n", "-".repeat(100_000)),
            format!("x = f{}\n", "()".repeat(100_000)),
            format!("x = {}1\n", "lambda: ".repeat(100_000)),
            format!("x = {}1\n", "1 if 1 else ".repeat(100_000)),
        ] {
            assert!(
                outline(&source, "x.star", &modules()).unwrap_err().too_deep,
                "{}",
                source.get(..20).unwrap()
            );
        }
    }

    #[test]
    fn long_chains_are_not_nested() {
        let source = format!("x = 1{}\n", " + 1".repeat(50_000));
        assert!(outline(&source, "x.star", &modules()).is_ok());
    }
}
