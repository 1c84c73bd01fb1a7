//! Filters that choose or count words.

use super::{Filtered, refused};
use crate::template::p::value::P;

pub(super) fn yesno(input: &P, argument: &P) -> Filtered {
    let words = argument.text();
    let mut choices = ["yes", "no", "maybe"].map(str::to_owned);
    if !words.is_empty() {
        let given: Vec<&str> = words.split(',').collect();
        if !(2..=3).contains(&given.len()) {
            return Err(refused("`yesno` takes two or three words with commas between them"));
        }
        for (choice, word) in choices.iter_mut().zip(given) {
            word.clone_into(choice);
        }
    }
    let [yes, no, maybe] = choices;
    Ok(P::from(if input.is_nil() {
        maybe
    } else if input.is_true() {
        yes
    } else {
        no
    }))
}

pub(super) fn pluralize(input: &P, argument: &P) -> Filtered {
    if !input.is_number() {
        return Err(refused("`pluralize` works on numbers only"));
    }
    let many = input.integer() != 1;
    if argument.len() == 0 {
        return Ok(P::from(if many { "s" } else { "" }));
    }
    let endings = argument.text();
    let endings: Vec<&str> = endings.split(',').collect();
    match endings.as_slice() {
        [ending] => Ok(P::from(if many { *ending } else { "" })),
        [one, other] => Ok(P::from(if many { *other } else { *one })),
        _ => Err(refused("`pluralize` takes one or two endings")),
    }
}

pub(super) fn truncate(input: &P, argument: &P) -> P {
    let text = input.text();
    let Ok(limit) = usize::try_from(argument.integer()) else {
        return P::from("");
    };
    if limit == 0 {
        return P::from("");
    }
    let mut words = text.split_whitespace();
    let mut kept: Vec<&str> = words.by_ref().take(limit).collect();
    if words.next().is_some() {
        kept.push("...");
    }
    P::from(kept.join(" "))
}

/// Letters as the digits of a phone's keys.
pub(super) fn phone(input: &P) -> P {
    let digits = input
        .text()
        .chars()
        .map(|c| match c.to_ascii_lowercase() {
            'a'..='c' => '2',
            'd'..='f' => '3',
            'g'..='i' => '4',
            'j'..='l' => '5',
            'm'..='o' => '6',
            'p'..='s' => '7',
            't'..='v' => '8',
            'w'..='z' => '9',
            _ => c,
        })
        .collect::<String>();
    P::from(digits)
}
