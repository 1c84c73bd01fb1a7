//! Frames over a pair of streams. A reader and a writer thread speak the protocol; the loop sees messages only.
//!
//! The frames of the scaffold are not used: a header that announces more than fits into memory must not end the process by
//! an abort, and a body that is no message must cost one answer.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::thread::JoinHandle;

use crossbeam_channel::{Receiver, Sender, unbounded};
use lsp_server::{Message, RequestId};

/// The largest body that is read, in bytes.
const MAX_BODY: usize = 256 << 20;
/// The longest header line.
const MAX_HEADER: u64 = 4096;

/// What the reader has to say.
#[derive(Debug)]
pub enum Received {
    /// A message.
    Message(Message),
    /// A body that is no message: answered with an error, and the next frame is read.
    Malformed(String),
    /// The stream broke in the middle: nothing more can be read from it.
    Broken(String),
}

/// Both directions of one connection.
pub struct Transport {
    /// Messages of the client. It is closed when the client's stream ends.
    pub receiver: Receiver<Received>,
    /// Messages for the client.
    pub sender: Sender<Outgoing>,
    writer: JoinHandle<()>,
}

/// What the writer writes.
#[derive(Debug)]
pub enum Outgoing {
    /// A message.
    Message(Message),
    /// The result of a request, as it is written: large ones are never held as a tree of values.
    Result(RequestId, String),
    /// JSON that is no message of the scaffold: an error without a request.
    Raw(serde_json::Value),
}

impl Transport {
    /// Reads from `input` and writes to `output` until the streams or the channels end.
    pub fn start(input: impl Read + Send + 'static, output: impl Write + Send + 'static) -> io::Result<Self> {
        let (to_loop, receiver) = unbounded();
        let (sender, from_loop) = unbounded::<Outgoing>();
        std::thread::Builder::new()
            .name("lsp-reader".to_owned())
            .spawn(move || read_all(BufReader::with_capacity(64 << 10, input), &to_loop))?;
        let writer = std::thread::Builder::new()
            .name("lsp-writer".to_owned())
            .spawn(move || write_all(BufWriter::with_capacity(64 << 10, output), &from_loop))?;
        Ok(Self {
            receiver,
            sender,
            writer,
        })
    }

    /// Waits until everything that was sent is written.
    pub fn finish(self) {
        drop(self.sender);
        // A writer that failed has nothing more to write.
        let _ = self.writer.join();
    }
}

fn read_all(mut input: impl BufRead, to_loop: &Sender<Received>) {
    loop {
        let received = match frame(&mut input) {
            Ok(None) => return,
            Ok(Some(body)) => match serde_json::from_slice::<Message>(&body) {
                Ok(message) => Received::Message(message),
                Err(error) => Received::Malformed(error.to_string()),
            },
            Err(error) => {
                // Nobody listens any more: the loop has ended on its own.
                let _ = to_loop.send(Received::Broken(error.to_string()));
                return;
            }
        };
        let exit = matches!(&received, Received::Message(Message::Notification(n)) if n.method == "exit");
        if to_loop.send(received).is_err() || exit {
            return;
        }
    }
}

/// The body of the next frame; `None` at the end of the stream.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length: Option<usize> = None;
    let mut first = true;
    loop {
        let mut line = Vec::new();
        let read = input.by_ref().take(MAX_HEADER).read_until(b'\n', &mut line)?;
        if read == 0 {
            return if first {
                Ok(None)
            } else {
                Err(invalid("the stream ends inside of a header"))
            };
        }
        first = false;
        let Some(line) = line.strip_suffix(b"\n") else {
            return Err(invalid("a header line is too long, or the stream ends in it"));
        };
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() {
            break;
        }
        let line = std::str::from_utf8(line).map_err(|_| invalid("a header is not ASCII"))?;
        let Some((name, value)) = line.split_once(':') else {
            return Err(invalid("a header line has no colon"));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value
                .trim()
                .parse()
                .map_err(|_| invalid("Content-Length is no number"))?;
            length = Some(value);
        }
    }
    let length = length.ok_or_else(|| invalid("a frame has no Content-Length"))?;
    if length > MAX_BODY {
        return Err(invalid("a frame is larger than the limit"));
    }
    // Grows with what really comes: an announced length alone takes no memory.
    let mut body = Vec::new();
    input
        .take(u64::try_from(length).unwrap_or(u64::MAX))
        .read_to_end(&mut body)?;
    if body.len() < length {
        return Err(invalid("the stream ends inside of a frame"));
    }
    Ok(Some(body))
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

fn write_all(mut output: impl Write, from_loop: &Receiver<Outgoing>) {
    while let Ok(first) = from_loop.recv() {
        let mut next = Some(first);
        while let Some(outgoing) = next {
            if write_one(&mut output, &outgoing).is_err() {
                return;
            }
            next = from_loop.try_recv().ok();
        }
        if output.flush().is_err() {
            return;
        }
    }
}

fn write_one(output: &mut impl Write, outgoing: &Outgoing) -> io::Result<()> {
    let body = match outgoing {
        Outgoing::Raw(value) => serde_json::to_vec(value)?,
        Outgoing::Result(id, result) => {
            let id = serde_json::to_string(id)?;
            format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}").into_bytes()
        }
        Outgoing::Message(message) => {
            let mut body = b"{\"jsonrpc\":\"2.0\",".to_vec();
            let text = serde_json::to_vec(message)?;
            body.extend_from_slice(text.get(1..).unwrap_or_default());
            body
        }
    };
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn frames(text: &str) -> Vec<String> {
        let (sender, receiver) = unbounded();
        read_all(io::Cursor::new(text.as_bytes().to_vec()), &sender);
        drop(sender);
        receiver
            .into_iter()
            .map(|r| match r {
                Received::Message(Message::Notification(n)) => n.method,
                Received::Message(other) => format!("{other:?}"),
                Received::Malformed(_) => "malformed".to_owned(),
                Received::Broken(why) => why,
            })
            .collect()
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    #[test]
    fn a_body_that_is_no_message_costs_one_answer() {
        let text = framed("{") + &framed(r#"{"jsonrpc":"2.0","method":"initialized"}"#);
        assert_eq!(frames(&text), ["malformed", "initialized"]);
    }

    #[test]
    fn a_broken_header_ends_the_stream() {
        for text in ["Content-Length: x\r\n\r\n", "Content-Length 3\r\n\r\nabc", "\r\n"] {
            assert_eq!(frames(text).len(), 1, "{text:?}");
        }
        assert_eq!(
            frames("Content-Length: 9\r\n\r\nabc"),
            ["the stream ends inside of a frame"]
        );
        assert_eq!(
            frames("Content-Length: 99999999999999\r\n\r\nabc"),
            ["a frame is larger than the limit"]
        );
    }

    #[test]
    fn messages_are_framed_with_their_length_in_bytes() {
        let (sender, receiver) = unbounded();
        let note = lsp_server::Notification::new("é".to_owned(), serde_json::json!({}));
        sender.send(Outgoing::Message(note.into())).unwrap();
        drop(sender);
        let mut out = Vec::new();
        write_all(&mut out, &receiver);
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "Content-Length: 43\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"é\",\"params\":{}}"
        );
    }
}
