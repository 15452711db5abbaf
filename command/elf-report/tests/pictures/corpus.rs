//! Trees of every person of every file of the corpus, read in every encoding: nothing panics, and each
//! picture is well formed.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "the corpus stands in files, or is absent"
)]

use elf_lineage::Lineage;
use elf_report::pictures::{FamilyTree, SvgOptions, TreeOptions};
use elf_schema::{Encoding, Options, ReadOptions, Rules};
use std::path::Path;

#[test]
fn every_file_of_the_corpus_in_every_encoding() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: there is no corpus in {}", folder.display());
        return;
    };
    let mut pictures = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        let octets = std::fs::read(&path).unwrap();
        for encoding in std::iter::once(None).chain(Encoding::ALL.map(Some)) {
            let options = ReadOptions::default().with_octets(Options::default().with_forced(encoding));
            let typed = elf_schema::read(&octets, &Rules::WILD, &options, &mut ()).unwrap();
            let lineage = Lineage::of(&typed);
            // Some persons of a large file stand for all.
            let step = lineage.person_count() / 20 + 1;
            for person in lineage.persons().step_by(step) {
                let tree = FamilyTree::of(person, &TreeOptions::default().with_up(5).with_most(300));
                let svg = tree.to_svg(&SvgOptions::default().with_width(Some(297)));
                if let Err(error) = roxmltree::Document::parse(&svg) {
                    panic!("{}: {error}", path.display());
                }
                assert!(!tree.to_text(Some(80)).is_empty() && tree.to_dot().ends_with("}\n"));
                pictures += 1;
            }
        }
    }
    assert!(pictures > 1000, "{pictures}");
}
