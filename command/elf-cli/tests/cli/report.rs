//! `elf report`: the page, and with which exit status it is written.

use crate::archives::{archive, packed};
use crate::shell::{file, run, run_with, status, stderr, stdout};
use std::fs;
use std::process::Command;

const TODAY: [&str; 2] = ["--today", "2026-11-22"];

fn page(arguments: &[&str]) -> String {
    let output = run(&[&["report", "-o", "-"], &TODAY[..], arguments].concat());
    assert_eq!((status(&output), stderr(&output).as_str()), (0, ""));
    stdout(&output)
}

#[test]
fn a_page_says_what_the_file_is_and_what_was_found() {
    let html = page(&[&file("broken.ged")]);
    for words in ["<title>", "About the file", "What was found", "Questions about facts", "malformed"] {
        assert!(html.contains(words), "{words}: {html}");
    }
    // As `elf check` counts them, and the first of them with their places.
    let found = run(&["check", "--statistics", "--format", "json", &file("broken.ged")]);
    for line in crate::shell::json(&found).iter().filter(|line| line["code"].is_string()) {
        assert!(html.contains(line["code"].as_str().expect("a code")), "{line}");
    }
    assert!(html.contains("<b>line "), "{html}");
}

#[test]
fn several_files_have_a_total_first() {
    let (one, other) = (file("family.ged"), file("shoes.ged"));
    let html = page(&[&one, &other]);
    let places: Vec<Option<usize>> =
        ["All files", "id=\"file-1\"", "id=\"file-2\"", "<footer>"].map(|words| html.find(words)).to_vec();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{places:?}");
    for jobs in ["1", "2", "5"] {
        assert!(page(&["--jobs", jobs, &one, &other]) == html, "{jobs} jobs");
    }
}

#[test]
fn the_status_is_no_verdict() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report.html");
    let out = out.to_str().expect("a path");
    // An output is named.
    assert_eq!(status(&run(&["report", &file("family.ged")])), 2);
    // What the rules end is told of as far as it was read.
    let output = run(&["report", "--rules", "2019-12", &file("broken.ged"), "-o", out]);
    let told = stderr(&output);
    assert!(status(&output) == 1 && told.contains("reading of"), "{told}");
    assert!(fs::read_to_string(out).expect("a page").contains("Reading stopped before the end of the file"));
    // A file that cannot be read is told of beside others, and alone leaves no page.
    let output = run(&["report", "absent.ged", &file("family.ged"), "-o", out]);
    assert_eq!(status(&output), 2);
    let html = fs::read_to_string(out).expect("a page");
    assert!(html.contains("cannot be read: no such file") && html.contains("id=\"file-2\""), "{html}");
    fs::remove_file(out).expect("a page");
    assert_eq!(status(&run(&["report", "absent.ged", "-o", out])), 2);
    assert!(!fs::exists(out).expect("a folder"));
    // No input is overwritten.
    let input = folder.path().join("family.ged");
    fs::copy(file("family.ged"), &input).expect("a file");
    let input = input.to_str().expect("a path");
    assert_eq!(status(&run(&["report", input, "-o", input])), 2);
}

#[test]
fn the_configuration_is_that_of_check() {
    let folder = tempfile::tempdir().expect("a folder");
    let (input, config) = (folder.path().join("a.ged"), folder.path().join("elf.toml"));
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n1 _X y\n1 BIRT\n2 DATE 1815\n1 DEAT\n2 DATE 1700\n0 TRLR\n";
    fs::write(&input, text).expect("a file");
    let input = input.to_str().expect("a path");
    let html = page(&[input]);
    assert!(html.contains("P01") && html.contains("asked on 2026-11-22"), "{html}");
    fs::write(&config, "[check]\nignore = [\"tag-undefined\", \"P\"]\n").expect("a file");
    let html = page(&[input]);
    assert!(!html.contains("P01") && html.contains("elf.toml"), "{html}");
    let html = page(&["--no-config", "--select", "P", input]);
    assert!(html.contains("P01"), "{html}");
    let config = config.to_str().expect("a path");
    assert_eq!(status(&run(&["report", input, "-o", config])), 2);
}

/// A family whose texts would all be a script, were they not escaped.
const HOSTILE: &str = "0 HEAD\n1 SOUR <script>document.body.dataset.hit=1</script>\n1 CHAR UTF-8\n0 @I1@ INDI\n\
    1 NAME <img src=x onerror=document.body.dataset.hit=2>\n1 _</script><script>document.body.dataset.hit=3</script> x\n\
    1 BIRT\n2 DATE \"onmouseover=\"document.body.dataset.hit=4\n2 PLAC </style><svg onload=document.body.dataset.hit=5>\n\
    5 NOTE ]]><script>document.body.dataset.hit=6</script>\n0 TRLR\n";

/// The browser, if there is one.
#[allow(clippy::print_stderr, reason = "a test that is skipped says so")]
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|it| it.status.success()));
    if found.is_none() {
        eprintln!("skipped: there is no Chromium to look at the page with");
    }
    found
}

#[test]
fn a_browser_shows_it_runs_its_script_and_no_other() {
    let Some(browser) = browser() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("report.html");
    let path = out.to_str().expect("a path");
    let many: Vec<String> = (0..20).map(|number| format!("1 _TAG{number} x\n")).collect();
    let text = HOSTILE.replace("0 TRLR", &format!("0 @I2@ INDI\n{}0 TRLR", many.concat()));
    let name = "<script>document.body.dataset.hit=7</script>.ged";
    let output = run_with(&["report", "-", "--stdin-filename", name, "-o", path], text.as_bytes());
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let profile = format!("--user-data-dir={}", folder.path().join("profile").display());
    let shown = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            "--dump-dom",
            &*profile,
        ])
        .arg(format!("file://{path}"))
        .output()
        .expect("the browser runs");
    let (dom, told) = (stdout(&shown), String::from_utf8_lossy(&shown.stderr));
    // The script of the page has made a field to filter the tags by.
    assert!(dom.contains("type=\"search\""), "{told}");
    assert!(!dom.contains("data-hit"), "{dom}");
    assert!(!told.contains("CONSOLE"), "{told}");
}

#[test]
fn folders_and_archives_are_reported_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let sub = folder.path().join("trees");
    fs::create_dir(&sub).expect("a folder");
    let ada = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada\n1 _X y\n1 BIRT\n2 _Y z\n0 TRLR\n";
    fs::write(sub.join("a.ged"), ada).expect("a file");
    fs::write(sub.join("notes.txt"), "no tree").expect("a file");
    let unnamed = ada.replace("Ada", "//");
    let entries = ["inner.ged", "other.txt"].map(|name| packed(name, unnamed.as_bytes()));
    fs::write(sub.join("b.zip"), archive(&entries)).expect("a file");
    let html = page(&[sub.to_str().expect("a path")]);
    assert!(
        html.contains("2 files") && html.contains("a.ged</bdi>") && html.contains("b.zip!inner.ged</bdi>")
    );
    assert!(!html.contains("notes.txt") && !html.contains("other.txt"), "{html}");
    let prefix = "In the types, “elf:” stands for https://terms.fhiso.org/elf/.";
    assert_eq!(
        html.matches(prefix).count(),
        3 + 2,
        "of all files and of each, and where types are listed: {html}"
    );
    // Solidi alone are no name.
    let with_name = "<bdi>name</bdi></th><td class=\"n\">1</td><td class=\"n\">50 %</td>";
    assert!(html.contains(with_name), "{html}");
}

#[test]
fn living_people_are_hidden_unless_they_are_wanted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("family.ged");
    let text = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Ada /King/\n1 DEAT\n2 DATE 1852\n0 @I2@ INDI\n\
        1 NAME Secret /Livingstone/\n1 BIRT\n2 DATE 1990\n0 TRLR\n";
    fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("a path");
    let html = page(&[path]);
    assert!(html.contains("Ada King") && !html.contains("Livingstone"), "{html}");
    let html = page(&["--living", path]);
    assert!(html.contains("Ada King") && html.contains("Secret Livingstone"), "{html}");
    let html = page(&["--no-people", path]);
    assert!(!html.contains("Ada King"), "{html}");
    assert_eq!(status(&run(&["report", path, "-o", "-", "--living", "--no-people"])), 2);
}
