//! The graph and its questions, on whole files and in runs.

#![allow(clippy::expect_used, clippy::panic, reason = "a test that cannot go on fails")]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the corpus is a folder, threads are tested"
)]

mod ages;
mod circles;
mod edges;
mod find;
mod generations;
mod judge;
mod kinship;
mod links;
mod matching;
mod names;
mod records;
mod royal92;
mod runs;
mod several;

use elf_lineage::{Lineage, QuestionOptions};
use elf_schema::{Diagnostic, ReadOptions, Rules};

/// Reads a file of these lines between header and trailer.
fn lineage_by(body: &str, rules: &Rules) -> Lineage {
    let file = format!("0 HEAD\n1 CHAR UTF-8\n{body}\n0 TRLR\n");
    let typed =
        elf_schema::read(file.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("a small file");
    Lineage::of(&typed)
}

fn lineage(body: &str) -> Lineage {
    lineage_by(body, &Rules::WILD)
}

/// Asks everything, or what is impossible alone, on 22 November 2026; but not about missing deaths, since most
/// people of these files are born long ago and have none.
fn questions(lineage: &Lineage, unlikely: bool) -> Vec<Diagnostic> {
    let mut found = questions_on(lineage, QuestionOptions::on_date(2026, 11, 22).expect("a day"), unlikely);
    found.retain(|one| one.code != elf_schema::codes::DEATH_NOT_RECORDED);
    found
}

fn questions_on(lineage: &Lineage, options: QuestionOptions, unlikely: bool) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    lineage.questions(&options.with_unlikely(unlikely), &mut found);
    found
}

/// Returns whether a question of that code is asked where unlikely facts are not.
fn is_impossible(code: &str) -> bool {
    code < "P10" || ["P20", "P22", "P23", "P31"].contains(&code)
}

/// The codes of what is asked, sorted.
fn codes(body: &str, unlikely: bool) -> Vec<&'static str> {
    let mut codes: Vec<_> = questions(&lineage(body), unlikely).iter().map(|found| found.code.id()).collect();
    codes.sort_unstable();
    codes
}
