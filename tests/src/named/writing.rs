//! Named tests about writing.

use super::{expect_equal, expect_true};
use elf_base::{Diagnostic, Rules, codes};
use elf_model::DatasetBuilder;
use elf_octets::{Encoding, Options};
use elf_schema::Schema;
use elf_tagged::write::{Content, WriteOptions, Writer};
use elf_tests_text::{make_prose, make_uncuttable};

/// Texts for splitting.
mod elf_tests_text {
    /// Text of about `characters` characters: words separated by one space, or sometimes two.
    pub(super) fn make_prose(characters: usize) -> String {
        let words =
            ["the", "ferryman", "of", "Nesodden,", "who", "drowned", "in", "1888", "–", "twice married"];
        let mut text = String::new();
        for (number, word) in words.iter().cycle().enumerate() {
            if text.len() >= characters {
                break;
            }
            text.push_str(word);
            text.push_str(if number % 7 == 0 { "  " } else { " " });
        }
        text.trim_end().to_owned()
    }

    /// Text of about `characters` characters that must not be cut apart: at signs, combining marks, characters outside
    /// the first plane.
    pub(super) fn make_uncuttable(characters: usize) -> String {
        "a@b@@c\u{301}\u{323}𠀡é@#U41@漢字x".chars().cycle().take(characters).collect()
    }
}

/// Writes a file with one note, and checks the findings.
fn write_note(text: &str, rules: &Rules, options: &WriteOptions) -> Result<Vec<u8>, String> {
    let mut octets = Vec::new();
    let mut findings: Vec<Diagnostic> = Vec::new();
    let mut writer =
        Writer::new(&mut octets, rules, options, &mut findings).map_err(|error| error.to_string())?;
    writer.structure(0, Some("N1"), "NOTE", Content::Text(text)).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    expect_equal("findings", &0, &findings.len())?;
    Ok(octets)
}

/// The payloads of the lines of the note, each with whether the line is a CONC.
fn lines_of_note(octets: &[u8], rules: &Rules) -> Result<Vec<(bool, String)>, String> {
    let document =
        elf_tagged::read(octets, rules, &Options::default(), &mut ()).map_err(|error| error.to_string())?;
    let note = document.records().next().ok_or("expected a record")?;
    let own = (false, note.line_payload().unwrap_or_default().to_owned());
    let more =
        note.lines().map(|line| (line.tag() == "CONC", line.line_payload().unwrap_or_default().to_owned()));
    Ok([own].into_iter().chain(more).collect())
}

/// D19-CON-03.
pub(super) fn conc_within_words() -> Result<(), String> {
    for width in [20, 40, 100, 255] {
        let text = make_prose(3_000);
        let octets = write_note(&text, &Rules::DECEMBER_2019, &WriteOptions::new().with_width(Some(width)))?;
        let lines = lines_of_note(&octets, &Rules::DECEMBER_2019)?;
        expect_true("the note to be split", lines.len() > 10)?;
        for pair in lines.windows(2) {
            let [(_, before), (conc, after)] = pair else { continue };
            if *conc {
                let blank = |c: Option<char>| c.is_none_or(|c| matches!(c, ' ' | '\t'));
                let apart = blank(before.chars().last()) || blank(after.chars().next());
                expect_true(&format!("a split within a word, not {before:?} | {after:?}"), !apart)?;
            }
        }
    }
    Ok(())
}

/// D19-CON-04: level, identifier and tag count towards the length.
pub(super) fn lines_of_characters() -> Result<(), String> {
    let octets = write_note(&"abcdefghij".repeat(60), &Rules::DECEMBER_2019, &WriteOptions::new())?;
    let text = String::from_utf8(octets).map_err(|error| error.to_string())?;
    let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    expect_true(&format!("lines of at most 255 characters, not {longest}"), longest <= 255 && longest > 200)
}

/// D19-CON-22: bytes are counted with the line break, and twice as many in UTF-16.
pub(super) fn lines_of_octets() -> Result<(), String> {
    let text = "é".repeat(600);
    for (encoding, limit) in [
        (Encoding::Utf8, 255),
        (Encoding::Ansel, 255),
        (Encoding::Ascii, 255),
        (Encoding::Utf16Le, 510),
        (Encoding::Utf16Be, 510),
    ] {
        let options = WriteOptions::new().with_encoding(encoding).with_mark(Some(false));
        let octets = write_note(&text, &Rules::DECEMBER_2019, &options)?;
        let line_break: &[u8] = match encoding {
            Encoding::Utf16Le => b"\n\0",
            Encoding::Utf16Be => b"\0\n",
            _ => b"\n",
        };
        let unit = line_break.len();
        let mut longest = 0;
        let mut start = 0;
        for (number, piece) in octets.chunks_exact(unit).enumerate() {
            if piece == line_break {
                longest = longest.max((number + 1) * unit - start);
                start = (number + 1) * unit;
            }
        }
        expect_true(
            &format!("lines of at most {limit} octets in {encoding}, not {longest}"),
            longest <= limit,
        )?;
        expect_true(
            &format!("lines that use their length in {encoding}, not {longest}"),
            longest > limit - limit / 4,
        )?;
    }
    Ok(())
}

/// D19-SER-03: a split never divides a code point, a surrogate pair, a doubled at sign or an escape.
pub(super) fn nothing_is_cut() -> Result<(), String> {
    for encoding in [Encoding::Utf8, Encoding::Ascii, Encoding::Ansel, Encoding::Utf16Le, Encoding::Utf16Be] {
        for width in (16..60).chain([255]) {
            let options = WriteOptions::new().with_encoding(encoding).with_width(Some(width));
            let text = make_uncuttable(400);
            let octets = write_note(&text, &Rules::DECEMBER_2019, &options)?;
            let mut findings = Vec::new();
            let document =
                elf_tagged::read(&octets, &Rules::DECEMBER_2019, &Options::default(), &mut findings)
                    .map_err(|e| e.to_string())?;
            let found = document.records().next().map(|note| note.text().into_owned()).unwrap_or_default();
            let case = format!("{encoding}, {width}");
            expect_true(
                &format!("the same text in {case}"),
                elf_octets::nfc(&found) == elf_octets::nfc(&text),
            )?;
            expect_true(
                &format!("no errors in {case}"),
                !findings.iter().any(|found| found.class.is_error()),
            )?;
            // Each line contains whole escapes and pairs of at signs.
            for (_, line) in lines_of_note(&octets, &Rules::DECEMBER_2019)? {
                let whole = line.matches('@').count() % 2 == 0;
                expect_true(
                    &format!("whole escapes in {line:?} in {case}"),
                    whole && !line.contains('\u{FFFD}'),
                )?;
            }
        }
    }
    Ok(())
}

/// J19-OCT-05.
pub(super) fn no_tag_is_forced() -> Result<(), String> {
    for tag in ["A-B", "", "É", "A B", "A\nB"] {
        for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
            let mut octets = Vec::new();
            let mut findings: Vec<Diagnostic> = Vec::new();
            let mut writer = Writer::new(&mut octets, rules, &WriteOptions::new(), &mut findings)
                .map_err(|e| e.to_string())?;
            writer.structure(0, None, tag, Content::Text("x")).map_err(|error| error.to_string())?;
            writer.structure(1, None, "LOST", Content::None).map_err(|error| error.to_string())?;
            let summary = writer.finish().map_err(|error| error.to_string())?;
            expect_equal("structures left out", &2, &summary.dropped)?;
            let refused = findings.iter().any(|found| found.code == codes::TAG_CANNOT_BE_WRITTEN);
            expect_true(&format!("{tag:?} to be refused by {}", rules.name), refused)?;
            let mut again = Vec::new();
            elf_tagged::read(&octets, rules, &Options::default(), &mut again)
                .map_err(|error| error.to_string())?;
            let conformant = !again.iter().any(|found| found.class.is_error());
            expect_true(&format!("a conformant file by {}, but found {again:?}", rules.name), conformant)?;
        }
    }
    Ok(())
}

/// J19-XRF-06, O17-020, RDX-027.
pub(super) fn what_is_pointed_to_has_an_identifier() -> Result<(), String> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    let [child, family] = ["I", "F"].map(|prefix| builder.unused_xref(prefix));
    builder.record("FAM").xref(&family).open("CHIL").pointer(&child);
    builder.record("INDI").xref(&child).open("FAMC").pointer(&family);
    let dataset = builder.finish().map_err(|error| error.to_string())?;
    for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
        let mut octets = Vec::new();
        let mut findings: Vec<Diagnostic> = Vec::new();
        elf_model::write(&dataset, &mut octets, rules, &WriteOptions::new(), &mut findings)
            .map_err(|e| e.to_string())?;
        let text = String::from_utf8_lossy(&octets);
        for line in [
            format!("\n0 @{family}@ FAM\n1 CHIL @{child}@\n"),
            format!("\n0 @{child}@ INDI\n1 FAMC @{family}@\n"),
        ] {
            expect_true(&format!("{line:?} by {}, in {text:?}", rules.name), text.contains(&line))?;
        }
        let document =
            elf_tagged::read(&octets, rules, &Options::default(), &mut ()).map_err(|e| e.to_string())?;
        let lost =
            document.structures().filter(|node| node.pointer().is_some() && node.target().is_none()).count();
        expect_equal("pointers that lead nowhere", &0, &lost)?;
    }
    Ok(())
}

/// D19-LIN-23.
pub(super) fn fresh_identifiers() -> Result<(), String> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("INDI").xref("I1");
    let mut seen = vec!["I1".to_owned()];
    for prefix in ["", "I", "F", "_"].into_iter().cycle().take(400) {
        let xref = builder.unused_xref(prefix);
        let first = xref.chars().next().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        let safe = xref.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && xref.len() <= 20;
        expect_true(&format!("a plain identifier, not {xref:?}"), first && safe)?;
        expect_true(&format!("a new identifier, not {xref:?}"), !seen.contains(&xref))?;
        seen.push(xref);
    }
    Ok(())
}

/// D19-GEN-07.
pub(super) fn octets_in_and_out() -> Result<(), String> {
    let octets: &[u8] =
        b"0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 NOTE a\n0 TRLR\n";
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document = elf_tagged::read(octets, &Rules::DECEMBER_2019, &Options::default(), &mut findings);
    let document = document.map_err(|error| error.to_string())?;
    expect_equal("findings", &0, &findings.len())?;
    let mut written: Vec<u8> = Vec::new();
    elf_tagged::write::write_document(
        &document,
        &mut written,
        &Rules::DECEMBER_2019,
        &WriteOptions::new(),
        &mut (),
    )
    .map_err(|error| error.to_string())?;
    expect_equal("octets", &octets.to_vec(), &written)
}

/// Writes a dataset by some rules. Fails if anything is lost, or if the file does not conform to the rules.
fn write_dataset(dataset: &elf_model::Dataset, rules: &Rules) -> Result<String, String> {
    let mut octets = Vec::new();
    let options = WriteOptions::new().with_mark(Some(false));
    let summary =
        elf_model::write(dataset, &mut octets, rules, &options, &mut ()).map_err(|e| e.to_string())?;
    expect_equal("losses", &0, &summary.losses)?;
    let mut findings: Vec<Diagnostic> = Vec::new();
    let document =
        elf_tagged::read(&octets, rules, &Options::default(), &mut findings).map_err(|e| e.to_string())?;
    let errors = findings.iter().filter(|found| found.class.is_error()).count();
    expect_equal(&format!("errors by {}", rules.name), &0, &errors)?;
    expect_true("a whole file", document.is_complete())?;
    String::from_utf8(octets).map_err(|error| error.to_string())
}

/// J19-SER-08, O17-081, RDX-025.
pub(super) fn one_tag_side_by_side() -> Result<(), String> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("INDI").open("GRAD").open("DATE").text("1").close().close();
    builder.open("BIRT").close().open("GRAD").open("DATE").text("2");
    let dataset = builder.finish().map_err(|error| error.to_string())?;
    for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
        let text = write_dataset(&dataset.with_grouped_substructures(), rules)?;
        let expected = "0 INDI\n1 GRAD\n2 DATE 1\n1 GRAD\n2 DATE 2\n1 BIRT\n";
        expect_true(&format!("{expected:?} by {}, in {text:?}", rules.name), text.contains(expected))?;
        // This is optional: by default, structures are written in their order.
        let plain = write_dataset(&dataset, rules)?;
        expect_true("the order of the dataset", plain.contains("1 GRAD\n2 DATE 1\n1 BIRT\n1 GRAD\n"))?;
    }
    expect_true("the same meaning", dataset.with_grouped_substructures() == dataset)
}

/// O17-027.
pub(super) fn the_submission_comes_first() -> Result<(), String> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("INDI").open("SEX").text("F").close().close().record("SUBN").record("FAM");
    let dataset = builder.finish().map_err(|error| error.to_string())?;
    let text = write_dataset(&dataset.with_grouped_substructures(), &Rules::OCTOBER_2017)?;
    expect_true(
        &format!("SUBN before all records in {text:?}"),
        text.contains("0 SUBN\n0 INDI\n1 SEX F\n0 FAM\n0 TRLR\n"),
    )
}

/// D19-PTR-07, J19-XRF-10, RDX-028.
pub(super) fn every_record_is_named() -> Result<(), String> {
    let mut builder = DatasetBuilder::new(Schema::completed());
    builder.record("INDI").open("SEX").text("F").close().close();
    builder.record("NOTE").xref("N1").text("a").record("NOTE").text("b").record("INDI").xref("I1");
    let dataset = builder.finish().map_err(|error| error.to_string())?;
    let named = dataset.with_identifiers().map_err(|error| error.to_string())?;
    for rules in Rules::PRESETS.into_iter().filter(|rules| rules.format.draft().is_some()) {
        let text = write_dataset(&named, rules)?;
        let expected = "0 @I2@ INDI\n1 SEX F\n0 @N1@ NOTE a\n0 @N2@ NOTE b\n0 @I1@ INDI\n";
        expect_true(&format!("{expected:?} by {}, in {text:?}", rules.name), text.contains(expected))?;
    }
    expect_true("the same meaning", named.means_the_same(&dataset))
}

/// D19-STR-30: an incomplete reading is written neither with nor without types, unless that is requested.
pub(super) fn an_ended_reading_is_not_written() -> Result<(), String> {
    let octets = b"0 HEAD\n1 CHAR UTF-8\n0 A\njunk\n0 B\n0 TRLR\n";
    let rules = &Rules::DECEMBER_2019;
    let read =
        || elf_tagged::read(octets, rules, &Options::default(), &mut ()).map_err(|error| error.to_string());
    let options = WriteOptions::new();
    let mut out = Vec::new();
    let plain = elf_tagged::write::write_document(&read()?, &mut out, rules, &options, &mut ());
    expect_true("a refusal", matches!(plain, Err(elf_tagged::write::WriteError::Incomplete)))?;
    let typing = elf_schema::ReadOptions::default();
    let typed = elf_schema::convert(read()?, &typing, &mut out, rules, &options, &mut ());
    expect_true("a refusal with types", matches!(typed, Err(elf_tagged::write::WriteError::Incomplete)))?;
    expect_equal("octets written", &0, &out.len())?;
    let options = options.with_partial(true);
    elf_tagged::write::write_document(&read()?, &mut out, rules, &options, &mut ())
        .map_err(|error| error.to_string())?;
    let text = String::from_utf8_lossy(&out).into_owned();
    expect_true(
        &format!("what was read, but found {text:?}"),
        text.contains("\n0 A\n") && !text.contains("0 B"),
    )
}
