//! Every text of a story that has a language, parsed once: the rules of this group look at one text after the other, and
//! no parsed text is kept.

use kitsoki_expr::{Expr, ExprError, LiteralComparison, Reference, TemplateP, TemplateT};
use kitsoki_syntax::{Span, TextRange};

use super::super::cx::{RoomCx, StoryCx};
use super::super::walk::{self, Role, Scene, TextSite};
use crate::surface::{Intent, Made, Proposal, Text};

/// A text in its language.
#[derive(Debug)]
pub enum Parsed {
    /// A bare expression.
    Expr(Expr),
    /// A brace template.
    T(TemplateT),
    /// A view template.
    P(TemplateP),
    /// Nothing to evaluate.
    Literal,
}

/// One text with its place in the story and what it names.
pub struct Item<'a> {
    /// The text and the role of its position.
    pub site: TextSite<'a>,
    /// The room around it; `None` in proposals and intents.
    pub room: Option<RoomCx<'a>>,
    /// The text in its language.
    pub parsed: Parsed,
    /// What the load refuses.
    pub refused: Vec<ExprError>,
    /// What fails later.
    pub late: Vec<ExprError>,
    /// What it names.
    pub references: Vec<Reference>,
    /// Comparisons with literals.
    pub comparisons: Vec<LiteralComparison>,
}

impl<'a> Item<'a> {
    /// The text.
    pub fn text(&self) -> &'a Text {
        self.site.text
    }

    /// Whether every error list is empty: only then the rest says something.
    pub fn is_sound(&self) -> bool {
        self.refused.is_empty() && self.late.is_empty()
    }

    /// Whether an author wrote it, as it is or renamed.
    pub fn is_written(&self) -> bool {
        self.text().made.is_none()
    }

    /// The author's place of a part.
    pub fn place(&self, cx: &StoryCx<'_>, range: TextRange) -> Span {
        cx.place(self.text(), range)
    }

    /// The present text of a part.
    pub fn slice(&self, range: TextRange) -> &'a str {
        self.text()
            .as_str()
            .get(std::ops::Range::<usize>::from(range))
            .unwrap_or_default()
    }
}

/// Every text of the rooms with a language.
pub fn of_rooms<'a>(cx: &'a StoryCx<'a>, out: &mut dyn FnMut(&Item<'a>)) {
    for room in cx.rooms() {
        for site in walk::texts(room.room()) {
            if let Some(item) = item(site, Some(room)) {
                out(&item);
            }
        }
    }
}

/// The texts outside of rooms, and those that nothing evaluates.
pub fn outside<'a>(cx: &'a StoryCx<'a>, out: &mut dyn FnMut(&Item<'a>)) {
    let local = cx.rooms().filter_map(|r| r.room().intents.as_deref());
    for intents in cx.story.manifest.intents.as_deref().into_iter().chain(local) {
        for intent in &intents.entries {
            validators(&intent.value, out);
        }
    }
    for entry in cx
        .story
        .manifest
        .proposals
        .as_deref()
        .into_iter()
        .flat_map(|p| p.entries.iter())
    {
        of_proposal(&entry.value, out);
    }
}

/// Validators of slots, which nothing evaluates: only whether they can be read is looked at.
fn validators<'a>(intent: &'a Intent, out: &mut dyn FnMut(&Item<'a>)) {
    for slot in intent.slots.as_deref().into_iter().flat_map(|s| s.entries.iter()) {
        let Some(text) = slot.value.validator.as_ref() else {
            continue;
        };
        let (role, scene) = (Role::LateExpr, Scene::Guard);
        let site = TextSite {
            text: &text.value,
            role,
            key: "validator",
            effect: None,
            intent: None,
            scene,
        };
        if let Some(item) = item(site, None).filter(|i| !i.late.is_empty()) {
            out(&item);
        }
    }
}

/// The reference compiles nothing of a proposal.
fn of_proposal<'a>(proposal: &'a Proposal, out: &mut dyn FnMut(&Item<'a>)) {
    let site = |text, role, key| TextSite {
        text,
        role,
        key,
        effect: None,
        intent: None,
        scene: Scene::Effect,
    };
    let guard = proposal.policy.as_deref().and_then(|p| p.auto_accept_if.as_ref());
    if let Some(item) = guard.and_then(|g| item(site(&g.value, Role::LateExpr, "auto_accept_if"), None)) {
        out(&item);
    }
    let Some(execute) = proposal.execute.as_deref() else {
        return;
    };
    for entry in execute.with.as_deref().into_iter().flat_map(|w| w.entries.iter()) {
        entry.value.for_each_text(&mut |text| {
            if let Some(item) = item(site(text, Role::Bind, "with"), None) {
                out(&item);
            }
        });
    }
}

/// Parses one text; `None` when it is empty or plain.
pub fn item<'a>(site: TextSite<'a>, room: Option<RoomCx<'a>>) -> Option<Item<'a>> {
    let text = site.text.as_str();
    let built_in = matches!(
        site.text.made,
        Some(Made::StoryAuthoring | Made::MetaModes | Made::Builtin)
    );
    if text.is_empty() || built_in {
        return None;
    }
    let mut item = Item {
        site,
        room,
        parsed: Parsed::Literal,
        refused: Vec::new(),
        late: Vec::new(),
        references: Vec::new(),
        comparisons: Vec::new(),
    };
    match site.role {
        Role::Guard => expression(&mut item, kitsoki_expr::Mode::Guard, true),
        Role::Expr => expression(&mut item, kitsoki_expr::Mode::Value, true),
        Role::Truthy | Role::LateExpr => expression(&mut item, kitsoki_expr::Mode::Value, false),
        Role::Value | Role::EmitIntent => template_t(&mut item, true),
        Role::Bind | Role::CompleteTarget => template_t(&mut item, false),
        Role::View => template_p(&mut item, false),
        Role::ViewChecked => template_p(&mut item, true),
        Role::Both => {
            if text.contains("{{") {
                item.refused = kitsoki_expr::check_t_load(text);
            }
            if item.refused.is_empty() {
                template_p(&mut item, false);
            }
        }
        Role::Literal => {}
    }
    Some(item)
}

fn expression(item: &mut Item<'_>, mode: kitsoki_expr::Mode, load: bool) {
    let text = item.text().as_str();
    let errors = match kitsoki_expr::compile_expr(text, mode) {
        Ok(program) => {
            item.references = program.expr().references();
            item.comparisons = program.expr().literal_comparisons();
            item.parsed = Parsed::Expr(program.expr().clone());
            return;
        }
        Err(errors) => errors,
    };
    // Half an expression still names keys.
    let (expr, _) = kitsoki_expr::parse_expr(text);
    item.references = expr.references();
    item.parsed = Parsed::Expr(expr);
    if load {
        item.refused = errors;
    } else {
        item.late = errors;
    }
}

fn template_t(item: &mut Item<'_>, load: bool) {
    let text = item.text().as_str();
    if !text.contains("{{") {
        return;
    }
    let (template, errors) = kitsoki_expr::parse_t(text);
    if load {
        item.refused = kitsoki_expr::check_t_load(text);
    } else {
        item.late = kitsoki_expr::check_t_load(text);
        if item.late.is_empty() {
            item.late = errors;
        }
    }
    item.references = template.references();
    item.comparisons = template.literal_comparisons();
    item.parsed = Parsed::T(template);
}

fn template_p(item: &mut Item<'_>, load: bool) {
    let text = item.text().as_str();
    if !text.contains("{{") && !text.contains("{%") {
        return;
    }
    let (template, errors) = kitsoki_expr::parse_p(text);
    if load {
        item.refused = errors;
    } else {
        item.late = errors;
    }
    item.references = template.references();
    item.comparisons = template.literal_comparisons();
    item.parsed = Parsed::P(template);
}
