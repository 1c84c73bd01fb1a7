//! What becomes of free text in a story: from what a person writes to an intent with slots, without a model (`dispatch` 5).
//!
//! The package is pure: it reads no file and no clock and asks nobody. A story's phrases are compiled once ([`Phrases`]);
//! [`route`] takes a text through the tiers and says what becomes of it, or what must be asked first. It does not run
//! stories: whoever does implements [`Situation`].
//!
//! | Module | What it holds |
//! |---|---|
//! | [`lex`] | words, stems, stop words, numbers in words, signatures |
//! | [`slots`] | values of slots in words: numbers, money, choices, dates, lists |
//! | [`phrases`], [`template`] | the compiled synonyms, examples and templates of a story |
//! | [`matching`] | a text against them |
//! | [`menu`] | a text that is a row of the menu |
//! | [`cache`] | the turn cache |
//! | [`services`] | what routing may use, and what it asks for |
//! | [`mod@route`] | the tiers in their order |
//! | [`decision`], [`verdict`] | what became of a text |
//! | [`explain`] | the phrases that lost, and why |
//! | [`audit`] | what is odd about the phrases of a story |
//! | [`situation`] | where a session stands |

pub mod audit;
pub mod cache;
mod context;
pub mod decision;
mod embedding;
pub mod explain;
mod fold;
pub mod lex;
pub mod matching;
pub mod menu;
pub mod phrases;
pub mod route;
pub mod services;
pub mod situation;
pub mod slots;
pub mod template;
pub mod verdict;

pub use cache::{CacheUse, TurnCache};
pub use decision::{Decision, Outcome, Routed, Tier};
pub use phrases::{Phrases, Readiness};
pub use route::{classify, route};
pub use services::{Agents, Answer, Embedding, Question, Services};
pub use situation::{MenuRow, Refusal, Situation};
