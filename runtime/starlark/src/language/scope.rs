//! Where a name is looked for: the blocks of the running function, the functions around it, the globals of the file,
//! the names given to every script.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::ast::{Binding, Layout};

/// One function being resolved; the first one is the top level of the file.
#[derive(Default)]
pub(super) struct FunctionScope {
    /// Innermost last. The first block holds the function's own names, further ones belong to comprehensions.
    blocks: Vec<HashMap<Rc<str>, u32>>,
    layout: Layout,
    /// Slot of a function further out, by its depth, and the free variable that it became here.
    borrowed: HashMap<(usize, u32), u32>,
    shared: HashSet<u32>,
    pub(super) loops: usize,
}

impl FunctionScope {
    pub(super) fn open_block(&mut self) {
        self.blocks.push(HashMap::new());
    }

    pub(super) fn close_block(&mut self) {
        self.blocks.pop();
    }

    /// Gives the name a slot in the innermost block, the one it has when it was there before.
    pub(super) fn declare(&mut self, name: &Rc<str>) -> u32 {
        let next = u32::try_from(self.layout.slots).unwrap_or(u32::MAX);
        let Some(block) = self.blocks.last_mut() else {
            return next;
        };
        if let Some(slot) = block.get(name) {
            return *slot;
        }
        block.insert(name.clone(), next);
        self.layout.slots += 1;
        next
    }

    fn find(&self, name: &str) -> Option<u32> {
        self.blocks.iter().rev().find_map(|block| block.get(name).copied())
    }

    fn share(&mut self, slot: u32) {
        if self.shared.insert(slot) {
            self.layout.shared.push(slot);
        }
    }

    fn borrow(&mut self, owner: (usize, u32), from: Binding) -> u32 {
        let next = u32::try_from(self.layout.free.len()).unwrap_or(u32::MAX);
        *self.borrowed.entry(owner).or_insert_with(|| {
            self.layout.free.push(from);
            next
        })
    }

    pub(super) fn into_layout(self) -> Layout {
        self.layout
    }
}

/// The functions around the place that is being resolved, outermost first.
#[derive(Default)]
pub(super) struct Scopes {
    functions: Vec<FunctionScope>,
}

impl Scopes {
    pub(super) fn push(&mut self, scope: FunctionScope) {
        self.functions.push(scope);
    }

    pub(super) fn pop(&mut self) -> FunctionScope {
        self.functions.pop().unwrap_or_default()
    }

    pub(super) fn top(&mut self) -> Option<&mut FunctionScope> {
        self.functions.last_mut()
    }

    pub(super) fn depth(&self) -> usize {
        self.functions.len()
    }

    /// The binding of a name that some function around owns, captured on the way where needed.
    pub(super) fn find(&mut self, name: &Rc<str>) -> Option<Binding> {
        let last = self.functions.len().checked_sub(1)?;
        let (owner, slot) = self
            .functions
            .iter()
            .enumerate()
            .rev()
            .find_map(|(i, f)| f.find(name).map(|slot| (i, slot)))?;
        if owner == last {
            return Some(Binding::Local(slot));
        }
        self.functions.get_mut(owner)?.share(slot);
        let mut binding = Binding::Local(slot);
        for function in self.functions.iter_mut().skip(owner + 1) {
            binding = Binding::Free(function.borrow((owner, slot), binding));
        }
        Some(binding)
    }
}
