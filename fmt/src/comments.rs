//! Where a comment on its own line goes: to the column of the collection that it stood in before.

/// A collection that is open, with the column of its entries before and after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Level {
    pub from: usize,
    pub to: usize,
}

/// The collections that are open at a place, outermost first.
#[derive(Default)]
pub(crate) struct Levels(Vec<Level>);

impl Levels {
    /// An entry of a collection begins: what is deeper has ended.
    pub fn enter(&mut self, level: Level) {
        while self.0.last().is_some_and(|last| last.to >= level.to) {
            self.0.pop();
        }
        self.0.push(level);
    }

    /// A document begins or ends.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The new column of a comment that stood at `from`; `next` is what begins behind the comment, if anything does.
    pub fn comment(&self, from: usize, next: Option<Level>) -> usize {
        if let Some(next) = next {
            let deeper = self.0.last().is_none_or(|last| next.to > last.to);
            let inside = self.0.last().is_none_or(|last| from > last.from);
            // With what follows, also a little left or right of a collection that only begins there.
            if from == next.from || (deeper && inside) {
                return next.to;
            }
        }
        // With what went before: the innermost collection that is not right of it.
        let level = self.0.iter().rev().find(|level| level.from <= from);
        level.map_or(0, |level| level.to)
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Levels};

    fn level(from: usize, to: usize) -> Level {
        Level { from, to }
    }

    #[test]
    fn a_comment_goes_with_what_it_stood_below_or_above() {
        let mut levels = Levels::default();
        levels.enter(level(0, 0));
        levels.enter(level(4, 2));
        levels.enter(level(8, 4));
        assert_eq!(levels.comment(4, Some(level(0, 0))), 2, "the end of the middle one");
        assert_eq!(levels.comment(0, Some(level(0, 0))), 0);
        assert_eq!(levels.comment(8, Some(level(4, 2))), 4);
        assert_eq!(
            levels.comment(6, Some(level(0, 0))),
            2,
            "between two columns: the outer one"
        );
        assert_eq!(
            levels.comment(10, Some(level(12, 6))),
            6,
            "before the first of a new one"
        );
        levels.enter(level(4, 2));
        assert_eq!(levels.comment(8, None), 2, "the innermost has ended");
    }
}
