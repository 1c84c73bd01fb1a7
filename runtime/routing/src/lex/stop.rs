//! The built-in stop words: words that say nothing about what is meant. Short on purpose: `not`, `up`, `into`, `can` are
//! content (`dispatch` 5.3).

/// The list. Words that stemming changes stand in it in both forms.
pub(super) const WORDS: [&str; 65] = [
    "a", "an", "the", //
    "and", "or", "but", //
    "of", "in", "on", "at", "to", "for", "from", "with", "by", //
    "i", "me", "my", "mine", "we", "us", "our", "ours", "you", "your", "yours", //
    "he", "him", "his", "she", "her", "hers", "it", "its", "they", "them", "their", "theirs", //
    "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "done", //
    "this", "that", "these", "those", //
    "let", "let's", "lets", "please", "pleas", "just", "only", "onli", "also", "too", "s",
];
