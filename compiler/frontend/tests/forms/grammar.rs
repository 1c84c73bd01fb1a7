//! The lines of the forms that have a grammar of their own, read back into `rule path line column`.

/// `path:line:column: severity[rule] message`.
pub fn concise(line: &str) -> Option<String> {
    let (place, said) = line.split_once(": ")?;
    let mut place = place.rsplitn(3, ':');
    let (column, row, path) = (number(place.next()?)?, number(place.next()?)?, place.next()?);
    let (severity, rest) = said.split_once('[')?;
    let (rule, message) = rest.split_once("] ")?;
    (["error", "warning", "hint"].contains(&severity) && !message.is_empty())
        .then(|| format!("{rule} {path} {row} {column}"))
}

/// `::error title=…,file=…,line=…,col=…,endLine=…,endColumn=…::message`.
pub fn github(line: &str) -> Option<String> {
    let (command, rest) = line.strip_prefix("::")?.split_once(' ')?;
    if !["error", "warning", "notice"].contains(&command) {
        return None;
    }
    // No property holds a bare colon, so the first pair of them ends the properties.
    let (properties, message) = rest.split_once("::")?;
    let properties: Vec<(&str, &str)> = properties
        .split(',')
        .map(|p| p.split_once('='))
        .collect::<Option<_>>()?;
    let keys: Vec<&str> = properties.iter().map(|(k, _)| *k).collect();
    if keys != ["title", "file", "line", "col", "endLine", "endColumn"] || message.is_empty() {
        return None;
    }
    let value = |at: usize| properties.get(at).map(|(_, v)| *v);
    if properties.iter().any(|(_, v)| v.contains([':', '\r', '\n'])) || !escapes_are_whole(message) {
        return None;
    }
    let numbers: Vec<u32> = (2..6).map(|i| number(value(i)?)).collect::<Option<_>>()?;
    let [row, column, end_row, end_column] = numbers.as_slice() else {
        return None;
    };
    ((row, column) <= (end_row, end_column)).then_some(())?;
    Some(format!(
        "{} {} {row} {column}",
        unescaped(value(0)?),
        unescaped(value(1)?)
    ))
}

/// Every per cent sign begins one of the escapes of a command.
fn escapes_are_whole(text: &str) -> bool {
    text.split('%')
        .skip(1)
        .all(|t| ["25", "0D", "0A"].iter().any(|e| t.starts_with(e)))
}

fn unescaped(text: &str) -> String {
    let text = text
        .replace("%2C", ",")
        .replace("%3A", ":")
        .replace("%0A", "\n")
        .replace("%0D", "\r");
    text.replace("%25", "%")
}

/// A URI reference with its escapes undone.
pub fn unescaped_uri(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let hex = [rest.next().unwrap(), rest.next().unwrap()];
            bytes.push(u8::from_str_radix(std::str::from_utf8(&hex).unwrap(), 16).unwrap());
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// A number from 1 on.
fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|n| *n >= 1)
}
