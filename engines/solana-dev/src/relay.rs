//! Between the node and the source of a fork. Surfpool needs its source at each start; with the relay a chain that has
//! begun starts without it, and what was not read before is an error until the source answers again. Nothing of the
//! source's URL reaches Surfpool, which shows it to callers.
use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream, ToSocketAddrs},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use serde_json::{Value, json};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Surfpool gives up after 30 s.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_BODY: u64 = 64 * 1024 * 1024;

pub struct Relay {
    source: Source,
    /// The chain exists already: what its start needs to know of the source can be made up.
    is_resuming: bool,
    is_starting: AtomicBool,
    /// Why the source did not answer during this start.
    complaint: Mutex<Option<String>>,
}

impl Relay {
    /// Begins to relay to `source_url`, and returns the URL to use instead of it.
    pub fn start(source_url: &str, is_resuming: bool) -> Result<(Arc<Self>, String), String> {
        let source =
            Source::parse(source_url).ok_or("--fork-url must begin with http://".to_string())?;
        let relay = Arc::new(Self {
            source,
            is_resuming,
            is_starting: AtomicBool::new(true),
            complaint: Mutex::new(None),
        });
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|error| error.to_string())?;
        let port = listener
            .local_addr()
            .map_err(|error| error.to_string())?
            .port();
        let shared = relay.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let relay = shared.clone();
                thread::spawn(move || relay.serve(client));
            }
        });
        Ok((relay, format!("http://127.0.0.1:{port}/")))
    }

    /// The node has started: from here on, callers get what the source says.
    pub fn node_has_started(&self) {
        if let Some(reason) = self.why_not_started() {
            eprintln!(
                "warn the fork source: {reason}; what was not read before is an error until it answers"
            );
        }
        self.is_starting.store(false, Ordering::SeqCst);
    }

    /// What the source has against the start of the node, until it has started.
    pub fn why_not_started(&self) -> Option<String> {
        let is_starting = self.is_starting.load(Ordering::SeqCst);
        if is_starting {
            self.complaint().clone()
        } else {
            None
        }
    }

    fn complaint(&self) -> MutexGuard<'_, Option<String>> {
        self.complaint
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn serve(&self, client: TcpStream) -> io::Result<()> {
        let mut reader = BufReader::new(client.try_clone()?);
        let mut writer = client;
        while let Some(head) = read_head(&mut reader)? {
            let mut body = Vec::new();
            reader
                .by_ref()
                .take(head.length.unwrap_or(0))
                .read_to_end(&mut body)?;
            let (status, answer) = self.answer(&body);
            write!(
                writer,
                "HTTP/1.1 {status} -\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
                answer.len()
            )?;
            writer.write_all(&answer)?;
        }
        Ok(())
    }

    fn answer(&self, body: &[u8]) -> (u16, Vec<u8>) {
        if !self.is_starting.load(Ordering::SeqCst) {
            return self
                .source
                .ask(body)
                .unwrap_or_else(|_| (200, failure(body)));
        }
        if self.why_not_started().is_none() {
            let asked = self.source.ask(body);
            let Some(reason) = complaint(&asked) else {
                return asked.unwrap_or_default();
            };
            *self.complaint() = Some(reason);
        }
        let made_up = if self.is_resuming {
            made_up(body)
        } else {
            None
        };
        (200, made_up.unwrap_or_else(|| failure(body)))
    }
}

/// Why an answer has no result; absent if it has one.
fn complaint(asked: &io::Result<(u16, Vec<u8>)>) -> Option<String> {
    let (status, answer) = match asked {
        Ok(answered) => answered,
        Err(error) => return Some(error.to_string()),
    };
    let answer: Value = serde_json::from_slice(answer).unwrap_or_default();
    if answer.get("result").is_some() {
        return None;
    }
    let message = answer["error"]["message"].as_str().map(String::from);
    Some(message.unwrap_or(format!("it answers with status {status}")))
}

/// The chain goes on from its own slot, so only the form of these answers matters. The schedule is the one of mainnet.
fn made_up(body: &[u8]) -> Option<Vec<u8>> {
    let call: Value = serde_json::from_slice(body).ok()?;
    let result = match call["method"].as_str()? {
        "getEpochInfo" => json!({
            "absoluteSlot": 0, "blockHeight": 0, "epoch": 0,
            "slotIndex": 0, "slotsInEpoch": 432_000, "transactionCount": null,
        }),
        "getEpochSchedule" => json!({
            "slotsPerEpoch": 432_000, "leaderScheduleSlotOffset": 432_000,
            "warmup": false, "firstNormalEpoch": 0, "firstNormalSlot": 0,
        }),
        _ => return None,
    };
    Some(
        json!({ "jsonrpc": "2.0", "id": call["id"], "result": result })
            .to_string()
            .into_bytes(),
    )
}

fn failure(body: &[u8]) -> Vec<u8> {
    let id = serde_json::from_slice::<Value>(body).map_or(Value::Null, |call| call["id"].clone());
    let error = json!({ "code": -32603, "message": "the fork source does not answer" });
    json!({ "jsonrpc": "2.0", "id": id, "error": error })
        .to_string()
        .into_bytes()
}

struct Source {
    /// `host:port`
    address: String,
    host: String,
    path: String,
}

impl Source {
    fn parse(url: &str) -> Option<Self> {
        let rest = url.strip_prefix("http://")?;
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_odd = host.is_empty() || host.contains('@') || url.bytes().any(|byte| byte <= b' ');
        (!is_odd).then(|| Self {
            address: if host.contains(':') {
                host.to_string()
            } else {
                format!("{host}:80")
            },
            host: host.to_string(),
            path: if path.is_empty() {
                "/".to_string()
            } else {
                path.to_string()
            },
        })
    }

    /// The status and the body of its answer. HTTP/1.0, so that it neither keeps the connection nor sends the body in chunks.
    fn ask(&self, body: &[u8]) -> io::Result<(u16, Vec<u8>)> {
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(ANSWER_TIMEOUT))?;
        stream.set_write_timeout(Some(ANSWER_TIMEOUT))?;
        write!(
            stream,
            "POST {} HTTP/1.0\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            self.path,
            self.host,
            body.len()
        )?;
        stream.write_all(body)?;
        let mut reader = BufReader::new(stream);
        let head = read_head(&mut reader)?.ok_or(io::ErrorKind::UnexpectedEof)?;
        let mut answer = Vec::new();
        reader
            .take(head.length.unwrap_or(MAX_BODY).min(MAX_BODY))
            .read_to_end(&mut answer)?;
        if head
            .length
            .is_some_and(|length| answer.len() as u64 != length)
        {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok((head.status()?, answer))
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in self.address.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT) {
                Ok(stream) => return Ok(stream),
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// The head of a message, up to the blank line.
struct Head {
    first: String,
    /// Of the body; absent: up to the end of the connection.
    length: Option<u64>,
}

impl Head {
    fn status(&self) -> io::Result<u16> {
        let status = self
            .first
            .split(' ')
            .nth(1)
            .and_then(|status| status.parse().ok());
        status.ok_or(io::ErrorKind::InvalidData.into())
    }
}

fn read_head(reader: &mut impl BufRead) -> io::Result<Option<Head>> {
    let mut first = String::new();
    if reader.read_line(&mut first)? == 0 {
        return Ok(None);
    }
    let mut head = Head {
        first,
        length: None,
    };
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line.trim().is_empty() {
            return Ok(Some(head));
        }
        let (name, value) = line.split_once(':').unwrap_or((&line, ""));
        if name.eq_ignore_ascii_case("content-length") {
            head.length = Some(
                value
                    .trim()
                    .parse()
                    .map_err(|_| io::ErrorKind::InvalidData)?,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that answers every call with `answer` and sends each call to the receiver.
    fn source(answer: &'static str) -> (String, crossbeam_channel::Receiver<String>) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}/forks/token", listener.local_addr().unwrap());
        let (calls, seen) = crossbeam_channel::unbounded();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let head = read_head(&mut reader).unwrap().unwrap();
                let mut body = Vec::new();
                reader
                    .by_ref()
                    .take(head.length.unwrap())
                    .read_to_end(&mut body)
                    .unwrap();
                calls
                    .send(format!(
                        "{} {}",
                        head.first.trim(),
                        String::from_utf8(body).unwrap()
                    ))
                    .unwrap();
                let mut stream = stream;
                write!(
                    stream,
                    "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{answer}",
                    answer.len()
                )
                .unwrap();
            }
        });
        (url, seen)
    }

    fn ask(url: &str, method: &str) -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": [] }).to_string();
        let (status, answer) = Source::parse(url)
            .unwrap()
            .ask(body.as_bytes())
            .unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(status, 200);
        serde_json::from_slice(&answer).unwrap()
    }

    const NOBODY: &str = "http://127.0.0.1:1/";

    #[test]
    fn passes_calls_and_answers_on() {
        let (url, seen) = source(r#"{"jsonrpc":"2.0","id":7,"result":18446744073709551615}"#);
        let (_relay, local) = Relay::start(&url, true).unwrap();
        assert_eq!(
            ask(&local, "getSlot")["result"].to_string(),
            "18446744073709551615"
        );
        let call = seen.recv().unwrap();
        assert!(
            call.starts_with("POST /forks/token HTTP/1.0 ") && call.contains("getSlot"),
            "{call}"
        );
    }

    #[test]
    fn a_chain_that_exists_starts_without_its_source() {
        let (relay, local) = Relay::start(NOBODY, true).unwrap();
        assert_eq!(
            ask(&local, "getEpochSchedule")["result"]["slotsPerEpoch"],
            432_000
        );
        assert_eq!(ask(&local, "getEpochInfo")["id"], 7);
        assert_eq!(ask(&local, "getAccountInfo")["error"]["code"], -32603);
        relay.node_has_started();
        assert_eq!(
            ask(&local, "getEpochInfo")["error"]["message"],
            "the fork source does not answer"
        );
    }

    #[test]
    fn so_it_does_if_the_fork_proxy_answers_with_an_error() {
        let (url, seen) =
            source(r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"away"}}"#);
        let (_relay, local) = Relay::start(&url, true).unwrap();
        assert!(ask(&local, "getEpochInfo").get("result").is_some());
        assert!(ask(&local, "getEpochSchedule").get("result").is_some());
        assert_eq!(
            seen.try_iter().count(),
            1,
            "a source that is away is asked once"
        );
    }

    #[test]
    fn a_new_chain_needs_its_source_and_says_why_it_does_not_start() {
        let answer = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no key"}}"#;
        let (url, _seen) = source(answer);
        let (relay, local) = Relay::start(&url, false).unwrap();
        assert_eq!(relay.why_not_started(), None);
        assert!(ask(&local, "getEpochInfo").get("error").is_some());
        assert_eq!(relay.why_not_started().as_deref(), Some("no key"));
    }

    #[test]
    fn a_started_node_hears_what_its_source_says() {
        let answer = r#"{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no key"}}"#;
        let (url, _seen) = source(answer);
        let (relay, local) = Relay::start(&url, false).unwrap();
        relay.node_has_started();
        assert_eq!(ask(&local, "getSlot")["error"]["message"], "no key");
        assert_eq!(relay.why_not_started(), None);
    }

    #[test]
    fn finds_the_reason_in_an_answer() {
        let reason = |answer: &str| complaint(&Ok((500, answer.as_bytes().to_vec())));
        assert_eq!(reason(r#"{"result":null}"#), None);
        assert_eq!(
            reason(r#"{"error":{"message":"no key"}}"#).as_deref(),
            Some("no key")
        );
        assert_eq!(
            reason("<html>").as_deref(),
            Some("it answers with status 500")
        );
        assert!(complaint(&Err(io::ErrorKind::ConnectionRefused.into())).is_some());
    }

    #[test]
    fn only_plain_http_can_be_relayed() {
        for url in [
            "https://x",
            "http://",
            "http://user:key@host/",
            "http://x/\r\nA: b",
            "x",
        ] {
            assert!(Source::parse(url).is_none(), "{url}");
        }
        assert_eq!(
            Source::parse("http://proxy")
                .map(|source| source.address)
                .as_deref(),
            Some("proxy:80")
        );
    }
}
