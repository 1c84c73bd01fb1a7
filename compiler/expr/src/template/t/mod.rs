//! Brace templates of value positions (T): `{{ expression }}`, `{{ if }}`, `{{ range }}` (language 8 and 9 of the expression chapter).

mod dots;
mod infer;
mod load;
mod parse;
mod references;
mod render;
mod tree;

pub use load::check_t_load;
pub use parse::parse_t;
pub(crate) use tree::Mark;
pub use tree::{Rendered, TemplateT};
