//! The page: head, all files, each file, end.

mod chart;
mod file;
mod findings;
mod sections;
mod table;
mod total;

use crate::counted;
use crate::page::markup::Markup;
use crate::page::report::FileReport;
use crate::page::total::Total;
use sha2::{Digest, Sha256};
use std::io::{self, Write};

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// The most files of a page whose sections are unfolded at first.
const UNFOLDED: usize = 10;

/// The most files of a page that have sections of their own: each takes tens of kilobytes, and a browser has
/// to hold them all.
const SECTIONS: usize = 1000;

/// The elements that stay open between the start of a page and its end.
const OPEN: [&str; 3] = ["html", "body", "main"];

/// A page about some files: [`start`](Page::start) comes first, then [`file`](Page::file) for each that was
/// read, in their order, then [`end`](Page::end).
///
/// What is written depends on the files alone. It is UTF-8, and can be written in pieces: what stands before
/// the files has their total, so the pieces of the files are kept until that is known.
#[derive(Clone, Debug)]
pub struct Page {
    files: usize,
    today: Option<i64>,
}

impl Page {
    /// A page about so many files, those that cannot be read included.
    pub const fn of(files: usize) -> Page {
        Page { files, today: None }
    }

    /// Says of the questions about facts that they were asked on the day of that Julian day number.
    #[must_use]
    pub const fn with_today(mut self, today: i64) -> Page {
        self.today = Some(today);
        self
    }

    /// Writes all before the first file: of several files what they have in common, and a row of each.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn start(&self, out: &mut dyn Write, total: &Total) -> io::Result<()> {
        let title = match &total.rows[..] {
            [only] if self.files == 1 => only.name.clone(),
            _ => counted(self.files as u64, "file"),
        };
        out.write_all(b"<!DOCTYPE html>\n")?;
        let mut markup = Markup::new(out);
        markup.open("html", &[("lang", "en")])?;
        head(&mut markup, &title)?;
        markup.open("body", &[])?;
        markup.element("a", &[("class", "skip"), ("href", "#main")], "Skip to the report")?;
        markup.open("header", &[])?;
        markup.open("h1", &[])?;
        markup.element("bdi", &[], &title)?;
        markup.close_line()?;
        let what = "A report on genealogical files: what they are, who is in them, what was found.";
        markup.element("p", &[("class", "lead")], what)?;
        markup.close_line()?;
        markup.open("main", &[("id", "main")])?;
        if self.files > 1 {
            total::section(&mut markup, total, self.today)?;
        }
        Ok(())
    }

    /// Writes the section of a file, which is the one of that number from 1; nothing of files past the first
    /// thousand, which the total tells.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn file(&self, out: &mut dyn Write, number: usize, report: &FileReport) -> io::Result<()> {
        let mut markup = Markup::inside(out, &OPEN);
        let writer = file::FileWriter { report, number, today: self.today };
        match self.files {
            0 | 1 => writer.only(&mut markup),
            _ if number > SECTIONS => Ok(()),
            files => writer.one_of_several(&mut markup, files <= UNFOLDED),
        }
    }

    /// Writes all behind the last file.
    ///
    /// # Errors
    ///
    /// Whatever keeps `out` from being written.
    pub fn end(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut markup = Markup::inside(out, &OPEN);
        markup.close_line()?;
        markup.open("footer", &[])?;
        let version = env!("CARGO_PKG_VERSION");
        let text = format!(
            "Made by elf {version}. This page asks nothing of any network. Files may speak of living people: \
             think before you pass it on."
        );
        markup.element("p", &[], &text)?;
        markup.close_line()?;
        markup.open("script", &[])?;
        markup.verbatim(SCRIPT)?;
        markup.close_line()?;
        markup.close()?;
        markup.close_line()
    }
}

/// The head, with a policy that allows this style, this script and nothing else.
fn head(markup: &mut Markup<'_>, title: &str) -> io::Result<()> {
    let policy = format!(
        "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        digest(STYLE),
        digest(SCRIPT)
    );
    markup.open("head", &[])?;
    markup.void("meta", &[("charset", "utf-8")])?;
    markup.void("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)])?;
    markup.void("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")])?;
    markup.void("meta", &[("name", "color-scheme"), ("content", "light dark")])?;
    markup.void("meta", &[("name", "referrer"), ("content", "no-referrer")])?;
    markup.element("title", &[], &format!("{title}: report"))?;
    markup.open("style", &[])?;
    markup.verbatim(STYLE)?;
    markup.close()?;
    markup.close_line()
}

/// The source expression of a text in a policy: its SHA-256 in base64 (CSP3 §2.3.1).
fn digest(text: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut spelled = String::from("sha256-");
    for group in Sha256::digest(text.as_bytes()).chunks(3) {
        let mut bits = 0_u32;
        (0..3).for_each(|at| bits = bits << 8 | u32::from(group.get(at).copied().unwrap_or_default()));
        for at in 0..4 {
            let digit = DIGITS.get((bits >> (18 - 6 * at) & 63) as usize).filter(|_| at <= group.len());
            spelled.push(digit.map_or('=', |&digit| char::from(digit)));
        }
    }
    spelled
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
        assert_eq!(digest("alert('Hello, world.');"), "sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng=");
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
        assert!(html.contains("2 files that stand last have no section of their own"));
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
            builder.take(of_parts.get_or_insert_with(|| ReportReader::new(part.schema())).part(&part));
        }
        let report = builder.finish("a.ged", &reader).expect("a file with a header");
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
