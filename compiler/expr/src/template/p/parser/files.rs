//! Tags that name other templates: `include`, `extends`, `import`, `ssi`.

use text_size::TextRange;

use super::super::lexer::Keyword;
use super::super::tree::{Name, Node, StaticFile, Target};
use super::cursor::Cursor;
use super::tags::named_value;
use super::{Parsed, Parser, parse_error};

impl<'a> Parser<'a> {
    fn file(&mut self, name: Name, optional: bool, plain: bool) -> usize {
        self.template.files.push(StaticFile {
            name,
            optional,
            plain,
            wanted: Vec::new(),
        });
        self.template.files.len() - 1
    }

    pub(super) fn include_tag(&mut self, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let (target, optional) = if let Some(name) = arguments.string() {
            let optional = arguments.ident_is("if_exists");
            (Target::File(self.file(name, optional, false)), optional)
        } else {
            let name = arguments.expression()?;
            (Target::Computed(name), arguments.ident_is("if_exists"))
        };
        let mut with: Vec<(Name, _)> = Vec::new();
        let mut only = false;
        if arguments.ident_is("with") {
            while !arguments.is_empty() {
                let pair = named_value(&mut arguments)?;
                with.retain(|(name, _)| name.text != pair.0.text);
                with.push(pair);
                if arguments.ident_is("only") {
                    only = true;
                    break;
                }
            }
        }
        arguments.finished("include")?;
        Ok(Node::Include {
            target,
            with,
            only,
            optional,
        })
    }

    pub(super) fn extends_tag(&mut self, start: TextRange, mut arguments: Cursor<'a>) -> Parsed<Node> {
        if self.depth > 1 {
            return Err(parse_error(start, "`extends` stands outside of all blocks"));
        }
        if self.template.parent.is_some() {
            return Err(parse_error(start, "the template extends another one already"));
        }
        let Some(name) = arguments.string() else {
            return Err(arguments.error("`extends` needs a file name in quotes"));
        };
        let file = self.file(name, false, false);
        self.template.parent = Some(file);
        arguments.finished("extends")?;
        Ok(Node::Nothing)
    }

    pub(super) fn import_tag(&mut self, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let Some(name) = arguments.string() else {
            return Err(arguments.error("`import` needs a file name in quotes"));
        };
        if arguments.is_empty() {
            return Err(arguments.error("`import` needs the names of macros"));
        }
        let file = self.file(name, false, false);
        let mut macros = Vec::new();
        while !arguments.is_empty() {
            let Some(there) = arguments.ident() else {
                return Err(arguments.error("a macro's name is expected here"));
            };
            let mut here = there.clone();
            if arguments.keyword(Keyword::As) {
                let Some(alias) = arguments.ident() else {
                    return Err(arguments.error("a name is expected behind `as`"));
                };
                here = alias;
            }
            if let Some(file) = self.template.files.get_mut(file) {
                file.wanted.push(there.clone());
            }
            macros.push((there, here));
            if arguments.is_empty() {
                break;
            }
            if !arguments.symbol(",") {
                return Err(arguments.error("`,` is expected here"));
            }
        }
        Ok(Node::Import { file, macros })
    }

    pub(super) fn ssi_tag(&mut self, mut arguments: Cursor<'a>) -> Parsed<Node> {
        let Some(name) = arguments.string() else {
            return Err(arguments.error("`ssi` needs a file name in quotes"));
        };
        let parsed = arguments.ident_is("parsed");
        let file = self.file(name, false, !parsed);
        arguments.finished("ssi")?;
        Ok(Node::Ssi { file, parsed })
    }
}
