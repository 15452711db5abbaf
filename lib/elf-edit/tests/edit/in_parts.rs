//! Fixes of a file that is read in parts; the tests of several layers use it too.

use elf_edit::{Fixes, HeaderFixer, Safety, fix_part};
use elf_tagged::elf_octets::Patch;
use elf_tagged::{Diagnostic, Options, Reader, Rules, XrefReader};

/// Makes the safe fixes of a file that is read in parts of about `size` bytes. Returns the number of fixed
/// findings and the patches of the file.
pub(crate) fn fixed_in_parts(octets: &[u8], rules: &Rules, size: usize) -> (usize, Vec<Patch>) {
    let options = Options::default();
    let names = XrefReader::new(octets, rules, &options).with_part_size(size).into_xrefs();
    let names = names.expect("it can be read");
    let mut reader = Reader::with_xrefs(octets, names).with_part_size(size);
    let (mut header, mut all) = (HeaderFixer::new(rules), Vec::new());
    let (mut count, mut patches) = (0, Vec::new());
    loop {
        let mut findings: Vec<Diagnostic> = Vec::new();
        let part = reader.next_part(&mut findings).expect("it can be read");
        if let Some(part) = &part {
            let fixed = fix_part(part, &findings, Safety::Safe.into(), &mut ());
            header.add(fixed.evidence);
            count += fixed.fixes.fixed.len();
            patches.extend(fixed.fixes.patches);
        }
        all.extend(findings);
        if part.is_none() {
            break;
        }
    }
    let Some(decision) = reader.decision() else { return (0, Vec::new()) };
    let Fixes { patches: of_header, fixed, file_refusal, .. } =
        header.finish(decision, &all, Safety::Safe.into(), &mut ());
    match file_refusal {
        None => (fixed.len() + count, [of_header, patches].concat()),
        Some(_) => (0, Vec::new()),
    }
}
