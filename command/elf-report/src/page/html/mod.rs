//! The HTML page: its start, the totals, a section for each file, and its end.

mod chart;
mod family;
mod file;
mod findings;
mod sections;
mod table;
mod total;

use self::file::FileSection;
use self::total::SECTIONS;
use crate::counted;
use crate::page::report::FileReport;
use crate::page::text::Text;
use crate::page::total::Total;
use crate::pictures::STYLE as CHART_STYLE;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The maximum number of files whose sections are open at first.
const UNFOLDED: usize = 10;

/// A page about one or more files. Call [`start`](Page::start) first, then [`file`](Page::file) for each file that was
/// read, in order, then [`end`](Page::end).
///
/// The page depends only on the files. It is UTF-8 and is written in pieces. The total comes before the files, so keep
/// the pieces of the files until the total is known.
#[derive(Clone, Debug)]
pub struct Page {
    files: usize,
    today: Option<i64>,
}

impl Page {
    /// Creates a page about `files` files, including files that cannot be read.
    pub const fn of(files: usize) -> Page {
        Page { files, today: None }
    }

    /// Sets the Julian day number of today in questions about facts.
    #[must_use]
    pub const fn with_today(mut self, today: i64) -> Page {
        self.today = Some(today);
        self
    }

    /// Writes the part of the page before the first file. If there are several files, it contains the totals and a
    /// table with a row for each file.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn start(&self, out: &mut dyn Write, total: &Total) -> io::Result<()> {
        write_piece(out, self.render_start(total))
    }

    fn render_start(&self, total: &Total) -> Markup {
        let title = match &total.rows[..] {
            [only] if self.files == 1 => only.name.clone(),
            _ => counted(self.files as u64, "file"),
        };
        // `html`, `body` and `main` stay open until `end`.
        html! {
                (DOCTYPE) "\n"
                (PreEscaped("<html lang=\"en\">"))
                (render_head(&title))
                (PreEscaped("<body>"))
                a.skip href="#main" { "Skip to the report" }
                header {
                    h1 { bdi { (Text(&title)) } }
                    "\n"
                    p.lead { "A report about genealogical files: their encodings and versions, their people, and the findings." }
                }
                "\n"
                (PreEscaped("<main id=\"main\">"))
                @if self.files > 1 { (total::render_section(total, self.today)) }
        }
    }

    /// Writes the section of a file. `number` counts from 1. Files after the first thousand get no section, which the
    /// page mentions.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn file(&self, out: &mut dyn Write, number: usize, report: &FileReport) -> io::Result<()> {
        write_piece(out, self.render_section(number, report))
    }

    fn render_section(&self, number: usize, report: &FileReport) -> Markup {
        let section = FileSection { report, number, today: self.today };
        match self.files {
            0 | 1 => section.render_single(),
            _ if number > SECTIONS => Markup::default(),
            files => section.render_one_of_several(files <= UNFOLDED),
        }
    }

    /// Writes the part of the page after the last file.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        write_piece(out, self.render_end())
    }

    #[allow(clippy::unused_self, reason = "it is the end of this page")]
    fn render_end(&self) -> Markup {
        html! {
                (PreEscaped("</main>")) "\n"
                footer {
                    p {
                        "Made by elf " (env!("CARGO_PKG_VERSION")) ". This page does not access the network. "
                        "It may contain data about living people: think before you share it."
                    }
                }
                "\n"
                script { (PreEscaped(SCRIPT)) }
                "\n"
                (PreEscaped("</body></html>")) "\n"
        }
    }
}

/// Creates the page from several reports. `today` is the Julian day number of today in questions about facts.
///
/// [`Page`] writes the same page in pieces.
pub fn report_html(reports: &[FileReport], today: Option<i64>) -> String {
    let page = Page { files: reports.len(), today };
    let mut total = Total::default();
    reports.iter().for_each(|report| total.add(report));
    let sections =
        (1..).zip(reports).map(|(number, report)| page.render_section(number, report).into_string());
    [page.render_start(&total).into_string()]
        .into_iter()
        .chain(sections)
        .chain([page.render_end().into_string()])
        .collect()
}

fn write_piece(out: &mut dyn Write, piece: Markup) -> io::Result<()> {
    out.write_all(piece.into_string().as_bytes())
}

/// Renders the head of the page. Its content security policy allows only the style sheet and the script of the page.
fn render_head(title: &str) -> Markup {
    let style = format!("{STYLE}{CHART_STYLE}");
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash_source(&style),
        hash_source(SCRIPT)
    );
    html! {
        head {
            meta charset="utf-8";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            meta name="referrer" content="no-referrer";
            title { (Text(title)) ": report" }
            style { (PreEscaped(&style)) }
        }
        "\n"
    }
}

/// Returns the hash source of a text for a content security policy: its SHA-256 in base64 (CSP3 §2.3.1).
fn hash_source(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut expression = String::from("sha256-");
    for group in Sha256::digest(text.as_bytes()).chunks(3) {
        let mut octets = [0; 4];
        octets[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(octets);
        for at in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * at) & 63) as usize];
            // Replace digits without data by padding.
            expression.push(if at <= group.len() { char::from(digit) } else { '=' });
        }
    }
    expression
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::report::{FileReportBuilder, ReportReader};
    use crate::page::total::{FileRow, RowCounts};
    use elf_schema::{ReadOptions, Reader, Rules};

    #[test]
    fn digests_are_those_of_the_standard() {
        // CSP3 §8.2 has this one of `alert('Hello, world.');`.
        assert_eq!(
            hash_source("alert('Hello, world.');"),
            "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng="
        );
    }

    #[test]
    fn files_without_a_section_are_counted() {
        let counts = RowCounts {
            encoding: "UTF-8",
            versions: String::new(),
            producer: String::new(),
            persons: 1,
            families: 0,
            errors: 0,
            advice: 0,
            questions: 0,
            is_complete: true,
        };
        let mut total = Total::default();
        for number in 0..SECTIONS + 2 {
            total.rows.push(FileRow { name: format!("{number}.ged"), read: Ok(counts.clone()) });
        }
        total.add_unread("last.ged", "no such file");
        let mut html = Vec::new();
        Page::of(total.rows.len()).start(&mut html, &total).expect("memory");
        let html = String::from_utf8(html).expect("UTF-8");
        assert!(html.contains("The last 2 files of this list have no sections of their own"));
        assert!(html.contains("#file-1000\"") && !html.contains("#file-1001\""));
    }

    #[test]
    fn style_and_script_end_where_they_end() {
        assert!(
            !STYLE.contains('<') && !SCRIPT.to_lowercase().contains("</script") && !SCRIPT.contains("<!--")
        );
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import"));
    }
    /// The page on a file with those lines in its header, twice over: with a total.
    fn page_of(header: &str) -> String {
        let file = format!("0 HEAD\n1 CHAR UTF-8\n{header}0 TRLR\n");
        let mut reader = Reader::new(file.as_bytes(), &Rules::WILD, ReadOptions::default());
        let (mut builder, mut of_parts) = (FileReportBuilder::default(), None);
        while let Some(part) = reader.next_run(&mut ()).expect("octets in memory") {
            builder.add_run(of_parts.get_or_insert_with(|| ReportReader::new(part.schema())).read_run(&part));
        }
        let report =
            builder.finish("a.ged", reader.tagged(), reader.resolver()).expect("a file with a header");
        let (mut html, mut total, page) = (Vec::new(), Total::default(), Page::of(2));
        (0..2).for_each(|_| total.add(&report));
        page.start(&mut html, &total).expect("memory");
        page.file(&mut html, 1, &report).expect("memory");
        page.file(&mut html, 2, &report).expect("memory");
        page.end(&mut html).expect("memory");
        String::from_utf8(html).expect("UTF-8")
    }

    #[test]
    fn a_header_of_thousands_of_lines_makes_a_small_page() {
        let room = page_of("").len() + 60_000;
        let lines = |line: &dyn Fn(usize) -> String| (0..5_000).map(line).collect::<String>();
        let words = lines(&|number| format!("3 CONT a word and its number {number}\n"));
        for (what, header) in [
            ("a program in many lines", format!("1 SOUR Program\n{}", words.replace("3 CONT", "2 CONT"))),
            ("its version in many lines", format!("1 SOUR Program\n2 VERS 1\n{words}")),
            ("a version of GEDCOM", format!("1 GEDC\n2 VERS 5.5.1\n{words}")),
            ("many programs", lines(&|number| format!("1 SOUR Program {number}\n"))),
            ("many tags", lines(&|number| format!("1 _T{number} {number}\n"))),
            ("many lines of one tag", lines(&|number| format!("1 _T {number}\n"))),
            ("a long tag", format!("1 _{} 1\n", "T".repeat(100_000))),
            ("many prefixes", lines(&|number| format!("1 PRFX p{number} https://example.com/{number}/\n"))),
            (
                "many schemas",
                format!("1 SCHMA\n{}", lines(&|number| format!("2 SCHMA https://example.com/{number}\n"))),
            ),
        ] {
            let octets = page_of(&header).len();
            assert!(octets < room, "{what}: {octets} of {room} octets");
        }
    }
}
