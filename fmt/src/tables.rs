//! Rows in brackets that an author wrote as a table: the values of adjacent pairs or items, each on its line, whose cells stood
//! below each other, keep doing so.
//!
//! ```text
//! - { value: regen,  label: Regen }
//! - { value: haste,  label: Haste }
//! - { value: shield, label: Shield }
//! ```

use kitsoki_syntax::{LineIndex, NodeId, NodeKind, TextSize, Tree};

use crate::layout::{Gaps, blanks};
use crate::tokens::{Kind, Token};

/// A row: its column now, and its cells.
struct Row<'t> {
    column: u32,
    cells: Vec<Cell<'t>>,
    /// The width of the cells that have their place, from the bracket on.
    placed: usize,
}

/// A cell: its tokens, the comma behind it among them.
struct Cell<'t> {
    column: u32,
    tokens: &'t [Token],
}

/// Adds the blanks before the cells of tables.
pub(crate) fn gaps(text: &str, tree: &Tree, tokens: &[Token], gaps: &mut Gaps) {
    let index = LineIndex::new(text);
    for id in tree.ids() {
        let node = tree.node(id);
        let values: Vec<NodeId> = match &node.kind {
            _ if node.flow => continue,
            NodeKind::Mapping(entries) => entries.iter().map(|entry| entry.value).collect(),
            NodeKind::Sequence(items) => items.clone(),
            _ => continue,
        };
        let mut rows: Vec<Row<'_>> = Vec::new();
        for value in values {
            match row(text, tree, tokens, &index, value) {
                Some(row) => rows.push(row),
                None => table(text, &mut std::mem::take(&mut rows), gaps),
            }
        }
        table(text, &mut rows, gaps);
    }
}

/// The row that a value is, when it is one.
fn row<'t>(text: &str, tree: &Tree, tokens: &'t [Token], index: &LineIndex, value: NodeId) -> Option<Row<'t>> {
    let node = tree.node(value);
    let is_collection = matches!(node.kind, NodeKind::Mapping(_) | NodeKind::Sequence(_));
    let source = text.get(std::ops::Range::<usize>::from(node.range))?;
    if !is_collection || !node.flow || source.contains(['\n', '\r']) {
        return None;
    }
    let (start, end) = (usize::from(node.range.start()), usize::from(node.range.end()));
    let first = tokens.partition_point(|token| token.start < start);
    let last = tokens.partition_point(|token| token.start < end);
    // Without its brackets.
    let inside = tokens.get(first + 1..last.checked_sub(1)?)?;
    let column = |at: usize| index.line_col(TextSize::try_from(at).unwrap_or_default()).col;
    let mut depth = 0usize;
    let cells = inside.split_inclusive(|token| {
        match token.kind {
            Kind::Open { .. } => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        token.kind == Kind::Comma && depth == 0
    });
    let cells = cells.filter_map(|tokens| {
        Some(Cell {
            column: column(tokens.first()?.start),
            tokens,
        })
    });
    Some(Row {
        column: column(start),
        cells: cells.collect(),
        placed: if source.starts_with('{') { 2 } else { 1 },
    })
}

/// Places the cells of adjacent rows, column by column.
fn table(text: &str, rows: &mut [Row<'_>], gaps: &mut Gaps) {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or_default();
    for number in 0..columns {
        let mut rest = &mut *rows;
        while let Some(first) = rest.first() {
            let place = |row: &Row<'_>| Some((row.column, row.cells.get(number)?.column));
            let at = place(first);
            let len = rest.iter().take_while(|row| place(row) == at).count();
            let Some((group, behind)) = rest.split_at_mut_checked(len.max(1)) else {
                break;
            };
            if at.is_some() {
                column(text, group, number, gaps);
            }
            rest = behind;
        }
    }
}

/// Places one cell of each row that stood below each other.
fn column(text: &str, rows: &mut [Row<'_>], number: usize, gaps: &mut Gaps) {
    let widest = rows.iter().map(|row| row.placed).max().unwrap_or_default();
    for row in rows {
        let Some(cell) = row.cells.get(number) else { continue };
        if number > 0
            && let Some(first) = cell.tokens.first()
        {
            gaps.insert(first.start, widest - row.placed + 1);
            row.placed = widest + 1;
        }
        row.placed += width(text, cell.tokens, gaps);
    }
}

/// The width of the tokens of a cell as they will stand.
fn width(text: &str, tokens: &[Token], gaps: &Gaps) -> usize {
    let own = |token: &Token| text.get(token.start..token.end).map_or(0, |text| text.chars().count());
    let between = tokens.windows(2).map(|pair| match pair {
        [before, token] => blanks(text, gaps, before, token, true),
        _ => 0,
    });
    tokens.iter().map(own).sum::<usize>() + between.sum::<usize>()
}
