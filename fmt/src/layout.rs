//! Tokens to lines: every token keeps its line; the first of a line gets its column, the others the gap before them.

use rustc_hash::FxHashMap;

use crate::blocks::{self, Folded};
use crate::comments::{Level, Levels};
use crate::tokens::{Kind, STEP, Token};

/// Blanks before tokens, by their first byte, where it is not one.
pub(crate) type Gaps = FxHashMap<usize, usize>;

/// A line of the formatted text.
#[derive(Default, Debug)]
pub(crate) struct Line<'t> {
    /// Its text without the comment, indentation included.
    pub code: String,
    /// Its comment.
    pub comment: Option<Comment<'t>>,
    /// Its line end.
    pub ending: &'t str,
}

/// A comment of a line.
#[derive(Debug)]
pub(crate) struct Comment<'t> {
    pub text: &'t str,
    /// Its column before.
    pub from: usize,
    /// Its column now.
    pub column: usize,
    /// The blanks before it when it stands behind other text.
    pub gap: Option<usize>,
}

/// The lines of a text.
pub(crate) fn lines<'t>(text: &'t str, tokens: &[Token], gaps: &Gaps) -> Vec<Line<'t>> {
    let mut layout = Layout {
        text,
        gaps,
        columns: Columns {
            text,
            at: if text.starts_with('\u{FEFF}') { 3 } else { 0 },
            column: 0,
        },
        lines: Vec::new(),
        line: Line::default(),
        levels: Levels::default(),
        brackets: Vec::new(),
        behind: 0,
    };
    let mut content = 0;
    for (index, token) in tokens.iter().enumerate() {
        while content <= index || tokens.get(content).is_some_and(|token| token.kind == Kind::Comment) {
            content += 1;
        }
        let around = Around {
            before: index.checked_sub(1).and_then(|i| tokens.get(i)),
            next: tokens.get(index + 1),
            content: tokens.get(content),
        };
        layout.token(token, &around);
    }
    layout.finish(tokens.last())
}

/// The formatted text.
pub(crate) fn join(text: &str, lines: &[Line<'_>]) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    if text.starts_with('\u{FEFF}') {
        out.push('\u{FEFF}');
    }
    for line in lines {
        out.push_str(&line.code);
        if let Some(comment) = &line.comment {
            let width = line.code.chars().count();
            out.extend(std::iter::repeat_n(' ', comment.column.saturating_sub(width)));
            out.push_str(comment.text);
        }
        out.push_str(line.ending);
    }
    out
}

/// The tokens around one.
struct Around<'s> {
    before: Option<&'s Token>,
    next: Option<&'s Token>,
    /// The next one that is no comment.
    content: Option<&'s Token>,
}

/// Columns of offsets that only grow.
struct Columns<'t> {
    text: &'t str,
    at: usize,
    column: usize,
}

impl Columns<'_> {
    fn of(&mut self, offset: usize) -> usize {
        let passed = self.text.get(self.at..offset).unwrap_or_default();
        match passed.rfind(['\n', '\r']) {
            Some(line) => self.column = passed.get(line + 1..).map_or(0, |rest| rest.chars().count()),
            None => self.column += passed.chars().count(),
        }
        self.at = self.at.max(offset);
        self.column
    }
}

/// The blanks between two tokens of one line. `gaps` are those that an author's columns ask for.
pub(crate) fn blanks(text: &str, gaps: &Gaps, before: &Token, token: &Token, in_brackets: bool) -> usize {
    let slice = |token: &Token| text.get(token.start..token.end).unwrap_or_default();
    // A name of an anchor, alias or tag would go on.
    let name = matches!(before.kind, Kind::Property | Kind::Alias);
    let asked = || gaps.get(&token.start).copied().unwrap_or(1);
    match (before.kind, token.kind) {
        (Kind::Open { .. }, Kind::Close) => 0,
        (Kind::Open { .. }, _) if slice(before) == "[" => 0,
        (_, Kind::Close) if slice(token) == "]" => usize::from(name && token.start > before.end),
        (Kind::Open { .. }, _) | (_, Kind::Close) => 1,
        (_, Kind::Comma | Kind::Colon { .. }) if matches!(before.kind, Kind::Scalar | Kind::Close) => 0,
        (_, Kind::Comma) if matches!(before.kind, Kind::Colon { .. }) => 0,
        (Kind::Colon { glued: true }, _) => 0,
        (Kind::Colon { .. }, _) if !in_brackets => asked(),
        (Kind::Comma, _) => asked(),
        _ => 1,
    }
}

/// An open bracket: the columns of lines in it and of the line that begins with its end.
struct Bracket {
    inside: usize,
    end: usize,
}

struct Layout<'t, 'v> {
    text: &'t str,
    gaps: &'v Gaps,
    columns: Columns<'t>,
    lines: Vec<Line<'t>>,
    line: Line<'t>,
    levels: Levels,
    brackets: Vec<Bracket>,
    /// Behind the last token.
    behind: usize,
}

impl<'t> Layout<'t, '_> {
    fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    fn token(&mut self, token: &Token, around: &Around<'_>) {
        let before = around.before;
        let gap = self.slice(self.behind, token.start);
        let from = self.columns.of(token.start);
        let first = self.breaks(gap, before.is_none()) || before.is_none();
        let level = Level { from, to: token.column };
        if matches!(token.kind, Kind::Marker | Kind::Directive) {
            self.levels.clear();
        }
        if token.kind == Kind::Comment {
            let gap = (!first).then(|| gap.chars().count());
            self.comment(token, from, gap, around.content);
        } else if let Kind::Body(_) = token.kind {
            self.body(token);
        } else {
            if first {
                let column = self.first_column(token);
                self.line.code.extend(std::iter::repeat_n(' ', column));
            } else if let Some(before) = before {
                let blanks = self.blanks(before, token);
                self.line.code.extend(std::iter::repeat_n(' ', blanks));
            }
            if token.entry && self.brackets.is_empty() {
                self.levels.enter(level);
            }
            match token.kind {
                Kind::Scalar => self.scalar(token, from),
                Kind::Open { base } => self.open(token, base, first, around.next),
                _ => {
                    if token.kind == Kind::Close {
                        self.brackets.pop();
                    }
                    let text = self.slice(token.start, token.end);
                    self.line.code.push_str(text);
                }
            }
        }
        self.behind = token.end;
    }

    /// Ends the line at the first line end of a gap; one blank line at most is kept. Whether a line ended.
    fn breaks(&mut self, gap: &'t str, at_start: bool) -> bool {
        let mut ended = false;
        let mut blank = at_start;
        for line in blocks::lines(gap).filter(|line| !line.ending.is_empty()) {
            if ended && !blank {
                self.lines.push(Line {
                    ending: line.ending,
                    ..Line::default()
                });
                blank = true;
            }
            if !ended && !at_start {
                self.end_line(line.ending);
            }
            ended = true;
        }
        ended
    }

    fn end_line(&mut self, ending: &'t str) {
        let mut line = std::mem::take(&mut self.line);
        line.ending = ending;
        self.lines.push(line);
    }

    fn first_column(&self, token: &Token) -> usize {
        match (self.brackets.last(), token.kind) {
            (Some(bracket), Kind::Close) => bracket.end,
            (Some(bracket), _) => bracket.inside,
            (None, _) => token.column,
        }
    }

    fn blanks(&self, before: &Token, token: &Token) -> usize {
        blanks(self.text, self.gaps, before, token, !self.brackets.is_empty())
    }

    fn open(&mut self, token: &Token, base: usize, first: bool, next: Option<&Token>) {
        let width = self.line.code.chars().count();
        let hangs = next.filter(|next| {
            let same_line = !self.slice(token.end, next.start).contains(['\n', '\r']);
            same_line && !matches!(next.kind, Kind::Comment | Kind::Close)
        });
        let bracket = match hangs {
            Some(next) => Bracket {
                inside: width + 1 + self.blanks(token, next),
                end: width,
            },
            None => {
                let base = match self.brackets.last() {
                    Some(_) => width - self.line.code.trim_start_matches(' ').chars().count(),
                    None if first => token.column,
                    None => base,
                };
                Bracket {
                    inside: base + STEP,
                    end: base,
                }
            }
        };
        self.brackets.push(bracket);
        let text = self.slice(token.start, token.end);
        self.line.code.push_str(text);
    }

    fn scalar(&mut self, token: &Token, from: usize) {
        let text = self.slice(token.start, token.end);
        if !text.contains(['\n', '\r']) {
            return self.line.code.push_str(text);
        }
        let indent = self.line.code.len() - self.line.code.trim_start_matches(' ').len();
        let escapes = text.starts_with('"');
        let how = Folded {
            start: (from, self.line.code.chars().count()),
            column: match self.brackets.last() {
                Some(_) => Some(indent + STEP),
                // The outermost text may stand at the margin, where a line can look like a marker.
                None if token.column == 0 => None,
                None => Some(token.column),
            },
            escapes,
        };
        for (index, line) in blocks::lines(text).enumerate() {
            let last = line.ending.is_empty();
            let shown = if index == 0 {
                blocks::trim_end(line.text, last, escapes).to_owned()
            } else {
                blocks::folded_line(line.text, last, &how)
            };
            self.line.code.push_str(&shown);
            if !last {
                self.end_line(line.ending);
            }
        }
    }

    fn body(&mut self, token: &Token) {
        let Kind::Body(body) = token.kind else { return };
        let text = self.slice(token.start, token.end);
        for (index, line) in blocks::lines(text).enumerate() {
            // Up to the first line end it is the line of the header.
            if index > 0 {
                self.line.code.push_str(&blocks::body_line(line.text, body));
            }
            if !line.ending.is_empty() {
                self.end_line(line.ending);
            }
        }
    }

    fn comment(&mut self, token: &Token, from: usize, gap: Option<usize>, next: Option<&Token>) {
        let column = match self.brackets.last() {
            Some(bracket) => bracket.inside,
            // Behind other text: its column comes with those of the lines around it.
            None if gap.is_some() => from,
            None => {
                let next = next.filter(|token| !matches!(token.kind, Kind::Marker | Kind::Directive));
                let next = next.map(|next| Level {
                    from: self.column_of(next.start),
                    to: next.column,
                });
                self.levels.comment(from, next)
            }
        };
        self.line.comment = Some(Comment {
            text: self.slice(token.start, token.end),
            from,
            column,
            gap,
        });
    }

    /// The column of a token further on.
    fn column_of(&self, offset: usize) -> usize {
        let before = self.slice(0, offset);
        let line = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        self.slice(line, offset).trim_start_matches('\u{FEFF}').chars().count()
    }

    fn finish(mut self, last: Option<&Token>) -> Vec<Line<'t>> {
        let gap = self.slice(self.behind, self.text.len());
        let ending = blocks::lines(gap)
            .map(|line| line.ending)
            .find(|ending| !ending.is_empty());
        let open_text = last.is_some_and(|token| matches!(token.kind, Kind::Body(_)));
        let ending = match ending {
            Some(ending) => ending,
            // A last line end that is missing is missing in the text, too.
            None if open_text => "",
            None => blocks::lines(self.text)
                .map(|line| line.ending)
                .next()
                .filter(|e| !e.is_empty())
                .unwrap_or("\n"),
        };
        self.end_line(ending);
        self.lines
    }
}
