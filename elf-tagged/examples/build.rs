//! Builds a file of a hundred people without a schema: `cargo run --example build -- OUT`.

#![allow(clippy::disallowed_methods, reason = "an example writes files")]

use elf_tagged::tree::{Tree, TreeError};
use elf_tagged::write::WriteOptions;
use elf_tagged::{Encoding, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let out = std::env::args().nth(1).ok_or("expected the name of a file")?;
    let options = WriteOptions::new().with_encoding(Encoding::Ansel);
    let mut octets = Vec::new();
    people(100)?.write(&mut octets, &Rules::GEDCOM_5_5_1, &options, &mut ())?;
    Ok(std::fs::write(out, octets)?)
}

/// Makes people, each the child of the one before.
pub(crate) fn people(count: u32) -> Result<Tree, TreeError> {
    let mut tree = Tree::new();
    tree.add_metadata("SOUR").set_text("EXAMPLE");
    let mut family_before = None;
    for number in 1..=count {
        let family = tree.add_record("FAM").set_xref(&format!("F{number}"))?.id();
        let mut person = tree.add_record("INDI");
        person.set_xref(&format!("I{number}"))?;
        person.add("NAME").set_text(&format!("Zoë No. {number} /Łucka/"));
        person.add("BIRT").add("DATE").set_text(&format!("{}", 1000 + number * 10));
        person.add("FAMS").set_pointer(family)?;
        if let Some(before) = family_before {
            person.add("FAMC").set_pointer(before)?;
        }
        let person = person.id();
        if let Some(mut family) = tree.get_mut(family) {
            family.add("WIFE").set_pointer(person)?;
        }
        if let Some(mut family) = family_before.and_then(|before| tree.get_mut(before)) {
            family.add("CHIL").set_pointer(person)?;
        }
        family_before = Some(family);
    }
    Ok(tree)
}
