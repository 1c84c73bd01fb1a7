//! The importer's names while children are folded into it, and collisions with them (`imports` 5, 7.1).

use kitsoki_syntax::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use crate::surface::{Field, Manifest, Map, Text};

/// Who has a name already.
#[derive(Clone, Debug)]
pub(super) enum Owner {
    /// The importer itself.
    Own(Span),
    /// An earlier fold: its alias.
    Fold(Span),
}

/// The names of one section.
pub(super) type Table = FxHashMap<SmolStr, Owner>;

/// The names of every section that is folded.
#[derive(Debug, Default)]
pub(super) struct Tables {
    pub states: Table,
    pub world: Table,
    pub intents: Table,
    pub operations: Table,
    pub interfaces: Table,
    pub modes: Table,
    pub agents: Table,
    pub hosts: FxHashSet<SmolStr>,
}

impl Tables {
    /// The names that the importer declares itself.
    pub fn of(m: &Manifest) -> Self {
        Self {
            states: table(&m.states),
            world: table(&m.world),
            intents: table(&m.intents),
            operations: table(&m.operations),
            interfaces: table(&m.host_interfaces),
            modes: table(&m.meta_modes),
            agents: table(&m.agents),
            hosts: m
                .hosts
                .iter()
                .flat_map(|h| h.items.iter())
                .map(|h| h.text.clone())
                .collect(),
        }
    }
}

fn table<T>(map: &Option<Field<Map<T>>>) -> Table {
    let entries = map.iter().flat_map(|m| m.entries.iter());
    entries
        .map(|e| (e.name.text.clone(), Owner::Own(e.name.span)))
        .collect()
}

/// One name that was taken when a child wanted it.
pub(super) struct Taken {
    /// The author's word for the kind of name.
    pub kind: &'static str,
    /// The child's declaration.
    pub name: Text,
    /// The flat name.
    pub flat: SmolStr,
    pub owner: Owner,
}

/// Adds names of one section, all of them under one alias.
pub(super) struct Adder<'t, T> {
    pub kind: &'static str,
    pub table: &'t mut Table,
    pub map: &'t mut Map<T>,
    pub alias: &'t Text,
    pub taken: &'t mut Vec<Taken>,
}

impl<T: Clone> Adder<'_, T> {
    /// `name` under its flat name. `false` when that is taken.
    pub fn add(&mut self, name: &Text, flat: Text, value: T, null: bool) -> bool {
        if let Some(owner) = self.table.get(&flat.text) {
            self.taken.push(Taken {
                kind: self.kind,
                name: name.clone(),
                flat: flat.text,
                owner: owner.clone(),
            });
            return false;
        }
        self.table.insert(flat.text.clone(), Owner::Fold(self.alias.span));
        self.map.entries.push(crate::surface::MapEntry {
            name: flat,
            value,
            null,
            broken: false,
        });
        true
    }
}

/// The mapping of a section, made when the importer has none.
pub(super) fn section<T: Clone>(field: &mut Option<Field<Map<T>>>, site: Span) -> &mut Map<T> {
    &mut field.get_or_insert_with(|| Field::made(Map::made(site), site)).value
}
