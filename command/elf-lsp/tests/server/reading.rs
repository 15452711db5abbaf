//! Hover, symbols, hints, completion, folding and colours.

use crate::editor::{Editor, able};
use serde_json::{Value, json};

const URI: &str = "untitled:tree";

const TEXT: &str = "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME \u{1D11E} /Müller/\n1 BIRT\n2 DATE 3 MAR 1850\n1 DEAT\n\
    2 DATE BET 1900 AND 1901\n1 FAMS @F1@\n1 BRTH\n0 @F1@ FAM\n1 HUSB @I1@\n1 MARR\n2 DATE 2 MAR 1875\n0 TRLR\n";

fn opened(text: &str) -> Editor {
    let mut editor = Editor::start(able());
    editor.open_and_wait(URI, text);
    editor
}

fn hover(editor: &mut Editor, at: (u32, u32)) -> String {
    editor.at("textDocument/hover", URI, at)["contents"]["value"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn hover_explains_tags_dates_pointers_and_findings() {
    let mut editor = opened(TEXT);
    let tag = hover(&mut editor, (4, 3));
    assert!(tag.contains("**birth**") && tag.contains("`elf:BIRTH`"), "{tag}");
    let date = hover(&mut editor, (7, 12));
    assert!(date.contains("between 1900 and 1901") && date.contains("1900-01-01 to 1901-12-31"), "{date}");
    // The tag of a date shows what the date means, too.
    let tag = hover(&mut editor, (5, 3));
    assert!(tag.contains("`elf:DATE_VALUE`") || tag.contains("date"), "{tag}");
    assert!(tag.contains("on 3 March 1850") && tag.contains("1850-03-03"), "{tag}");
    let day = hover(&mut editor, (5, 10));
    assert!(day.contains("**on 3 March 1850**"), "{day}");
    let pointer = hover(&mut editor, (11, 9));
    assert!(pointer.contains("Müller") && pointer.contains("3 MAR 1850"), "{pointer}");
    let record = hover(&mut editor, (2, 4));
    assert!(record.contains("1 pointer leads here"), "{record}");
    let finding = hover(&mut editor, (9, 3));
    assert!(
        finding.contains("no definition of this tag") && finding.contains("elf explain E0415"),
        "{finding}"
    );
    let page = elf_base::codes::TAG_UNDEFINED.page();
    let first = page.split("\n\n").nth(2).expect("a paragraph").replace('\n', " ");
    assert!(finding.contains(&first), "{finding}");
    assert!(hover(&mut editor, (0, 3)).contains("part of the format"));
    assert_eq!(editor.at("textDocument/hover", URI, (99, 0)), json!(null));
}

#[test]
fn hover_explains_periods_dual_years_and_phrases() {
    for (date, expected) in [
        ("FROM 1900 TO 1910", "**from 1900 to 1910**"),
        ("INT 1900 (about then)", "about then"),
        ("10 FEB 1699/00", "Dual year: 1699 if the year starts in spring, usually on 25 March, and 1700 if"),
        ("@#DJULIAN@ 10 FEB 1699/00", "Dual year: 1699 if"),
        ("1699/00", "and 1700 if it starts on 1 January"),
        ("AFT 1 JAN 1850", "**not before 1 January 1850**"),
    ] {
        let mut editor = opened(&TEXT.replace("3 MAR 1850", date));
        let words = hover(&mut editor, (5, 10));
        assert!(words.contains(expected) && !words.contains("unknown"), "{date}: {words}");
        assert_eq!(words.contains("Dual"), date.contains('/'), "{date}: {words}");
    }
}

#[test]
fn hover_says_that_a_period_ends_before_it_starts() {
    let mut editor = opened(&TEXT.replace("3 MAR 1850", "FROM 1900 TO 1890"));
    let words = hover(&mut editor, (5, 10));
    assert!(words.contains("**from 1900 to 1890, but the end is before the start**"), "{words}");
    // No interval of days is shown, because there is none.
    assert!(!words.contains("1890-12-31"), "{words}");
}

#[test]
fn hover_shows_the_type_that_the_file_defines() {
    let text = "0 HEAD\n1 CHAR UTF-8\n1 SCHMA\n2 PRFX elf https://terms.fhiso.org/elf/\n2 PRFX ex https://e.example/\n\
        2 IRI elf:INDIVIDUAL_RECORD\n3 TAG INDI elf:Document\n2 IRI ex:Shoe\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n\
        0 @I1@ INDI\n1 _SHOE red\n0 TRLR\n";
    let mut editor = opened(text);
    let tag = hover(&mut editor, (10, 4));
    assert!(tag.contains("**shoe**") && tag.contains("`ex:Shoe`") && tag.contains("line 9"), "{tag}");
}

#[test]
fn hover_says_what_a_vendor_tag_means_and_who_writes_it() {
    let text = "0 HEAD\n1 SOUR BROSKEEP\n1 CHAR UTF-8\n0 @I1@ INDI\n1 BIRT\n2 QUAY 1\n1 _MILT\n2 DATE 1915\n0 TRLR\n";
    let mut editor = opened(text);
    let quay = hover(&mut editor, (5, 3));
    assert!(quay.contains("Vendor tag: Certainty of the fact itself, without a citation"), "{quay}");
    assert!(quay.contains("Brother's Keeper, GEDKeeper") && !quay.contains("E0415"), "{quay}");
    let service = hover(&mut editor, (6, 3));
    assert!(
        service.contains("**Military service**") && service.contains("for Brother's Keeper"),
        "{service}"
    );
    assert!(hover(&mut editor, (7, 3)).contains("`elf:DATE_VALUE`"));
}

#[test]
fn hover_shows_the_label_that_the_file_gives_to_a_fact() {
    let text = "0 HEAD\n1 SOUR FTW\n1 CHAR UTF-8\n1 _SCHEMA\n2 INDI\n3 _FA1\n4 LABL Fact 1\n3 _FA2\n4 LABL Ordained deacon\n\
        2 FAM\n3 _FA2\n4 LABL Betrothal\n0 @I1@ INDI\n1 _FA2 by the bishop\n0 @F1@ FAM\n1 _FA2\n0 TRLR\n";
    let mut editor = opened(text);
    assert!(hover(&mut editor, (13, 4)).contains("`, a kind of individual event\n"));
    for (at, label) in [((13, 4), "Ordained deacon"), ((15, 4), "Betrothal")] {
        let fact = hover(&mut editor, at);
        assert!(
            fact.contains(&format!("**{label}**")) && !fact.to_lowercase().contains("conflict"),
            "{fact}"
        );
    }
}

#[test]
fn records_are_symbols_by_name() {
    let mut editor = opened(TEXT);
    let outline = editor.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
    let names: Vec<&Value> =
        outline.as_array().expect("symbols").iter().map(|symbol| &symbol["name"]).collect();
    assert_eq!(names, ["\u{1D11E} Müller @I1@", "\u{1D11E} Müller @F1@"]);
    let birth = &outline[0]["children"][1];
    assert_eq!((&birth["name"], &birth["detail"]), (&json!("BIRT"), &json!("3 MAR 1850")));
    assert_eq!(outline[0]["range"]["end"]["line"], 9);

    let mut search = |query: &str| {
        let found = editor.request("workspace/symbol", json!({ "query": query }));
        found.as_array().expect("symbols").len()
    };
    assert_eq!([search("muller"), search("MULLER f1"), search("smith"), search("")], [2, 1, 0, 2]);
}

#[test]
fn hints_show_names_and_ages() {
    let mut editor = opened(TEXT);
    let range = json!({ "start": { "line": 3, "character": 0 }, "end": { "line": 20, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let hints = editor.request("textDocument/inlayHint", params);
    let hints: Vec<(u64, &str)> = hints
        .as_array()
        .expect("hints")
        .iter()
        .map(|hint| {
            (hint["position"]["line"].as_u64().expect("a line"), hint["label"].as_str().expect("a label"))
        })
        .collect();
    let name = "\u{1D11E} Müller";
    assert_eq!(hints, [(7, "aged 49–51"), (8, name), (11, name), (13, "aged 24")]);
}

fn completions(text: &str, at: (u32, u32)) -> Vec<(String, String)> {
    let mut editor = opened(text);
    let list = editor.at("textDocument/completion", URI, at);
    let Some(items) = list["items"].as_array() else { return Vec::new() };
    let item = |item: &Value| {
        let text = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
        (text("label"), text("detail"))
    };
    items.iter().map(item).collect()
}

#[test]
fn tags_identifiers_and_months_are_completed() {
    let with = |line: &str| TEXT.replace("1 BRTH", line);
    let tags = completions(&with("1 B"), (9, 3));
    assert!(tags.contains(&("BIRT".to_owned(), "birth".to_owned())), "{tags:?}");
    assert!(tags.iter().all(|(tag, _)| tag.starts_with('B')));
    let under_birth = completions(&TEXT.replace("2 DATE 3 MAR 1850", "2 PL"), (5, 4));
    assert_eq!(under_birth, [("PLAC".to_owned(), "place structure".to_owned())]);
    let records = completions(&with("0 IN"), (9, 4));
    assert_eq!(records, [("INDI".to_owned(), "individual record".to_owned())]);

    let families = completions(&with("1 FAMC @"), (9, 8));
    assert_eq!(families[0], ("@F1@".to_owned(), "\u{1D11E} Müller".to_owned()));
    let by_name = completions(&with("1 ASSO @mull"), (9, 12));
    assert_eq!(by_name[0].0, "@I1@");

    let months = completions(&TEXT.replace("3 MAR 1850", "3 ma"), (5, 11));
    assert_eq!(months, [("MAR".to_owned(), String::new()), ("MAY".to_owned(), String::new())]);
    let hebrew = completions(&TEXT.replace("3 MAR 1850", "@#DHEBREW@ 3 t"), (5, 21));
    assert!(hebrew.contains(&("TSH".to_owned(), String::new())), "{hebrew:?}");
    assert_eq!(completions(&with("1 NOTE ma"), (9, 9)), []);
    assert_eq!(completions(TEXT, (9, 1)), []);
}

#[test]
fn listed_values_are_completed() {
    let labels = |version: &str, lines: &str| {
        let text = format!(
            "0 HEAD\n1 GEDC\n2 VERS {version}\n1 CHAR UTF-8\n0 @I1@ INDI\n{lines}\n0 @F1@ FAM\n0 TRLR\n"
        );
        let last = lines.lines().last().expect("a line");
        let line = u32::try_from(4 + lines.lines().count()).expect("few lines");
        let items = completions(&text, (line, u32::try_from(last.len()).expect("a short line")));
        items.into_iter().map(|(label, _)| label).collect::<Vec<_>>().join(" ")
    };
    for (version, lines, expected) in [
        ("5.5.1", "1 SEX ", "M F U"),
        ("7.0", "1 SEX ", "F M U X"),
        ("5.5.1", "1 SEX f", "F"),
        ("5.5.1", "1 NOTE x\n1 SEX ", "M F U"),
        ("5.5.1", "1 NOTE x\n2 CONT y\n1 SEX ", "M F U"),
        ("5.5.1", "1 RESN ", "confidential locked privacy"),
        ("5.5", "1 RESN ", "locked privacy"),
        ("7.0", "1 RESN ", "CONFIDENTIAL LOCKED PRIVACY"),
        ("7.0", "1 RESN LOCKED, p", "PRIVACY"),
        ("5.5.1", "1 BIRT ", "Y"),
        ("5.5.1", "1 FAMC @F1@\n2 PEDI ", "adopted birth foster sealing"),
        ("5.5.1", "1 FAMC @F1@\n2 STAT ", "challenged disproven proven"),
        ("5.5.1", "1 ADOP\n2 FAMC @F1@\n3 ADOP ", "HUSB WIFE BOTH"),
        ("5.5.1", "1 SOUR @S1@\n2 QUAY ", "0 1 2 3"),
        ("5.5.1", "1 NAME x\n2 TYPE m", "maiden married"),
        ("7.0", "1 NAME x\n2 TYPE m", "MAIDEN MARRIED"),
        ("5.5.1", "1 NAME x\n2 FONE x\n3 TYPE ", "hangul kana"),
        ("5.5.1", "1 FAMS ", "@F1@ @I1@"),
        ("5.5.1", "1 FAMS x", ""),
        ("5.5.1", "1 NOTE ", ""),
        ("5.5.1", "1 EVEN\n2 TYPE ", ""),
        ("5.5.1", "0 @R1@ REPO\n1 CALN x\n2 MEDI ", ""),
        ("5.5.1", "0 @S1@ SOUR\n1 REPO @R1@\n2 CALN x\n3 MEDI ma", "magazine manuscript map"),
    ] {
        assert_eq!(labels(version, lines), expected, "{version}: {lines:?}");
    }
    let header = "0 HEAD\n1 GEDC\n2 VERS 5.5.1\n2 FORM \n1 CHAR U\n0 TRLR\n";
    assert_eq!(completions(header, (3, 7))[0].0, "LINEAGE-LINKED");
    assert_eq!(
        completions(header, (4, 8)).into_iter().map(|one| one.0).collect::<Vec<_>>(),
        ["UTF-8", "UNICODE"]
    );
}

#[test]
fn structures_fold() {
    let mut editor = opened(TEXT);
    let folds = editor.request("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } }));
    let lines = |fold: &Value| {
        (fold["startLine"].as_u64().expect("a line"), fold["endLine"].as_u64().expect("a line"))
    };
    let folds: Vec<(u64, u64)> = folds.as_array().expect("folds").iter().map(lines).collect();
    assert_eq!(folds, [(0, 1), (2, 9), (4, 5), (6, 7), (10, 13), (12, 13)]);

    let mut few = Editor::start(json!({ "textDocument": { "foldingRange": { "rangeLimit": 3 } } }));
    few.open_and_wait(URI, TEXT);
    let folds = few.request("textDocument/foldingRange", json!({ "textDocument": { "uri": URI } }));
    let folds: Vec<(u64, u64)> = folds.as_array().expect("folds").iter().map(lines).collect();
    assert_eq!(folds, [(0, 1), (2, 9), (10, 13)]);
}

#[test]
fn lines_are_coloured_by_meaning() {
    let mut editor = opened(TEXT);
    let legend = editor.welcome["capabilities"]["semanticTokensProvider"]["legend"]["tokenTypes"].clone();
    let range = json!({ "start": { "line": 2, "character": 0 }, "end": { "line": 3, "character": 99 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let tokens = editor.request("textDocument/semanticTokens/range", params);
    let numbers: Vec<u64> =
        tokens["data"].as_array().expect("tokens").iter().filter_map(Value::as_u64).collect();
    let tokens: Vec<(&[u64], &Value)> = numbers
        .chunks(5)
        .map(|token| (&token[..3], &legend[usize::try_from(token[3]).expect("a kind")]))
        .collect();
    let kind = |name: &'static str| json!(name);
    let expected = [
        ([2, 0, 1], kind("number")),
        ([0, 2, 4], kind("variable")),
        ([0, 5, 4], kind("keyword")),
        ([1, 0, 1], kind("number")),
        ([0, 2, 4], kind("keyword")),
        // The clef has two units of UTF-16.
        ([0, 5, 11], kind("string")),
    ];
    let expected: Vec<(&[u64], &Value)> = expected.iter().map(|(token, kind)| (&token[..], kind)).collect();
    assert_eq!(tokens, expected);
    let all = editor.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
    assert!(all["data"].as_array().expect("tokens").len() > numbers.len());
}
