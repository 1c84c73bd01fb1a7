//! The guard and template languages of stories: lexer, parser, types, evaluator and printing rules.
//!
//! Three languages share values, spans and the description of what a text names:
//!
//! * **E**, bare expressions of guards: [`parse_expr`], [`compile_expr`];
//! * **T**, brace templates of value positions: [`parse_t`], [`check_t_load`];
//! * **P**, the pongo dialect of views and prompts: [`parse_p`].
//!
//! Which one applies is decided by the position of a text, never by its content. There is no YAML and no IO here.

pub mod cover;
mod env;
mod error;
mod eval;
mod expr;
mod filters;
mod functions;
pub mod names;
pub mod print;
mod reference;
pub mod sha256;
mod template;
pub mod tokens;
pub mod types;
mod value;
pub mod wrap;

pub use env::Env;
pub use error::{ErrorClass, ExprError, Stage};
pub use expr::{Expr, Mode, Program, compile_expr, parse_expr};
pub use reference::{Argument, LiteralComparison, RefKind, Reference, Segment, Step};
pub use template::{
    LoadedTemplate, Rendered, TemplateLoader, TemplateP, TemplateT, check_t_load, has_braces, has_delimiters, has_tag,
    next_delimiter, parse_p, parse_p_file, parse_t,
};
pub use text_size::{TextRange, TextSize};
pub use value::{Helper, List, ListKind, MAX_VALUE_DEPTH, Map, Native, Value};
