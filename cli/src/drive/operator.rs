//! The operator of a driven session: answers that the line of the turn brought, in their order.

use std::collections::VecDeque;
use std::sync::Mutex;

use kitsoki_hosts::agents::gate::{Operator, Question};
use kitsoki_hosts::cancel::Cancel;
use serde_json::{Value as Json, json};

use super::locked;

/// Answers one after the other; none when they are spent.
#[derive(Default)]
pub struct Listed {
    answers: Mutex<VecDeque<String>>,
    asked: Mutex<Vec<Json>>,
}

impl Listed {
    /// With these answers.
    pub fn new(answers: Vec<String>) -> Self {
        Self {
            answers: Mutex::new(answers.into()),
            asked: Mutex::default(),
        }
    }

    /// The questions so far.
    pub fn asked(&self) -> Vec<Json> {
        locked(&self.asked).clone()
    }
}

impl Operator for Listed {
    fn ask(&self, question: &Question, _: &Cancel) -> Vec<String> {
        let labels: Vec<&str> = question.options.iter().map(|(label, _)| label.as_str()).collect();
        let told = json!({"question": question.question, "header": question.header, "options": labels});
        locked(&self.asked).push(told);
        locked(&self.answers).pop_front().into_iter().collect()
    }
}
