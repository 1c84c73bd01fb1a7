//! Templates: T (braces in value positions) and P (the pongo dialect of views and prompts).

mod delimiters;
pub(crate) mod limits;
pub(crate) mod p;
pub(crate) mod remap;
pub(crate) mod t;

pub use delimiters::{has_braces, has_delimiters, has_tag, next_delimiter};
pub use p::{LoadedTemplate, TemplateLoader, TemplateP, parse_p, parse_p_file};
pub use t::{Rendered, TemplateT, check_t_load, parse_t};
