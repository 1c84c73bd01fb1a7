//! The tier of embeddings: the allowed intent whose name is nearest in meaning to the text (`dispatch` 5.9).

use kitsoki_expr::Map;
use smol_str::SmolStr;

use crate::services::{Answer, Embedding, Question};
use crate::situation::Situation;
use crate::verdict::{Candidate, EMBEDDING, Hit, MatchKind, Verdict};

const REASON: &str = "embed";

/// The nearest intent; the two nearest when they are too near to each other; nothing when none is near enough or the
/// vectors could not be had.
pub(crate) fn classify(at: &dyn Situation, embedding: &Embedding) -> Result<Option<Verdict>, Question> {
    let vectors = match &embedding.vectors {
        _ if at.allowed().is_empty() => return Ok(None),
        Answer::Unasked => {
            return Err(Question::Vectors {
                intents: at.allowed().to_vec(),
            });
        }
        Answer::Failed => return Ok(None),
        Answer::Given(vectors) => vectors,
    };
    let score = |name: &SmolStr| Some((name.clone(), f64::from(dot(vectors.intents.get(name)?, &vectors.text))));
    let mut ranked: Vec<(SmolStr, f64)> = at.allowed().iter().filter_map(score).collect();
    let mut rest = ranked.as_mut_slice();
    for _ in 0..2 {
        let Some(nearest) = first_largest(rest) else { break };
        rest.swap(0, nearest);
        rest = rest.get_mut(1..).unwrap_or_default();
    }
    let Some((first, best)) = ranked.first() else {
        return Ok(None);
    };
    if *best < embedding.bar {
        return Ok(None);
    }
    if let Some((second, next)) = ranked.get(1)
        && best - next < embedding.margin
    {
        let candidates = [first, second].map(|intent| Candidate {
            intent: intent.clone(),
            reason: REASON.to_owned(),
        });
        return Ok(Some(Verdict::Tie(candidates.to_vec())));
    }
    Ok(Some(Verdict::Hit(Hit {
        intent: first.clone(),
        slots: Map::new(),
        missing: Vec::new(),
        confidence: EMBEDDING,
        reason: REASON.to_owned(),
        kind: MatchKind::Embedding,
    })))
}

fn first_largest(scores: &[(SmolStr, f64)]) -> Option<usize> {
    let (at, _) = scores
        .iter()
        .enumerate()
        .reduce(|a, b| if b.1.1 > a.1.1 { b } else { a })?;
    Some(at)
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}
