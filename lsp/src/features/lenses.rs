//! Lines above declarations: who refers to it, what a macro made of it, run the flow.

use camino::Utf8PathBuf;
use kitsoki_compiler::db::SourceFile;
use kitsoki_syntax::TextRange;

use super::symbol_at::{Reach, packages, uses};
use super::{Snapshot, facts};
use crate::index::form::{Form, form};
use crate::index::names::{names, pieces};
use crate::index::resolve::{Symbol, beside, symbol};
use crate::index::schema::{Kind, Role};

/// One lens.
#[derive(Clone, PartialEq, Debug)]
pub struct Lens {
    /// What it stands above.
    pub range: TextRange,
    /// What it does.
    pub action: LensAction,
}

/// What a lens does.
#[derive(Clone, PartialEq, Debug)]
pub enum LensAction {
    /// Counts and shows the references; counted when it is looked at.
    References(Symbol),
    /// Counts and shows the rooms that lead into one; counted when it is looked at.
    Reached(Symbol),
    /// Shows what the macros of a room make.
    Expand(String),
    /// Runs fixtures.
    Run(Vec<Utf8PathBuf>),
}

/// The lenses of a file.
#[must_use]
pub fn lenses(snapshot: &Snapshot, file: SourceFile) -> Vec<Lens> {
    let db = &snapshot.db;
    let mut out = Vec::new();
    let packages = packages(snapshot, file);
    let top = TextRange::empty(0.into());
    if form(db, file) == Form::Flow {
        out.push(Lens {
            range: top,
            action: LensAction::Run(vec![file.path(db).clone()]),
        });
        return out;
    }
    if packages.contains(&file) {
        let flows: Vec<Utf8PathBuf> = beside(db, file)
            .iter()
            .filter(|f| form(db, **f) == Form::Flow)
            .map(|f| f.path(db).clone())
            .collect();
        if !flows.is_empty() {
            out.push(Lens {
                range: top,
                action: LensAction::Run(flows),
            });
        }
    }
    let Some(package) = packages.first() else { return out };
    let manifest = facts::manifest(snapshot, *package);
    for piece in pieces(db, file) {
        for o in names(db, piece.file).iter() {
            let counted = matches!(
                o.kind,
                Kind::State | Kind::Intent | Kind::World | Kind::Agent | Kind::Exit
            );
            if o.role != Role::Definition || !counted {
                continue;
            }
            let range = o.range + piece.offset;
            let symbol = symbol(db, *package, o.kind, &o.name, &o.owner);
            if o.kind == Kind::State
                && let Some(room) = facts::room(manifest, &o.name)
                && (room.workbench.is_some() || room.agent_off_ramp.is_some())
            {
                out.push(Lens {
                    range,
                    action: LensAction::Expand(o.name.to_string()),
                });
            }
            if o.kind == Kind::State {
                out.push(Lens {
                    range,
                    action: LensAction::Reached(symbol.clone()),
                });
            }
            out.push(Lens {
                range,
                action: LensAction::References(symbol),
            });
        }
    }
    out
}

/// How often a symbol is used beside its declarations.
#[must_use]
pub fn count(snapshot: &Snapshot, symbol: &Symbol) -> usize {
    uses(snapshot, symbol, Reach::Everywhere)
        .iter()
        .filter(|u| u.role != Role::Definition)
        .count()
}
