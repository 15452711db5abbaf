//! Tests of types that are lost.

use super::*;
use elf_base::Rules;
use elf_tagged::Options;

#[test]
fn a_type_that_becomes_several_others_is_counted_by_each() {
    let octets = b"0 HEAD\n0 INDI\n1 _T a\n0 FAM\n1 _T b\n1 _T c\n0 TRLR\n";
    let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
    let mut lost = TypesLost::default();
    for node in document.structures().filter(|node| node.tag() == "_T") {
        let becomes = if node.text() == "a" { "elf:One" } else { "elf:Other" };
        lost.add(node, "_T", "ex:A", becomes);
    }
    let said: Vec<(String, u64)> =
        lost.into_sentences().map(|(sentence, (place, _))| (sentence, place.line)).collect();
    assert_eq!(
        said,
        [
            ("_T has the type ex:A, and will be read as elf:One".to_owned(), 3),
            ("_T has the type ex:A, and will be read as elf:Other; so with 2 structures".to_owned(), 5),
        ]
    );
}
