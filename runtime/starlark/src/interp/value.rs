//! Values of a running script. Texts are byte sequences, integers have no bound (but a cap), lists and dicts are shared
//! and can be frozen.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use num_bigint::BigInt;

use super::arguments::Args;
use super::grave;
use super::machine::Machine;
use super::meter::Charge;
use super::table::Table;
use crate::fault::{Fault, Res};
use crate::language::ast::FunctionDef;

/// One value.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    None,
    Bool(bool),
    Int(i64),
    /// An integer beyond 64 bits.
    Big(Rc<Big>),
    Float(f64),
    Text(Rc<Text>),
    Bytes(Rc<Text>),
    List(Rc<List>),
    Tuple(Rc<Tuple>),
    Dict(Rc<Dict>),
    Range(Rc<Range>),
    Elems(Rc<Elems>),
    Function(Rc<Function>),
    Builtin(Rc<Builtin>),
    Record(Rc<Record>),
}

/// An integer that does not fit 64 bits.
#[derive(Debug)]
pub(crate) struct Big {
    pub(crate) value: BigInt,
    _charge: Charge,
}

/// The bytes of a text or of bytes.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) bytes: Box<[u8]>,
    _charge: Charge,
}

/// A list.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) items: RefCell<Vec<Value>>,
    pub(crate) guard: Guard,
    charge: Charge,
}

/// A tuple.
#[derive(Debug)]
pub(crate) struct Tuple {
    pub(crate) items: Vec<Value>,
    /// Whether freezing has been through it.
    pub(crate) frozen: Cell<bool>,
    _charge: Charge,
}

/// A dict.
#[derive(Debug)]
pub(crate) struct Dict {
    pub(crate) table: RefCell<Table>,
    pub(crate) guard: Guard,
}

/// Whether a container may be changed now.
#[derive(Debug, Default)]
pub(crate) struct Guard {
    pub(crate) frozen: Cell<bool>,
    /// How many loops run over it.
    pub(crate) iterators: Cell<u32>,
}

impl Guard {
    /// The fault of changing it now; `verb` is in the words of the reference ("append to", "insert into").
    pub(crate) fn check(&self, verb: &str, noun: &str) -> Res<()> {
        if self.frozen.get() {
            return Err(Fault::runtime(format!("cannot {verb} frozen {noun}")));
        }
        if self.iterators.get() > 0 {
            return Err(Fault::runtime(format!("cannot {verb} {noun} during iteration")));
        }
        Ok(())
    }
}

/// `range(...)`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) start: i64,
    pub(crate) stop: i64,
    pub(crate) step: i64,
    pub(crate) len: i64,
}

/// What `elems()` and its relatives give: iterable, nothing else.
#[derive(Debug)]
pub(crate) struct Elems {
    pub(crate) text: Rc<Text>,
    pub(crate) kind: ElemKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ElemKind {
    Bytes,
    ByteOrds,
    Chars,
    CharOrds,
    /// The numbers of a bytes value.
    OfBytes,
}

/// A variable that closures share.
#[derive(Debug)]
pub(crate) struct CellBox {
    pub(crate) value: RefCell<Option<Value>>,
    _charge: Charge,
}

/// A function of the script.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) def: Rc<FunctionDef>,
    /// Defaults in the order of the parameters that have one.
    pub(crate) defaults: RefCell<Vec<Value>>,
    pub(crate) free: Vec<Rc<CellBox>>,
    pub(crate) frozen: Cell<bool>,
    _charge: Charge,
}

/// What a builtin does.
pub(crate) type Body = Rc<dyn Fn(&mut Machine, Args) -> Res<Value>>;

/// A function that the script did not define.
pub(crate) struct Builtin {
    pub(crate) name: &'static str,
    pub(crate) receiver: RefCell<Option<Value>>,
    pub(crate) code: Code,
}

/// How a builtin is carried out.
#[derive(Clone)]
pub(crate) enum Code {
    /// Of the library: the receiver is that of a method.
    Plain(fn(&mut Machine, &Value, Args) -> Res<Value>),
    /// Of the surface: holds what it reaches.
    Host(Body),
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Builtin({})", self.name)
    }
}

/// A value with attributes: `ctx`, its parts, modules, responses.
#[derive(Debug)]
pub(crate) struct Record {
    /// What `type()` says.
    pub(crate) kind: &'static str,
    /// What `str()` says, when it is not the list of its fields.
    pub(crate) shown: Option<Box<str>>,
    pub(crate) truth: bool,
    /// Sorted by name.
    pub(crate) fields: RefCell<Vec<(&'static str, Value)>>,
}

impl Drop for List {
    fn drop(&mut self) {
        grave::bury(std::mem::take(self.items.get_mut()));
    }
}

impl Drop for Tuple {
    fn drop(&mut self) {
        grave::bury(std::mem::take(&mut self.items));
    }
}

impl Drop for Dict {
    fn drop(&mut self) {
        grave::bury(self.table.get_mut().take_all());
    }
}

impl Drop for CellBox {
    fn drop(&mut self) {
        grave::bury(self.value.get_mut().take().into_iter().collect());
    }
}

impl Drop for Function {
    fn drop(&mut self) {
        grave::bury(std::mem::take(self.defaults.get_mut()));
    }
}

impl Drop for Builtin {
    fn drop(&mut self) {
        grave::bury(self.receiver.get_mut().take().into_iter().collect());
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        grave::bury(
            std::mem::take(self.fields.get_mut())
                .into_iter()
                .map(|(_, v)| v)
                .collect(),
        );
    }
}

/// What a value costs beside its content.
const OVERHEAD: usize = 64;
/// What an element of a list costs.
pub(crate) const ELEMENT: usize = size_of::<Value>();

impl List {
    /// Appends, paying for the growth first.
    pub(crate) fn push(&self, value: Value) -> Res<()> {
        let mut items = self.items.borrow_mut();
        if items.len() == items.capacity() {
            let more = items.capacity().max(4);
            self.charge.grow(more.saturating_mul(ELEMENT))?;
            items.reserve_exact(more);
        }
        items.push(value);
        Ok(())
    }

    /// Makes room for `n` more elements, paying for them.
    pub(crate) fn reserve(&self, n: usize) -> Res<()> {
        let mut items = self.items.borrow_mut();
        let free = items.capacity() - items.len();
        if n > free {
            let more = (n - free).max(items.capacity() / 2);
            self.charge.grow(more.saturating_mul(ELEMENT))?;
            items.reserve_exact(n.max(more + free));
        }
        Ok(())
    }

    pub(crate) fn len(&self) -> usize {
        self.items.borrow().len()
    }

    pub(crate) fn get(&self, i: usize) -> Option<Value> {
        self.items.borrow().get(i).cloned()
    }
}

impl Value {
    /// A text from bytes.
    pub(crate) fn text(bytes: impl Into<Box<[u8]>>) -> Res<Self> {
        let bytes = bytes.into();
        let charge = Charge::take(bytes.len() + OVERHEAD)?;
        Ok(Self::Text(Rc::new(Text { bytes, _charge: charge })))
    }

    /// A text from a string.
    pub(crate) fn str(s: &str) -> Res<Self> {
        Self::text(s.as_bytes())
    }

    /// Bytes.
    pub(crate) fn bytes(bytes: impl Into<Box<[u8]>>) -> Res<Self> {
        let bytes = bytes.into();
        let charge = Charge::take(bytes.len() + OVERHEAD)?;
        Ok(Self::Bytes(Rc::new(Text { bytes, _charge: charge })))
    }

    /// An integer of any size; beyond the cap it is a limit.
    pub(crate) fn big(value: BigInt) -> Res<Self> {
        if let Ok(i) = i64::try_from(&value) {
            return Ok(Self::Int(i));
        }
        super::number::check_bits(value.bits())?;
        let charge = Charge::take(usize::try_from(value.bits() / 8).unwrap_or(usize::MAX) + OVERHEAD)?;
        Ok(Self::Big(Rc::new(Big { value, _charge: charge })))
    }

    /// A list of these elements, whose memory is paid for here.
    pub(crate) fn list(items: Vec<Value>) -> Res<Self> {
        let charge = Charge::take(items.capacity() * ELEMENT + 2 * OVERHEAD)?;
        let list = Rc::new(List {
            items: RefCell::new(items),
            guard: Guard::default(),
            charge,
        });
        grave::note_list(Rc::downgrade(&list));
        Ok(Self::List(list))
    }

    /// A tuple of these elements.
    pub(crate) fn tuple(items: Vec<Value>) -> Res<Self> {
        let charge = Charge::take(items.capacity() * ELEMENT + OVERHEAD)?;
        Ok(Self::Tuple(Rc::new(Tuple {
            items,
            frozen: Cell::new(false),
            _charge: charge,
        })))
    }

    /// A dict with this content.
    pub(crate) fn dict(table: Table) -> Self {
        let dict = Rc::new(Dict {
            table: RefCell::new(table),
            guard: Guard::default(),
        });
        grave::note_dict(Rc::downgrade(&dict));
        Self::Dict(dict)
    }

    /// A function.
    pub(crate) fn function(def: Rc<FunctionDef>, defaults: Vec<Value>, free: Vec<Rc<CellBox>>) -> Res<Self> {
        let charge = Charge::take((defaults.len() + free.len()) * ELEMENT + 2 * OVERHEAD)?;
        let defaults = RefCell::new(defaults);
        Ok(Self::Function(Rc::new(Function {
            def,
            defaults,
            free,
            frozen: Cell::new(false),
            _charge: charge,
        })))
    }

    /// A builtin of the library.
    pub(crate) fn builtin(name: &'static str, code: fn(&mut Machine, &Value, Args) -> Res<Value>) -> Self {
        Self::Builtin(Rc::new(Builtin {
            name,
            receiver: RefCell::new(None),
            code: Code::Plain(code),
        }))
    }

    /// A builtin of the surface.
    pub(crate) fn host(name: &'static str, body: Body) -> Self {
        Self::Builtin(Rc::new(Builtin {
            name,
            receiver: RefCell::new(None),
            code: Code::Host(body),
        }))
    }

    /// A value with attributes.
    pub(crate) fn record(
        kind: &'static str,
        shown: Option<&str>,
        mut fields: Vec<(&'static str, Value)>,
        truth: bool,
    ) -> Self {
        fields.sort_by_key(|(name, _)| *name);
        Self::Record(Rc::new(Record {
            kind,
            shown: shown.map(Box::from),
            truth,
            fields: RefCell::new(fields),
        }))
    }

    /// What `type()` says.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::None => "NoneType",
            Self::Bool(_) => "bool",
            Self::Int(_) | Self::Big(_) => "int",
            Self::Float(_) => "float",
            Self::Text(_) => "string",
            Self::Bytes(_) => "bytes",
            Self::List(_) => "list",
            Self::Tuple(_) => "tuple",
            Self::Dict(_) => "dict",
            Self::Range(_) => "range",
            Self::Elems(e) => match e.kind {
                ElemKind::Bytes | ElemKind::ByteOrds => "string.elems",
                ElemKind::Chars | ElemKind::CharOrds => "string.codepoints",
                ElemKind::OfBytes => "bytes.elems",
            },
            Self::Function(_) => "function",
            Self::Builtin(_) => "builtin_function_or_method",
            Self::Record(r) => r.kind,
        }
    }

    /// Whether it counts as true.
    pub(crate) fn truth(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(b) => *b,
            Self::Int(i) => *i != 0,
            Self::Float(f) => *f != 0.0,
            Self::Text(t) | Self::Bytes(t) => !t.bytes.is_empty(),
            Self::List(l) => l.len() > 0,
            Self::Tuple(t) => !t.items.is_empty(),
            Self::Dict(d) => d.table.borrow().len() > 0,
            Self::Range(r) => r.len > 0,
            Self::Big(_) | Self::Elems(_) | Self::Function(_) | Self::Builtin(_) => true,
            Self::Record(r) => r.truth,
        }
    }

    /// The bytes of a text.
    pub(crate) fn as_text(&self) -> Option<&[u8]> {
        match self {
            Self::Text(t) => Some(&t.bytes),
            _ => None,
        }
    }

    /// Whether dropping it may drop other values.
    pub(crate) fn holds_values(&self) -> bool {
        matches!(
            self,
            Self::List(_) | Self::Tuple(_) | Self::Dict(_) | Self::Function(_) | Self::Builtin(_) | Self::Record(_)
        )
    }

    /// Whether both are one and the same container.
    pub(crate) fn same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => Rc::ptr_eq(a, b),
            (Self::Dict(a), Self::Dict(b)) => Rc::ptr_eq(a, b),
            (Self::Tuple(a), Self::Tuple(b)) => Rc::ptr_eq(a, b),
            (Self::Function(a), Self::Function(b)) => Rc::ptr_eq(a, b),
            (Self::Builtin(a), Self::Builtin(b)) => Rc::ptr_eq(a, b),
            (Self::Record(a), Self::Record(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl CellBox {
    /// An empty cell.
    pub(crate) fn new() -> Res<Rc<Self>> {
        let cell = Rc::new(Self {
            value: RefCell::new(None),
            _charge: Charge::take(OVERHEAD)?,
        });
        grave::note_cell(Rc::downgrade(&cell));
        Ok(cell)
    }
}
