//! What one text may cost: the caps that turn hostile input into a finding.

/// Caps on one text. Beyond a cap the text gets one fault, and the tree holds what was read up to there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of the whole text. A longer text is not read at all.
    pub max_bytes: usize,
    /// Collections inside of each other. Recursive readers of a tree may rely on it.
    pub max_depth: usize,
    /// Nodes of the tree.
    pub max_nodes: usize,
    /// Nodes that all aliases together may stand for. Beyond it an alias stands for nothing.
    pub max_alias_expansion: usize,
}

impl Default for Limits {
    /// The limits of the product. The deepest real story has some 30 levels and the largest some 20,000 nodes.
    fn default() -> Self {
        Self {
            max_bytes: 64 << 20,
            max_depth: 1_000,
            max_nodes: 4_000_000,
            max_alias_expansion: 1_000_000,
        }
    }
}
