//! Binds every name of a tree and refuses what the dialect does not have. A file that passes can only fail by running.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::SyntaxFault;
use super::ast::{
    Binding, Body, Call, Clause, Comprehension, Expr, File, FunctionDef, Name, Parameter, ParameterKind, Place, Stmt,
};
use super::scope::{FunctionScope, Scopes};

type Resolved = Result<(), SyntaxFault>;

/// Resolves a file. `given` tells the index of a name that every script has; `path` is used in messages only.
pub(crate) fn resolve(file: &File, path: &str, given: &dyn Fn(&str) -> Option<u32>) -> Resolved {
    let mut resolver = Resolver {
        scopes: Scopes::default(),
        globals: HashMap::new(),
        order: Vec::new(),
        given,
        path,
        undefined: None,
    };
    // Globals may be used by functions that stand before them.
    let mut names = Vec::new();
    collect(&file.statements, &mut names);
    for name in names {
        resolver.global(&name.text);
    }
    let mut top = FunctionScope::default();
    top.open_block();
    resolver.scopes.push(top);
    resolver.block(&file.statements)?;
    if let Some(fault) = resolver.undefined {
        return Err(fault);
    }
    let _ = file.layout.set(resolver.scopes.pop().into_layout());
    let _ = file.globals.set(resolver.order);
    Ok(())
}

struct Resolver<'a> {
    scopes: Scopes,
    /// Slot of each global and where it was bound first, once that has been passed.
    globals: HashMap<Rc<str>, (u32, Option<Place>)>,
    order: Vec<Rc<str>>,
    given: &'a dyn Fn(&str) -> Option<u32>,
    path: &'a str,
    /// The first unknown name: reported when nothing else is wrong.
    undefined: Option<SyntaxFault>,
}

/// The names that statements bind in their own function, in order.
fn collect<'t>(statements: &'t [Stmt], out: &mut Vec<&'t Name>) {
    for statement in statements {
        match statement {
            Stmt::Assign { target, .. } => targets(target, out),
            Stmt::Def { name, .. } => out.push(name),
            Stmt::For { target, body, .. } => {
                targets(target, out);
                collect(body, out);
            }
            Stmt::If { branches, otherwise } => {
                for (_, _, body) in branches {
                    collect(body, out);
                }
                collect(otherwise, out);
            }
            Stmt::While { body, .. } => collect(body, out),
            Stmt::Load { bound, .. } => out.extend(bound),
            Stmt::Expr(_)
            | Stmt::Return { .. }
            | Stmt::Break { .. }
            | Stmt::Continue { .. }
            | Stmt::Pass
            | Stmt::Mark(_) => {}
        }
    }
}

fn targets<'t>(target: &'t Expr, out: &mut Vec<&'t Name>) {
    match target {
        Expr::Name(name) => out.push(name),
        Expr::List { items, .. } | Expr::Tuple { items, .. } => items.iter().for_each(|item| targets(item, out)),
        _ => {}
    }
}

impl Resolver<'_> {
    fn global(&mut self, name: &Rc<str>) {
        if !self.globals.contains_key(name) {
            let slot = u32::try_from(self.order.len()).unwrap_or(u32::MAX);
            self.globals.insert(name.clone(), (slot, None));
            self.order.push(name.clone());
        }
    }

    fn at_top(&self) -> bool {
        self.scopes.depth() == 1
    }

    fn in_loop(&mut self) -> bool {
        self.scopes.top().is_some_and(|f| f.loops > 0)
    }

    fn looping(&mut self, body: &[Stmt]) -> Resolved {
        if let Some(f) = self.scopes.top() {
            f.loops += 1;
        }
        self.block(body)?;
        if let Some(f) = self.scopes.top() {
            f.loops -= 1;
        }
        Ok(())
    }

    fn block(&mut self, statements: &[Stmt]) -> Resolved {
        statements.iter().try_for_each(|s| self.statement(s))
    }

    fn statement(&mut self, statement: &Stmt) -> Resolved {
        match statement {
            Stmt::Expr(expr) => self.expr(expr),
            Stmt::Assign { target, op, value, .. } => {
                self.expr(value)?;
                self.assign(target, op.is_some())
            }
            Stmt::Def { name, function } => {
                self.bind(name)?;
                self.function(function)
            }
            Stmt::For {
                at,
                target,
                iterable,
                body,
            } => {
                if self.at_top() {
                    return Err(SyntaxFault::new(*at, "for loop not within a function"));
                }
                self.expr(iterable)?;
                self.assign(target, false)?;
                self.looping(body)
            }
            Stmt::While { at, condition, body } => {
                let _ = (condition, body);
                Err(SyntaxFault::new(
                    *at,
                    "this Starlark dialect does not support while loops",
                ))
            }
            Stmt::If { branches, otherwise } => {
                if let (true, Some((at, _, _))) = (self.at_top(), branches.first()) {
                    return Err(SyntaxFault::new(*at, "if statement not within a function"));
                }
                for (_, condition, body) in branches {
                    self.expr(condition)?;
                    self.block(body)?;
                }
                self.block(otherwise)
            }
            Stmt::Return { at, value } => {
                if self.at_top() {
                    return Err(SyntaxFault::new(*at, "return statement not within a function"));
                }
                value.as_ref().map_or(Ok(()), |v| self.expr(v))
            }
            Stmt::Break { at } if !self.in_loop() => Err(SyntaxFault::new(*at, "break not in a loop")),
            Stmt::Continue { at } if !self.in_loop() => Err(SyntaxFault::new(*at, "continue not in a loop")),
            Stmt::Break { .. } | Stmt::Continue { .. } | Stmt::Pass | Stmt::Mark(_) => Ok(()),
            Stmt::Load { at, bound } => {
                if !self.at_top() {
                    return Err(SyntaxFault::new(*at, "load statement within a function"));
                }
                bound.iter().try_for_each(|name| self.bind(name))
            }
        }
    }

    fn assign(&mut self, target: &Expr, augmented: bool) -> Resolved {
        let (kind, at, items) = match target {
            Expr::Name(name) => return self.bind(name),
            Expr::Index { object, index, .. } => {
                self.expr(object)?;
                return self.expr(index);
            }
            Expr::Dot { object, .. } => return self.expr(object),
            Expr::List { at, items } => ("list", at, items),
            Expr::Tuple { at, items } => ("tuple", at, items),
            other => {
                let (name, at) = kind(other);
                return Err(SyntaxFault::new(at, format!("can't assign to {name}")));
            }
        };
        if augmented {
            return Err(SyntaxFault::new(
                *at,
                format!("can't use {kind} expression in augmented assignment"),
            ));
        }
        items.iter().try_for_each(|item| self.assign(item, false))
    }

    /// Binds a name in the block it is declared in; a global only once.
    fn bind(&mut self, name: &Name) -> Resolved {
        if !self.at_top() {
            let slot = self.scopes.top().map_or(0, |f| f.declare(&name.text));
            let _ = name.binding.set(Binding::Local(slot));
            return Ok(());
        }
        let path = self.path;
        match self.globals.get_mut(&name.text) {
            Some((_, Some(first))) => Err(SyntaxFault::new(
                name.at,
                format!(
                    "cannot reassign global {} declared at {path}:{}:{}",
                    name.text, first.line, first.column
                ),
            )),
            Some((slot, first)) => {
                *first = Some(name.at);
                let _ = name.binding.set(Binding::Global(*slot));
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn bind_in_block(&mut self, target: &Expr) -> Resolved {
        match target {
            Expr::Name(name) => {
                let slot = self.scopes.top().map_or(0, |f| f.declare(&name.text));
                let _ = name.binding.set(Binding::Local(slot));
                Ok(())
            }
            Expr::List { items, .. } | Expr::Tuple { items, .. } => {
                items.iter().try_for_each(|i| self.bind_in_block(i))
            }
            other => self.assign(other, false),
        }
    }

    fn function(&mut self, def: &FunctionDef) -> Resolved {
        check_parameters(&def.parameters)?;
        for parameter in &def.parameters {
            if let ParameterKind::Default(value) = &parameter.kind {
                self.expr(value)?;
            }
        }
        let mut scope = FunctionScope::default();
        scope.open_block();
        for parameter in &def.parameters {
            // A bare `*` has a slot too, so that slots and parameters run in step; no name can reach it.
            let slot = scope.declare(&parameter.name.text);
            let _ = parameter.name.binding.set(Binding::Local(slot));
        }
        if let Body::Block(body) = &def.body {
            let mut names = Vec::new();
            collect(body, &mut names);
            for name in names {
                scope.declare(&name.text);
            }
        }
        self.scopes.push(scope);
        match &def.body {
            Body::Block(body) => self.block(body)?,
            Body::Expr(expr) => self.expr(expr)?,
        }
        let _ = def.layout.set(self.scopes.pop().into_layout());
        Ok(())
    }

    fn use_name(&mut self, name: &Name) {
        let binding = self
            .scopes
            .find(&name.text)
            .or_else(|| self.globals.get(&name.text).map(|(slot, _)| Binding::Global(*slot)))
            .or_else(|| (self.given)(&name.text).map(Binding::Given));
        if let Some(binding) = binding {
            let _ = name.binding.set(binding);
        } else if self.undefined.is_none() {
            let text = if &*name.text == "set" {
                "this Starlark dialect does not support sets".to_owned()
            } else {
                format!("undefined: {}", name.text)
            };
            self.undefined = Some(SyntaxFault::new(name.at, text));
        }
    }

    fn expr(&mut self, expr: &Expr) -> Resolved {
        match expr {
            Expr::Name(name) => {
                self.use_name(name);
                Ok(())
            }
            Expr::Int(_) | Expr::BigInt(_) | Expr::Float(_) | Expr::Text(_) | Expr::Bytes(_) => Ok(()),
            Expr::List { items, .. } | Expr::Tuple { items, .. } => items.iter().try_for_each(|i| self.expr(i)),
            Expr::Dict { entries, .. } => entries.iter().try_for_each(|e| {
                self.expr(&e.key)?;
                self.expr(&e.value)
            }),
            Expr::Comprehension(c) => self.comprehension(c),
            Expr::Conditional(c) => {
                self.expr(&c.condition)?;
                self.expr(&c.yes)?;
                self.expr(&c.no)
            }
            Expr::Lambda(def) => self.function(def),
            Expr::Unary { operand, .. } => self.expr(operand),
            Expr::Binary { first, rest } => {
                self.expr(first)?;
                rest.iter().try_for_each(|o| self.expr(&o.value))
            }
            Expr::Dot { object, .. } => self.expr(object),
            Expr::Index { object, index, .. } => {
                self.expr(object)?;
                self.expr(index)
            }
            Expr::Slice(s) => {
                self.expr(&s.object)?;
                [&s.low, &s.high, &s.step]
                    .into_iter()
                    .flatten()
                    .try_for_each(|e| self.expr(e))
            }
            Expr::Call(call) => self.call(call),
        }
    }

    fn call(&mut self, call: &Call) -> Resolved {
        self.expr(&call.function)?;
        call.positional.iter().try_for_each(|e| self.expr(e))?;
        call.named.iter().try_for_each(|(_, e)| self.expr(e))?;
        call.star.iter().chain(&call.star_star).try_for_each(|e| self.expr(e))
    }

    /// The first iterable is looked up outside, everything else inside.
    fn comprehension(&mut self, c: &Comprehension) -> Resolved {
        let mut opened = false;
        for clause in &c.clauses {
            match clause {
                Clause::For { target, iterable, .. } => {
                    self.expr(iterable)?;
                    if let (false, Some(f)) = (opened, self.scopes.top()) {
                        f.open_block();
                        opened = true;
                    }
                    self.bind_in_block(target)?;
                }
                Clause::If { condition } => self.expr(condition)?,
            }
        }
        if let Some((key, _)) = &c.key {
            self.expr(key)?;
        }
        self.expr(&c.value)?;
        if let (true, Some(f)) = (opened, self.scopes.top()) {
            f.close_block();
        }
        Ok(())
    }
}

fn check_parameters(parameters: &[Parameter]) -> Resolved {
    let (mut optional, mut star, mut star_star) = (false, None::<&Parameter>, false);
    let mut keyword_only = 0;
    let mut seen = HashSet::new();
    for parameter in parameters {
        let at = parameter.name.at;
        if star_star {
            return Err(SyntaxFault::new(at, "parameter may not follow **kwargs"));
        }
        match parameter.kind {
            ParameterKind::Plain => {
                if star.is_some() {
                    keyword_only += 1;
                } else if optional {
                    return Err(SyntaxFault::new(at, "required parameter may not follow optional"));
                }
            }
            ParameterKind::Default(_) => {
                optional = true;
                keyword_only += usize::from(star.is_some());
            }
            ParameterKind::Star => {
                if star.is_some() {
                    return Err(SyntaxFault::new(at, "multiple * parameters not allowed"));
                }
                star = Some(parameter);
            }
            ParameterKind::StarStar => star_star = true,
        }
        let text = &parameter.name.text;
        if !text.is_empty() && !seen.insert(text.clone()) {
            return Err(SyntaxFault::new(at, format!("duplicate parameter: {text}")));
        }
    }
    match star {
        Some(bare) if bare.name.text.is_empty() && keyword_only == 0 => Err(SyntaxFault::new(
            bare.name.at,
            "bare * must be followed by keyword-only parameters",
        )),
        _ => Ok(()),
    }
}

/// What an expression is called when it cannot be assigned to, and where it begins.
fn kind(expr: &Expr) -> (&'static str, Place) {
    match expr {
        Expr::Name(n) => ("ident", n.at),
        Expr::Int(_) | Expr::BigInt(_) | Expr::Float(_) | Expr::Text(_) | Expr::Bytes(_) => {
            ("literal", Place::default())
        }
        Expr::List { at, .. } => ("listexpr", *at),
        Expr::Tuple { at, .. } => ("tupleexpr", *at),
        Expr::Dict { at, .. } => ("dictexpr", *at),
        Expr::Comprehension(c) => ("comprehension", c.at),
        Expr::Conditional(c) => ("condexpr", start(&c.yes)),
        Expr::Lambda(d) => ("lambdaexpr", d.at),
        Expr::Unary { at, .. } => ("unaryexpr", *at),
        Expr::Binary { first, .. } => ("binaryexpr", start(first)),
        Expr::Dot { object, .. } => ("dotexpr", start(object)),
        Expr::Index { object, .. } => ("indexexpr", start(object)),
        Expr::Slice(s) => ("sliceexpr", start(&s.object)),
        Expr::Call(c) => ("callexpr", start(&c.function)),
    }
}

fn start(expr: &Expr) -> Place {
    kind(expr).1
}
