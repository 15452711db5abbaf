//! Cuts the long lines of a file at another width: `cargo run --example reflow -- FILE WIDTH`.

#![allow(clippy::print_stdout, clippy::disallowed_methods, reason = "an example opens files and prints")]

use elf_tagged::write::WriteOptions;
use elf_tagged::{Options, Rules, XrefWriter, merge_continuations, read};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("expected a file")?;
    let width = arguments.next().ok_or("expected a width")?.parse()?;
    print!("{}", reflow(&std::fs::read(file)?, &Rules::DECEMBER_2019, width)?);
    Ok(())
}

/// Returns the lines of a file, none longer than `width` where it can be cut.
pub(crate) fn reflow(octets: &[u8], rules: &Rules, width: u32) -> Result<String, Box<dyn std::error::Error>> {
    let document = read(octets, rules, &Options::default(), &mut ())?;
    let mut writer = XrefWriter::new(rules, &WriteOptions::new().with_width(Some(width)))?;
    for structure in merge_continuations(document.xref_structures()) {
        writer.write(&structure)?;
    }
    Ok(writer.finish())
}
