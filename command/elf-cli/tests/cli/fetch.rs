//! External schemas: `--fetch`, `--offline`, `--schema IRI`, with a server on loopback that also misbehaves.

use crate::shell::{elf, json, status, stderr, stdout};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

const SCHEMA: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n\
    2 IRI https://e.example/Shoe\n3 TAG _SHOE elf:Document\n0 TRLR\n";

/// A server that answers each path by `answer`, given the value of If-None-Match, and what it was asked.
struct Server {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

fn serve(answer: impl Fn(&str, Option<&str>, &mut TcpStream) + Send + Sync + 'static) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&asked);
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let (log, answer) = (Arc::clone(&log), Arc::clone(&answer));
            thread::spawn(move || {
                let mut lines = BufReader::new(stream.try_clone().expect("a stream")).lines();
                let request = lines.next().and_then(Result::ok).unwrap_or_default();
                let headers = lines.map_while(Result::ok).take_while(|line| !line.is_empty());
                let headers: HashMap<String, String> = headers
                    .filter_map(|line| {
                        let (name, value) = line.split_once(':')?;
                        Some((name.to_ascii_lowercase(), value.trim().to_owned()))
                    })
                    .collect();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                log.lock().expect("a log").push(path.clone());
                answer(&path, headers.get("if-none-match").map(String::as_str), &mut stream);
            });
        }
    });
    Server { address, asked }
}

impl Server {
    fn asked(&self) -> usize {
        self.asked.lock().expect("a log").len()
    }
}

/// Sends an answer, and ignores errors: the client may have gone.
fn send(stream: &mut TcpStream, head: &str, body: &[u8]) {
    let head = format!("HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
    let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body));
}

fn ok(stream: &mut TcpStream) {
    send(stream, "200 OK\r\nETag: \"1\"\r\nContent-Type: text/plain; charset=utf-8", SCHEMA.as_bytes());
}

/// The command with a cache of its own.
fn ask(cache: &Path, args: &[&str], input: &str) -> Output {
    let mut child = elf(args)
        .env("XDG_CACHE_HOME", cache)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    // What does not read it to the end may close it.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

fn referring(iri: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {iri}\n0 _SHOE left\n0 TRLR\n")
}

/// The type that `elf show` gives the one record, and what was said.
fn type_of(cache: &Path, input: &str, args: &[&str]) -> (Option<String>, i32, String) {
    let fixed =
        ["show", "-", "--form", "typed", "--format", "json", "--deny", "warnings", "--rules", "2019-01"];
    let output = ask(cache, &[&fixed[..], args].concat(), input);
    let record = json(&output).into_iter().nth(1);
    let of = record.and_then(|record| record["type"].as_str().map(str::to_owned));
    (of, status(&output), stderr(&output))
}

const SHOE: &str = "https://e.example/Shoe";
const UNDEFINED: &str = "https://terms.fhiso.org/elf/Undefined#_SHOE";
const FETCH: &[&str] = &["--fetch", "--allow-host", "127.0.0.1"];

#[test]
fn a_schema_is_fetched_kept_asked_for_again_and_used_offline() {
    let server = serve(|_, known, stream| match known {
        Some("\"1\"") => send(stream, "304 Not Modified", b""),
        _ => ok(stream),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let input = referring(&format!("{}/shoes", server.address));
    let (of, exit, said) = type_of(folder.path(), &input, &[]);
    assert_eq!((of.as_deref(), exit), (Some(UNDEFINED), 1), "{said}");
    assert!(said.contains("[E0414]") && said.contains("the network is only used with `--fetch`"), "{said}");
    let (of, exit, said) = type_of(folder.path(), &input, &["--offline"]);
    assert_eq!((of.as_deref(), exit), (Some(UNDEFINED), 1), "{said}");
    assert!(said.contains("[E0414]") && said.contains("it is not in the cache"), "{said}");
    assert_eq!(server.asked(), 0, "the network was used without leave");
    for times in 1..=2 {
        let (of, exit, said) = type_of(folder.path(), &input, FETCH);
        assert_eq!((of.as_deref(), exit, said.as_str()), (Some(SHOE), 0, ""));
        assert_eq!(server.asked(), times);
    }
    let (of, exit, said) = type_of(folder.path(), &input, &["--offline"]);
    assert_eq!((of.as_deref(), exit, said.as_str()), (Some(SHOE), 0, ""));
    assert_eq!(server.asked(), 2);
    // One file, and nothing half written beside it.
    let kept = std::fs::read_dir(folder.path().join("elf/schemas")).expect("a cache").count();
    assert_eq!(kept, 1);
}

#[test]
fn what_was_kept_is_used_where_the_network_fails_and_said_to_be_old() {
    let calls = Mutex::new(0);
    let server = serve(move |_, _, stream| {
        let mut calls = calls.lock().expect("a number");
        *calls += 1;
        if *calls == 1 { ok(stream) } else { send(stream, "503 Later", b"") }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let input = referring(&server.address);
    assert_eq!(type_of(folder.path(), &input, FETCH).1, 0);
    let (of, exit, said) = type_of(folder.path(), &input, FETCH);
    assert_eq!((of.as_deref(), exit), (Some(SHOE), 1), "{said}");
    assert!(said.contains("[E0701]") && said.contains("answered with status 503"), "{said}");
}

#[test]
fn a_host_that_is_allowed_cannot_send_elsewhere() {
    let server = serve(|path, _, stream| match path {
        "/again" => send(stream, "302 Found\r\nLocation: /shoes", b""),
        "/cloud" => send(stream, "302 Found\r\nLocation: https://169.254.169.254/", b""),
        "/plain" => send(stream, "302 Found\r\nLocation: http://e.example/", b""),
        _ => ok(stream),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str, args: &[&str]| {
        type_of(folder.path(), &referring(&format!("{}{path}", server.address)), args)
    };
    assert_eq!(at("/again", FETCH).1, 0);
    let asked = server.asked();
    let (of, exit, said) = at("/shoes", &["--fetch"]);
    assert_eq!((of.as_deref(), exit), (Some(UNDEFINED), 1), "{said}");
    assert!(said.contains("does not use https"), "{said}");
    assert_eq!(server.asked(), asked, "a private address was asked");
    for (path, reason) in
        [("/cloud", "`169.254.169.254` is not on the public Internet"), ("/plain", "does not use https")]
    {
        let (of, exit, said) = at(path, FETCH);
        assert_eq!((of.as_deref(), exit), (Some(UNDEFINED), 1), "{said}");
        assert!(said.contains("[E0414]") && said.contains(reason), "{said}");
        // Where the file refers to it.
        assert!(said.contains("-:4:"), "{said}");
    }
}

#[test]
fn answers_that_are_none_are_findings_of_the_file() {
    let server = serve(|path, _, stream| match path {
        "/gone" => send(stream, "404 Not Found", b""),
        "/page" => send(stream, "200 OK\r\nContent-Type: text/html", b"<html>no schema</html>"),
        "/cut" => drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0 HEAD")),
        "/rubbish" => drop(stream.write_all(b"rubbish\r\n\r\n")),
        "/more" => {
            let more = SCHEMA.replace("2 PRFX", "2 SCHMA https://e.example/more\n2 PRFX");
            send(stream, "200 OK", more.as_bytes());
        }
        "/slow" => {
            thread::sleep(Duration::from_millis(200));
            ok(stream);
        }
        _ => {}
    });
    let folder = tempfile::tempdir().expect("a folder");
    let at = |path: &str| type_of(folder.path(), &referring(&format!("{}{path}", server.address)), FETCH);
    for (path, reason) in [
        ("/gone", "the server answered with status 404"),
        ("/page", "no ELF schema at"),
        ("/cut", "cannot get the external schema"),
        ("/rubbish", "cannot get the external schema"),
    ] {
        let (of, exit, said) = at(path);
        assert_eq!((of.as_deref(), exit), (Some(UNDEFINED), 1), "{said}");
        assert!(said.contains("[E0414]") && said.contains(reason), "{path}: {said}");
    }
    assert_eq!(at("/slow").1, 0);
    let (of, exit, said) = at("/more");
    assert_eq!((of.as_deref(), exit), (Some(SHOE), 1), "{said}");
    assert!(said.contains("refers to other external schemas"), "{said}");
    assert!(server.asked.lock().expect("a log").iter().all(|path| path != "/shoe"));
}

#[test]
fn a_schema_in_force_can_stand_on_the_network() {
    let server = serve(|path, _, stream| match path {
        "/shoes" => ok(stream),
        "/page" => send(stream, "200 OK", b"<html>no schema</html>"),
        _ => send(stream, "404 Not Found", b""),
    });
    let folder = tempfile::tempdir().expect("a folder");
    let iri = |path: &str| format!("{}{path}", server.address);
    let file = "0 HEAD\n1 CHAR UTF-8\n0 _SHOE left\n0 TRLR\n";
    let (of, exit, said) = type_of(folder.path(), file, &[FETCH, &["--schema", &iri("/shoes")]].concat());
    assert_eq!((of.as_deref(), exit, said.as_str()), (Some(SHOE), 0, ""));
    let offline = ["--offline", "--schema", &iri("/shoes")];
    assert_eq!(type_of(folder.path(), file, &offline).0.as_deref(), Some(SHOE));
    // Every command that gives types takes it, and fails alike without it.
    for command in ["check", "info", "show", "schema"] {
        let none = ask(folder.path(), &[command, "-", "--schema", &iri("/shoes")], file);
        assert_eq!(status(&none), 2, "{command}: {}", stderr(&none));
        assert!(stderr(&none).contains("the network is only used with `--fetch`"), "{}", stderr(&none));
        let gone = ask(folder.path(), &[&[command, "-", "--schema", &iri("/gone")], FETCH].concat(), file);
        assert_eq!(status(&gone), 2, "{command}: {}", stderr(&gone));
        assert!(stderr(&gone).contains("the server answered with status 404"), "{}", stderr(&gone));
        assert_eq!(stdout(&gone), "");
    }
    let page = ask(folder.path(), &[&["schema", "--schema", &iri("/page")], FETCH].concat(), "");
    assert_eq!(status(&page), 2);
    assert!(stderr(&page).contains("it contains no schema"), "{}", stderr(&page));
    let shown = ask(folder.path(), &[&["schema", "--schema", &iri("/shoes")], FETCH].concat(), "");
    assert_eq!(
        stdout(&shown),
        "prefix elf https://terms.fhiso.org/elf/\nhttps://e.example/Shoe\n  _SHOE in elf:Document\n"
    );
}

#[test]
fn a_large_file_asks_for_its_schema_once() {
    let server = serve(|_, _, stream| ok(stream));
    let folder = tempfile::tempdir().expect("a folder");
    let mut input = referring(&server.address);
    let note = format!("0 _SHOE {}\n", "left ".repeat(2000));
    input.insert_str(input.len() - "0 TRLR\n".len(), &note.repeat(1000));
    let args = [&["info", "-", "--format", "json", "--rules", "2019-01"], FETCH].concat();
    let output = ask(folder.path(), &args, &input);
    assert_eq!((status(&output), server.asked()), (0, 1), "{}", stderr(&output));
    assert_eq!(json(&output)[0]["types"][SHOE], 1001);
    let check = ask(folder.path(), &[&["check", "-", "--rules", "2019-01"], FETCH].concat(), &input);
    assert_eq!((status(&check), stderr(&check).as_str()), (0, ""));
}

#[test]
fn a_file_of_a_schema_may_refer_to_others() {
    let server = serve(|_, _, stream| ok(stream));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("schema.ged");
    std::fs::write(&path, referring(&server.address)).expect("a file");
    let path = path.to_string_lossy();
    let file = "0 HEAD\n1 CHAR UTF-8\n0 _SHOE left\n0 TRLR\n";
    let (of, exit, said) = type_of(folder.path(), file, &[FETCH, &["--schema", &path]].concat());
    assert_eq!((of.as_deref(), exit, said.as_str()), (Some(SHOE), 0, ""));
}

#[test]
fn a_cache_that_cannot_be_written_keeps_nothing_from_being_done() {
    let server = serve(|_, _, stream| ok(stream));
    let folder = tempfile::tempdir().expect("a folder");
    let blocked = folder.path().join("file");
    std::fs::write(&blocked, "").expect("a file");
    let (of, exit, said) = type_of(&blocked, &referring(&server.address), FETCH);
    assert_eq!((of.as_deref(), exit), (Some(SHOE), 0), "{said}");
    assert!(said.contains("cannot keep a schema in"), "{said}");
    // What is in the cache but is none of ours is skipped.
    let input = referring(&format!("{}/x", server.address));
    assert_eq!(type_of(folder.path(), &input, FETCH).1, 0);
    for entry in std::fs::read_dir(folder.path().join("elf/schemas")).expect("a cache") {
        std::fs::write(entry.expect("a file").path(), "rubbish").expect("a file");
    }
    assert_eq!(type_of(folder.path(), &input, &["--offline"]).0.as_deref(), Some(UNDEFINED));
    assert_eq!(type_of(folder.path(), &input, FETCH).1, 0);
}

const ESCAPES: &str = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n\
    2 IRI ex:R\n3 TAG _R elf:Document\n2 IRI ex:A\n3 TAG _A ex:R\n2 ESC _A G\n0 TRLR\n";

#[test]
fn the_escapes_of_a_fetched_schema_are_those_of_the_file() {
    let server = serve(|_, _, stream| send(stream, "200 OK", ESCAPES.as_bytes()));
    let folder = tempfile::tempdir().expect("a folder");
    let input = format!(
        "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 SCHMA {}\n0 _R\n1 _A @#GX@ 1\n1 _A @#HX@ 2\n0 TRLR\n",
        server.address
    );
    let by =
        |command: &[&str]| ask(folder.path(), &[command, &["--rules", "2019-01"], FETCH].concat(), &input);
    let check = by(&["check", "-"]);
    let said = stdout(&check) + &stderr(&check);
    assert!(said.matches("E0323").count() == 1 && said.contains("@#HX@"), "{said}");
    for form in ["tagged", "typed"] {
        let shown = stdout(&by(&["show", "-", "--form", form]));
        assert!(shown.contains("@#GX@ 1") && !shown.contains("@#HX@"), "{shown}");
    }
    let converted = by(&["convert", "-", "-o", "-", "--to-rules", "2019-01", "--allow-loss"]);
    let written = stdout(&converted);
    assert!(status(&converted) == 0 && written.contains("1 _A @#GX@ 1\n1 _A 2\n"), "{written}");
    // What reading removed is a loss.
    assert!(stderr(&converted).matches("E0813").count() == 1, "{}", stderr(&converted));
    let edited = by(&["edit", "-", "--set", "_R/_A[1]=@#GY@ @#HY@ "]);
    assert!(stdout(&edited).contains("1 _A @#GY@ @@#HY@@ \n"), "{}", stdout(&edited));
}

#[test]
fn a_host_is_a_host() {
    let folder = tempfile::tempdir().expect("a folder");
    for host in ["", "127.0.0.1:80", "http://localhost/", "127.1", "localhost/", "a@b", "a..b", ".", "a.b.."]
    {
        let output = ask(folder.path(), &["check", "-", "--fetch", "--allow-host", host], "0 HEAD\n0 TRLR\n");
        assert_eq!(status(&output), 2, "{host}");
        assert!(stderr(&output).contains("without a scheme, a port or a path"), "{}", stderr(&output));
    }
    for host in [
        "localhost",
        "192.0.2.1",
        "[::1]",
        "::1",
        "schemas.example",
        "nas1",
        "db-01.lan",
        "my_host",
        "e.example.",
    ] {
        let output = ask(folder.path(), &["check", "-", "--fetch", "--allow-host", host], "0 HEAD\n0 TRLR\n");
        assert_ne!(status(&output), 2, "{host}: {}", stderr(&output));
    }
}

#[test]
fn the_schemas_of_a_file_are_asked_for_at_the_same_time() {
    // Each request waits until four of them are there.
    let waiting = Arc::new((Mutex::new(0), std::sync::Condvar::new()));
    let server = serve(move |_, _, stream| {
        let (count, all) = &*waiting;
        let mut count = count.lock().expect("a number");
        *count += 1;
        all.notify_all();
        let patience = Duration::from_secs(5);
        let (count, wait) = all.wait_timeout_while(count, patience, |count| *count < 4).expect("a number");
        drop(count);
        if wait.timed_out() { send(stream, "503 Alone", b"") } else { ok(stream) }
    });
    let folder = tempfile::tempdir().expect("a folder");
    let references: String = (0..4).map(|at| format!("2 SCHMA {}/{at}\n", server.address)).collect();
    let input = format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n{references}0 _SHOE left\n0 TRLR\n");
    let (of, exit, said) = type_of(folder.path(), &input, FETCH);
    assert_eq!((of.as_deref(), exit, said.as_str(), server.asked()), (Some(SHOE), 0, "", 4));
}

#[test]
fn a_run_asks_for_no_more_schemas_than_its_limit() {
    let server = serve(|_, _, stream| ok(stream));
    let folder = tempfile::tempdir().expect("a folder");
    for file in 0..2 {
        let references: String =
            (0..20).map(|at| format!("2 SCHMA {}/{file}-{at}\n", server.address)).collect();
        let text = format!("0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n{references}0 _SHOE left\n0 TRLR\n");
        std::fs::write(folder.path().join(format!("{file}.ged")), text).expect("a file");
    }
    let path = folder.path().to_string_lossy().into_owned();
    let output = ask(folder.path(), &[&["check", &path, "--rules", "2019-01"], FETCH].concat(), "");
    assert!(stdout(&output).contains("more than 32 schemas are requested"), "{}", stdout(&output));
    assert_eq!(server.asked(), 32);
}
