//! What the fold makes of a view (`imports` 6.4).

use super::room::RoomFold;
use crate::surface::{Any, AnyKind, ChoiceBody, Element, ElementKind, Field, View, ViewForm};

impl RoomFold<'_, '_> {
    pub(super) fn view(&mut self, view: &mut View) {
        match &mut view.form {
            ViewForm::Text(text) => self.template_text(text),
            ViewForm::Elements(elements) => elements.iter_mut().for_each(|e| self.element(e)),
            ViewForm::Extends { blocks, .. } => {
                for block in blocks.iter_mut().flat_map(|b| b.value.entries.iter_mut()) {
                    block.value.items.iter_mut().for_each(|e| self.element(e));
                }
            }
            ViewForm::File(_) => {}
        }
    }

    fn element(&mut self, element: &mut Element) {
        self.guard(&mut element.when);
        match &mut element.kind {
            ElementKind::Prose(text)
            | ElementKind::Heading(text)
            | ElementKind::Code(text)
            | ElementKind::Template(text) => self.template_text(text),
            ElementKind::List(list) => {
                for item in list.items.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
                    self.template_text(&mut item.label);
                    self.template(&mut item.hint);
                    self.guard(&mut item.when);
                }
            }
            ElementKind::Kv(kv) => {
                for pair in kv.pairs.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
                    self.leaf_any(&mut pair.value);
                }
            }
            ElementKind::Banner(banner) => {
                self.template(&mut banner.text);
                self.template(&mut banner.subtitle);
                self.untouched(&banner.color);
            }
            ElementKind::Media(media) => {
                for text in [
                    &mut media.handle,
                    &mut media.caption,
                    &mut media.path,
                    &mut media.annotate_url,
                ] {
                    self.template(text);
                }
                if let Some(intent) = &mut media.annotate_intent {
                    self.names().intent(&mut intent.value);
                }
            }
            ElementKind::Choice(choice) => self.choice(&mut choice.0),
            ElementKind::Broken => {}
        }
    }

    fn choice(&mut self, choice: &mut ChoiceBody) {
        self.leaf(&mut choice.prompt);
        self.leaf(&mut choice.template);
        self.bare_leaf(&mut choice.when);
        self.intent_leaf(&mut choice.intent);
        for item in choice.items.iter_mut().flat_map(|l| l.value.items.iter_mut()) {
            self.leaf(&mut item.label);
            self.leaf(&mut item.hint);
            self.bare_leaf(&mut item.when);
            self.intent_leaf(&mut item.intent);
            for slot in item.slots.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
                self.leaf_any(&mut slot.value);
            }
            if let Some(param) = &mut item.param {
                self.leaf(&mut param.value.placeholder);
            }
        }
        for field in choice.fields.iter_mut().flat_map(|m| m.value.entries.iter_mut()) {
            let field = &mut field.value;
            self.bare_leaf(&mut field.when);
            self.bare_leaf(&mut field.expr);
            for text in [
                &mut field.hint,
                &mut field.placeholder,
                &mut field.default,
                &mut field.min,
                &mut field.max,
            ] {
                self.leaf(text);
            }
        }
    }

    /// A value that is rewritten when it is a text itself, one level only.
    fn leaf_any(&mut self, any: &mut Any) {
        if let AnyKind::Text(text) = &mut any.kind {
            self.template_text(text);
        }
    }

    fn leaf(&mut self, field: &mut Option<Field<Any>>) {
        if let Some(field) = field {
            self.leaf_any(&mut field.value);
        }
    }

    fn bare_leaf(&mut self, field: &mut Option<Field<Any>>) {
        if let Some(AnyKind::Text(text)) = field.as_mut().map(|f| &mut f.value.kind) {
            self.guard_text(text);
        }
    }

    fn intent_leaf(&mut self, field: &mut Option<Field<Any>>) {
        if let Some(AnyKind::Text(text)) = field.as_mut().map(|f| &mut f.value.kind) {
            self.names().intent(text);
        }
    }
}
