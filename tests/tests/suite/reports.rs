//! Reports on every file there is, read in every encoding: nothing panics, the page is well-formed, asks
//! nothing of any network, and holds no markup but its own, whatever is in the file.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use crate::page_check;

use elf_base::Rules;
use elf_octets::{Encoding, Options};
use elf_report::page::{FileReport, FileReportBuilder, Page, ReportReader, Total};
use elf_schema::{ReadOptions, Reader};
use elf_tests::corpus::corpus;
use elf_tests::fixtures::Fixture;
use page_check::check;

/// The report on a file that is read in runs of that size, with what the readers found.
fn report(name: &str, octets: &[u8], encoding: Option<Encoding>, size: usize) -> Option<FileReport> {
    let options = ReadOptions::default().with_octets(Options::default().with_forced(encoding));
    let mut reader = Reader::new(octets, &Rules::WILD, options).with_run_size(size);
    let (mut builder, mut of_runs) = (FileReportBuilder::default(), None);
    let mut found = Vec::new();
    while let Some(run) = reader.next_run(&mut found).expect("octets in memory") {
        builder.add_run(of_runs.get_or_insert_with(|| ReportReader::new(run.schema())).read_run(&run));
    }
    let mut report = builder.finish(name, reader.tagged(), reader.resolver())?;
    report.facts.octets = octets.len() as u64;
    found.sort_by_key(|finding| finding.place.map(|place| place.octet));
    for finding in &found {
        report.findings.add(finding, || Some(finding.message.to_string()));
    }
    Some(report)
}

fn page(reports: &[FileReport]) -> String {
    let (mut html, mut total) = (Vec::new(), Total::default());
    reports.iter().for_each(|report| total.add(report));
    let page = Page::of(reports.len()).with_today(2_461_368);
    page.start(&mut html, &total).expect("memory");
    for (report, number) in reports.iter().zip(1..) {
        page.file(&mut html, number, report).expect("memory");
    }
    page.end(&mut html).expect("memory");
    String::from_utf8(html).expect("UTF-8")
}

#[test]
fn every_file_makes_a_page_that_is_well_formed() {
    let mut files: Vec<(String, Vec<u8>)> =
        corpus().into_iter().flatten().map(|file| (file.name, file.octets)).collect();
    for fixture in Fixture::all_fixtures().expect("fixtures") {
        files.push((fixture.name(), fixture.octets().expect("a fixture")));
    }
    let mut reports = Vec::new();
    for (name, octets) in &files {
        for encoding in Encoding::ALL.map(Some).into_iter().chain([None]) {
            let Some(report) = report(name, octets, encoding, 1 << 12) else { continue };
            check(&page(std::slice::from_ref(&report))).unwrap_or_else(|why| panic!("{name}: {why}"));
            if encoding.is_none() {
                reports.push(report);
            }
        }
    }
    assert!(reports.len() > files.len() / 2, "{} of {}", reports.len(), files.len());
    check(&page(&reports)).unwrap_or_else(|why| panic!("all: {why}"));
}

#[test]
fn a_page_does_not_depend_on_the_runs_of_the_file() {
    for file in corpus().into_iter().flatten() {
        let page = |size| report(&file.name, &file.octets, None, size).map(|report| page(&[report]));
        let (whole, in_runs) = (page(1 << 24), page(64));
        assert!(whole == in_runs, "{}", file.name);
    }
}

/// Texts that would be markup, end what they are in, or hide what they are.
const HOSTILE: [&str; 12] = [
    "<script>document.title='HIT'</script>",
    "</style><script>document.title='HIT'</script>",
    "</script><script>document.title='HIT'</script>",
    "</title><img/src=x/onerror=alert(1)>",
    "\"onload=\"alert(1)",
    "'onfocus='alert(1)'autofocus='",
    "]]><svg onload=alert(1)>",
    "--><iframe src=https://e.example/>",
    "<a href=javascript:alert(1)>",
    "a\u{2028}b\u{2029}c\u{202e}d\u{2066}e\u{200b}f",
    "\u{0}\u{1b}[2J\u{7f}\u{9b}",
    "&lt;b&gt; &#60;b&#62; &amp",
];

#[test]
fn nothing_in_a_file_is_markup() {
    let mut reports = Vec::new();
    for hostile in HOSTILE {
        let file = format!(
            "0 HEAD\n1 SOUR {hostile}\n2 VERS {hostile}\n1 GEDC\n2 VERS {hostile}\n1 CHAR {hostile}\n0 @{hostile}@ INDI\n\
             1 NAME {hostile}\n1 {hostile} x\n1 BIRT\n2 DATE {hostile}\n2 PLAC {hostile}\n4 NOTE {hostile}\n\
             1 FAMS @{hostile}@\n1 _{hostile}\n{hostile}\n0 {hostile}\n0 TRLR\n"
        );
        for size in [64, 1 << 20] {
            let report = report(hostile, file.as_bytes(), Some(Encoding::Utf8), size).expect("a header");
            let html = page(std::slice::from_ref(&report));
            check(&html).unwrap_or_else(|why| panic!("{hostile:?}: {why}"));
            let is_hidden = |c: char| {
                c.is_control() && !matches!(c, '\n' | '\t')
                    || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}')
            };
            assert_eq!(html.find(is_hidden), None, "{hostile:?}");
            reports.push(report);
        }
    }
    check(&page(&reports)).expect("a page of all");
}
