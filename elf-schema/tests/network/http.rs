//! Getting external schemas from a real server on loopback, which also misbehaves.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]

use crate::install_crypto_provider;
use elf_schema::source::http::{FetchError, Fetched, Fetcher, Limits, MEDIA_TYPE, SchemaCache};
use elf_schema::source::{CachedSchema, ExternalSchemas, StreamStart};
use elf_schema::{Diagnostic, Encoding, Options, ReadOptions, Rules, codes};
use std::collections::HashMap;
use std::future::Future;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const SCHEMA: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 IRI https://e.example/A\n\
                      3 TAG _A https://terms.fhiso.org/elf/Document\n0 TRLR\n";

/// A request: the first line of a request and its headers, names in lower case.
type Asked = (String, HashMap<String, String>);

/// A server that answers each request by `answer`, given what was asked; and what it was asked.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

fn serve(answer: impl Fn(&str, &mut TcpStream) + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                let request = lines.next().and_then(Result::ok).unwrap_or_default();
                let headers = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
                let headers = headers.filter_map(|line| {
                    let (name, value) = line.split_once(':')?;
                    Some((name.to_ascii_lowercase(), value.trim().to_owned()))
                });
                let headers = headers.collect();
                log.lock().expect("a log").push((request.clone(), headers));
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let mut stream = stream;
                answer(&path, &mut stream);
            });
        }
    });
    Server { address, asked }
}

/// A client that asked may have gone: what cannot be written is not written.
fn send(stream: &mut TcpStream, head: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

/// Answers nothing until the client closes the connection, however long that takes on a busy machine.
fn wait_for_client_to_leave(stream: &mut TcpStream) {
    let _ = stream.read(&mut [0]);
}

fn here() -> Limits {
    let mut limits = Limits::default();
    (limits.plain_http, limits.private_addresses) = (true, true);
    limits
}

fn run<F: Future>(limits: Limits, ask: impl FnOnce(Fetcher) -> F) -> F::Output {
    install_crypto_provider();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let fetcher = Fetcher::new(limits).expect("a fetcher");
    runtime.block_on(ask(fetcher))
}

fn fetch(limits: Limits, iri: &str, kept: Option<CachedSchema>) -> Result<Fetched, FetchError> {
    run(limits, |fetcher| async move { fetcher.fetch(iri, kept).await })
}

#[test]
fn a_schema_is_asked_for_by_its_type_and_read_by_its_charset() {
    let server = serve(|_, stream| {
        let latin = b"0 HEAD\n1 SCHMA\n2 IRI https://e.example/\xC4\n3 TAG _A https://terms.fhiso.org/elf/Document\n0 TRLR\n";
        send(stream, "200 OK\r\nContent-Type: application/x-fhiso-elf1-schema; charset=windows-1252", latin);
    });
    let iri = format!("{}/schema", server.address);
    let file = format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {iri}\n0 _A\n0 TRLR\n");
    let rules = &Rules::JANUARY_2019;
    let document =
        elf_schema::elf_tagged::read(file.as_bytes(), rules, &Options::default(), &mut ()).expect("short");
    let wanted = elf_schema::wanted(&document);
    assert_eq!(wanted, [iri]);
    let (supplied, failed) = run(here(), |fetcher| async move { fetcher.fetch_all(&wanted, &mut ()).await });
    assert!(failed.is_empty(), "{failed:?}");
    let options = ReadOptions::default().with_external(&supplied);
    let typed = elf_schema::read_document(document, &options, &mut ());
    let record = typed.records().next().expect("a record");
    assert_eq!(typed.type_of(record), Some("https://e.example/Ä"));
    let asked = server.asked.lock().expect("a log");
    let (request, headers) = asked.first().expect("a request");
    assert!(request.starts_with("GET /schema "));
    assert_eq!(headers.get("accept").map(String::as_str), Some(MEDIA_TYPE));
}

#[test]
fn what_is_kept_is_asked_for_on_condition() {
    let server = serve(|path, stream| match path {
        "/same" => send(stream, "304 Not Modified", b""),
        _ => send(
            stream,
            "200 OK\r\nETag: \"2\"\r\nLast-Modified: Sat, 07 Jan 2019 00:00:00 GMT",
            SCHEMA.as_bytes(),
        ),
    });
    let mut kept = CachedSchema::new(b"before".to_vec());
    kept.etag = Some("\"1\"".to_owned());
    let same = fetch(here(), &format!("{}/same", server.address), Some(kept.clone())).expect("an answer");
    assert_eq!((same.is_new, same.kept.octets.as_slice()), (false, b"before".as_slice()));
    let other = fetch(here(), &format!("{}/other", server.address), Some(kept)).expect("an answer");
    assert_eq!((other.is_new, other.kept.etag.as_deref()), (true, Some("\"2\"")));
    let asked = server.asked.lock().expect("a log");
    assert!(
        asked.iter().all(|(_, headers)| headers.get("if-none-match").map(String::as_str) == Some("\"1\""))
    );
    // Nothing was kept, so nothing can be the same.
    drop(asked);
    let refused = fetch(here(), &format!("{}/same", server.address), None);
    assert!(matches!(refused, Err(FetchError::Redirections | FetchError::Status(304))), "{refused:?}");
}

#[derive(Default)]
struct Shelf(HashMap<String, CachedSchema>);

impl SchemaCache for Shelf {
    fn kept(&self, iri: &str) -> Option<CachedSchema> {
        self.0.get(iri).cloned()
    }

    fn keep(&mut self, iri: &str, kept: &CachedSchema) {
        self.0.insert(iri.to_owned(), kept.clone());
    }
}

#[test]
fn what_was_kept_serves_where_the_network_fails() {
    let server = serve(|path, stream| match path {
        "/good" => send(stream, "200 OK", SCHEMA.as_bytes()),
        _ => send(stream, "500 Oh", b""),
    });
    let (good, bad) = (format!("{}/good", server.address), format!("{}/bad", server.address));
    let mut shelf = Shelf::default();
    shelf.keep(&bad, &CachedSchema::new(SCHEMA.as_bytes().to_vec()));
    let wanted = vec![good.clone(), bad.clone(), "urn:x:y".to_owned()];
    let (supplied, failed) = run(here(), |fetcher| {
        let (wanted, shelf) = (&wanted, &mut shelf);
        async move { fetcher.fetch_all(wanted, shelf).await }
    });
    let reasons: Vec<_> = failed.iter().map(|(iri, error)| (iri.as_str(), error.to_string())).collect();
    assert_eq!(
        reasons,
        [
            (bad.as_str(), "the server answered with status 500".to_owned()),
            ("urn:x:y", "`urn:x:y` is not an http or https address".to_owned())
        ]
    );
    assert!(
        supplied.schema(&good).is_some()
            && supplied.schema(&bad).is_some()
            && supplied.schema("urn:x:y").is_none()
    );
    assert!(shelf.0.contains_key(&good));
    // What failed is said where the file refers to it.
    let file = format!(
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {good}\n2 SCHMA {bad}\n2 SCHMA urn:x:y\n0 _A\n0 TRLR\n"
    );
    let mut found: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default().with_external(&supplied);
    let typed = elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &options, &mut found).expect("short");
    assert_eq!(typed.type_of(typed.records().next().expect("a record")), Some("https://e.example/A"));
    let said: Vec<_> = found
        .iter()
        .filter(|one| [codes::SCHEMA_OUT_OF_DATE, codes::SCHEMA_EXTERNAL].contains(&one.code))
        .map(|one| (one.code.id(), one.place.map(|place| place.line)))
        .collect();
    assert_eq!(said, [("E0701", Some(5)), ("E0414", Some(6))]);
    let message = &found.iter().find(|one| one.code == codes::SCHEMA_OUT_OF_DATE).expect("a remark").message;
    assert!(message.ends_with("may be out of date: the server answered with status 500"), "{message}");
}

#[test]
fn redirections_are_followed_within_reason() {
    let server = serve(|path, stream| match path {
        "/1" => send(stream, "302 Found\r\nLocation: /2", b""),
        "/2" => send(stream, "307 There\r\nLocation: 3", b""),
        "/3" => send(stream, "200 OK", SCHEMA.as_bytes()),
        "/loop" => send(stream, "301 Moved\r\nLocation: /loop", b""),
        "/nowhere" => send(stream, "301 Moved", b""),
        "/file" => send(stream, "301 Moved\r\nLocation: file:///etc/passwd", b""),
        _ => send(stream, "404 No", b""),
    });
    let at = |path: &str| fetch(here(), &format!("{}{path}", server.address), None);
    assert_eq!(at("/1").expect("an answer").kept.octets, SCHEMA.as_bytes());
    assert!(matches!(at("/loop"), Err(FetchError::Redirections)));
    assert!(matches!(at("/nowhere"), Err(FetchError::Redirections)));
    assert!(matches!(at("/file"), Err(FetchError::NoAddress(_))));
    assert!(matches!(at("/none"), Err(FetchError::Status(404))));
}

#[test]
fn private_addresses_are_refused_in_any_spelling_and_at_any_hop() {
    let server = serve(|_, stream| send(stream, "200 OK", SCHEMA.as_bytes()));
    let port = server.address.rsplit(':').next().expect("a port").to_owned();
    let outside = limits(|limits| limits.private_addresses = false);
    for host in [
        "127.0.0.1",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "localhost",
        "0.0.0.0",
        "169.254.169.254",
    ] {
        let refused = fetch(outside, &format!("http://{host}:{port}/"), None);
        assert!(matches!(refused, Err(FetchError::NotPublic(_))), "{host}: {refused:?}");
    }
    assert!(server.asked.lock().expect("a log").is_empty(), "the server was asked");
    let refused = fetch(Limits::default(), &format!("http://127.0.0.1:{port}/"), None);
    assert!(matches!(refused, Err(FetchError::NotSecure(_))), "{refused:?}");
    // A hop is judged like the first address.
    let hop = serve(|_, stream| send(stream, "302 Found\r\nLocation: ftp://e.example/", b""));
    assert!(matches!(fetch(here(), &hop.address, None), Err(FetchError::NoAddress(_))));
    let insecure = limits(|limits| limits.plain_http = false);
    assert!(matches!(fetch(insecure, &hop.address, None), Err(FetchError::NotSecure(_))));
}

#[test]
fn a_trusted_host_vouches_for_no_other() {
    let server = serve(|path, stream| match path {
        "/here" => send(stream, "200 OK", SCHEMA.as_bytes()),
        "/again" => send(stream, "302 Found\r\nLocation: /here", b""),
        "/cloud" => send(stream, "302 Found\r\nLocation: https://169.254.169.254/secret", b""),
        "/plain" => send(stream, "302 Found\r\nLocation: http://e.example/", b""),
        _ => send(stream, "302 Found\r\nLocation: https://localhost/", b""),
    });
    let at = |path: &str| {
        let iri = format!("{}{path}", server.address);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        install_crypto_provider();
        let fetcher = Fetcher::trusting(Limits::default(), ["127.0.0.1"]).expect("a fetcher");
        runtime.block_on(fetcher.fetch(&iri, None))
    };
    assert_eq!(at("/here").expect("an answer").kept.octets, SCHEMA.as_bytes());
    assert_eq!(at("/again").expect("an answer").kept.octets, SCHEMA.as_bytes());
    assert!(matches!(at("/cloud"), Err(FetchError::NotPublic(_))));
    assert!(matches!(at("/other"), Err(FetchError::NotPublic(_))));
    assert!(matches!(at("/plain"), Err(FetchError::NotSecure(_))));
}

#[test]
fn answers_that_never_end_are_ended() {
    let endless = |head: &'static str, piece: &'static [u8], pause: Duration| {
        serve(move |_, stream| {
            let mut sent = stream.write_all(head.as_bytes());
            while sent.is_ok() {
                sent = stream.write_all(piece);
                thread::sleep(pause);
            }
        })
    };
    let body = endless("HTTP/1.1 200 OK\r\n\r\n", &[b'0'; 4096], Duration::ZERO);
    let cut = fetch(limits(|limits| limits.octets = 65_536), &body.address, None);
    assert!(matches!(cut, Err(FetchError::TooLong(65_536))), "{cut:?}");
    let slow = limits(|limits| limits.total = Duration::from_millis(300));
    for server in [
        endless("HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n", Duration::from_millis(50)),
        endless("HTTP/1.1 200 OK\r\n\r\n", b"0", Duration::from_millis(50)),
        serve(|_, stream| wait_for_client_to_leave(stream)),
    ] {
        let cut = fetch(slow, &server.address, None);
        assert!(matches!(cut, Err(FetchError::TooSlow(_))), "{cut:?}");
    }
}

#[test]
fn compressed_octets_count_as_what_they_become() {
    // 1 MiB of the digit 0, compressed by gzip to a thousandth of that.
    let packed: Vec<u8> = include_bytes!("../data/zeros.gz").to_vec();
    assert!(packed.len() < 2_000);
    let server = serve(move |_, stream| send(stream, "200 OK\r\nContent-Encoding: gzip", &packed));
    let cut = fetch(limits(|limits| limits.octets = 100_000), &server.address, None);
    assert!(matches!(cut, Err(FetchError::TooLong(100_000))), "{cut:?}");
    assert_eq!(fetch(here(), &server.address, None).expect("an answer").kept.octets.len(), 1 << 20);
}

#[test]
fn broken_answers_are_errors() {
    for answer in [
        "",
        "rubbish\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 4\r\n\r\nnope",
    ] {
        let server = serve(move |_, stream| drop(stream.write_all(answer.as_bytes())));
        let failed = fetch(here(), &server.address, None);
        assert!(matches!(failed, Err(FetchError::Connection { .. })), "{answer:?}: {failed:?}");
    }
}

#[test]
fn messages_say_what_was_refused_and_why_and_no_password() {
    let broken = serve(|_, stream| drop(stream.write_all(b"rubbish\r\n\r\n")));
    let cut =
        serve(|_, stream| drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0 HEAD")));
    // A port that nobody listens at: what bound it is gone.
    let free = TcpListener::bind("127.0.0.1:0").and_then(|free| free.local_addr()).expect("a port");
    let with_password = |address: &str| address.replace("//", "//ada:secret@");
    let plain = |iri: &str| fetch(limits(|limits| limits.plain_http = false), iri, None);
    for (failed, expected) in [
        (
            fetch(here(), &with_password(&broken.address), None),
            "the answer of `127.0.0.1` is not HTTP, or incomplete",
        ),
        (
            fetch(here(), &with_password(&cut.address), None),
            "the answer of `127.0.0.1` is incomplete or damaged",
        ),
        (fetch(here(), &format!("http://ada:secret@{free}/"), None), "`127.0.0.1` refused the connection"),
        (
            fetch(here(), "http://ada:secret@nobody.invalid/", None),
            "cannot find the address of `nobody.invalid`",
        ),
        (plain("http://ada:secret@e.example/x"), "`http://e.example/x` does not use https"),
        (
            fetch(here(), "ftp://ada:secret@e.example/x", None),
            "`ftp://e.example/x` is not an http or https address",
        ),
        (
            fetch(here(), "https://ada:secret@e.example:x/", None),
            "`https://e.example:x/` is not an http or https address",
        ),
    ] {
        assert_eq!(failed.expect_err("it cannot be had").to_string(), expected);
    }
    // Nor do findings: what failed is there with its IRI.
    let iri = format!("http://ada:secret@{free}/");
    let wanted = vec![iri.clone()];
    let (supplied, _) = run(here(), |fetcher| async move { fetcher.fetch_all(&wanted, &mut ()).await });
    let file = format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {iri}\n0 TRLR\n");
    let mut found: Vec<Diagnostic> = Vec::new();
    let options = ReadOptions::default().with_external(&supplied);
    elf_schema::read(file.as_bytes(), &Rules::JANUARY_2019, &options, &mut found).expect("short");
    let of_schema = found.iter().find(|one| one.code == codes::SCHEMA_EXTERNAL).expect("it is not there");
    let expected =
        format!("cannot get the external schema `http://{free}/`: `127.0.0.1` refused the connection");
    assert_eq!(of_schema.message, expected);
}

#[test]
fn only_so_many_are_asked_for() {
    let server = serve(|_, stream| send(stream, "200 OK", SCHEMA.as_bytes()));
    let mut limits = here();
    limits.schemas = 2;
    let wanted: Vec<String> = (0..4).map(|number| format!("{}/{number}", server.address)).collect();
    let (_, failed) = run(limits, |fetcher| async move { fetcher.fetch_all(&wanted, &mut ()).await });
    assert_eq!(failed.len(), 2);
    assert!(failed.iter().all(|(_, error)| matches!(error, FetchError::TooMany(2))));
}

#[test]
fn charsets_of_content_types() {
    let of = |text: &str| {
        let mut kept = CachedSchema::new(Vec::new());
        kept.content_type = Some(text.to_owned());
        kept.encoding()
    };
    assert_eq!(of("text/plain;charset=UTF-8"), Some(Encoding::Utf8));
    assert_eq!(of("text/plain; x=y; CHARSET = \"us-ascii\""), Some(Encoding::Ascii));
    assert_eq!(of("text/plain"), None);
    assert_eq!(of("text/plain; charset=klingon"), None);
}

/// A handler of a server may be moved to another thread wherever it waits.
#[test]
fn fetching_can_wait_in_a_handler_of_a_server() {
    fn sent<T: Send>(handler: T) -> T {
        handler
    }
    let read = run(Limits::default(), |fetcher| {
        sent(async move {
            let options = ReadOptions::default();
            let (supplied, failed) = fetcher.fetch_all(&[], &mut ()).await;
            let options = options.with_external(&supplied);
            let octets = b"0 HEAD\n1 CHAR UTF-8\n0 TRLR\n";
            let read = elf_schema::read(octets, &Rules::WILD, &options, &mut ());
            (failed.len(), read.map(|typed| typed.document().len()).ok())
        })
    });
    assert_eq!(read, (0, Some(3)));
}

/// Addresses of as many schemas of one server.
fn many(server: &Server, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{}/{number}", server.address)).collect()
}

fn limits(set: impl Fn(&mut Limits)) -> Limits {
    let mut limits = here();
    set(&mut limits);
    limits
}

#[test]
fn several_schemas_are_asked_for_at_a_time() {
    let at_once = Arc::new((Mutex::new((0_usize, 0_usize)), std::sync::Condvar::new()));
    let counted = Arc::clone(&at_once);
    // Each answer waits until three were asked for together, or gives up.
    let server = serve(move |path, stream| {
        let (counts, changed) = &*counted;
        let mut held = counts.lock().expect("counts");
        held.0 += 1;
        held.1 = held.1.max(held.0);
        changed.notify_all();
        let waited = changed.wait_timeout_while(held, Duration::from_secs(120), |counts| counts.1 < 3);
        drop(waited.expect("counts"));
        let of_path = SCHEMA.replace("e.example/A", &format!("e.example{path}"));
        send(stream, "200 OK", of_path.as_bytes());
        counts.lock().expect("counts").0 -= 1;
    });
    let wanted = many(&server, 9);
    let all = wanted.clone();
    let (supplied, failed) =
        run(
            limits(|limits| limits.at_once = 3),
            |fetcher| async move { fetcher.fetch_all(&all, &mut ()).await },
        );
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(at_once.0.lock().expect("counts").1, 3);
    for (number, iri) in wanted.iter().enumerate() {
        let octets = supplied.schema(iri).expect("a schema").octets.into_owned();
        assert!(String::from_utf8_lossy(&octets).contains(&format!("e.example/{number}\n")), "{iri}");
    }
}

#[test]
fn all_together_have_limits_too() {
    let server = serve(|_, stream| send(stream, "200 OK", SCHEMA.as_bytes()));
    let wanted = many(&server, 4);
    let failed = |limits: Limits, wanted: Vec<String>| -> Vec<String> {
        let (_, failed) = run(limits, |fetcher| async move { fetcher.fetch_all(&wanted, &mut ()).await });
        failed.into_iter().map(|(_, error)| error.to_string()).collect()
    };
    let two = SCHEMA.len() * 2;
    assert_eq!(
        failed(limits(|limits| (limits.at_once, limits.octets_of_all) = (0, two)), wanted),
        vec![format!("the documents are longer than {two} bytes in total"); 2]
    );
    let silent = serve(|_, stream| wait_for_client_to_leave(stream));
    let wanted = many(&silent, 30);
    let failed = failed(limits(|limits| limits.time_of_all = Duration::from_millis(300)), wanted);
    assert_eq!(failed, vec!["timeout after 300ms"; 30]);
}

#[test]
fn the_client_is_set_up_by_the_caller_and_no_less_careful() {
    use elf_schema::source::http::reqwest;
    install_crypto_provider();
    let server = serve(|path, stream| match path {
        "/away" => send(stream, "302 Found\r\nLocation: http://127.0.0.2/", b""),
        _ => send(stream, "200 OK", SCHEMA.as_bytes()),
    });
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    // Whatever the caller says of redirections, each is judged.
    let client =
        reqwest::Client::builder().user_agent("registry/2").redirect(reqwest::redirect::Policy::limited(9));
    let fetcher = Fetcher::from_builder(client, Limits::default(), ["127.0.0.1"]).expect("a fetcher");
    let got = runtime.block_on(fetcher.fetch(&format!("{}/here", server.address), None));
    assert!(got.is_ok(), "{got:?}");
    let away = runtime.block_on(fetcher.fetch(&format!("{}/away", server.address), None));
    assert!(matches!(away, Err(FetchError::NotSecure(_) | FetchError::NotPublic(_))), "{away:?}");
    let asked = server.asked.lock().expect("a log");
    assert!(asked.iter().all(|(_, headers)| headers.get("user-agent").is_some_and(|by| by == "registry/2")));
}

#[test]
fn a_client_that_breaks_off_is_no_slow_server() {
    use elf_schema::source::http::reqwest;
    install_crypto_provider();
    let server = serve(|path, stream| match path {
        "/0" => send(stream, "503 Service Unavailable", b""),
        _ => send(stream, "200 OK", SCHEMA.as_bytes()),
    });
    let policy = reqwest::retry::for_host("127.0.0.1").max_retries_per_request(1).classify_fn(|asked| {
        match asked.status() {
            Some(reqwest::StatusCode::SERVICE_UNAVAILABLE) => panic!("the client's own code"),
            _ => asked.success(),
        }
    });
    let client = reqwest::Client::builder().retry(policy);
    let fetcher = Fetcher::from_builder(client, here(), []).expect("a fetcher");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let wanted = many(&server, 2);
    let (supplied, failed) = runtime.block_on(fetcher.fetch_all(&wanted, &mut ()));
    assert!(matches!(&*failed, [(iri, FetchError::BrokenOff)] if *iri == wanted[0]), "{failed:?}");
    assert!(supplied.schema(&wanted[1]).is_some());
    assert_eq!(supplied.remark(&wanted[0]).as_deref(), Some("the client was cancelled"));
}

#[test]
fn a_stream_gets_its_schema_on_the_way() {
    install_crypto_provider();
    let server = serve(|_, stream| send(stream, "200 OK", SCHEMA.as_bytes()));
    let body = format!("0 HEAD\n1 SCHMA {}/a\n{}0 TRLR\n", server.address, "0 _A\n".repeat(200_000));
    let read = move |get: &dyn Fn(&[String]) -> elf_schema::source::SuppliedSchemas| {
        let start = StreamStart::read(body.as_bytes(), &Rules::WILD, &Options::default()).expect("a start");
        let supplied = get(start.wanted());
        let options = ReadOptions::default().with_external(&supplied);
        let mut reader = elf_schema::Reader::new(start.into_input(), &Rules::WILD, options);
        let mut count = 0;
        while let Some(part) = reader.next_run(&mut ()).expect("it is read") {
            count += part.of_type("https://e.example/A").count();
        }
        count
    };
    // In an asynchronous service: the reading has a thread of its own, and asks the runtime.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let count = runtime.block_on(async move {
        let handle = tokio::runtime::Handle::current();
        let fetcher = Fetcher::new(here()).expect("a fetcher");
        let reading = tokio::task::spawn_blocking(move || {
            read(&|wanted| handle.block_on(fetcher.fetch_all(wanted, &mut ())).0)
        });
        reading.await.expect("it does not panic")
    });
    assert_eq!(count, 200_000);
}
