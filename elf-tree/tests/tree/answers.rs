//! The answers that a writer gets of parts, and of the whole.

use elf_base::Rules;
use elf_base::rules::{Duplicates, XrefErrors};
use elf_tree::{Document, Options, Payload, Reader, XrefReader, read};

/// The answers that a writer gets about the identifiers and pointers of the structures.
fn answers(document: &Document<'_>) -> Vec<String> {
    let answer = |node: elf_tree::Node<'_>| {
        let repeated = node.xref().map(|xref| (xref, document.is_repeated(xref)));
        let pointer = match node.payload() {
            Payload::Pointer(xref) => Some((xref.to_owned(), document.bearer(xref))),
            _ => None,
        };
        format!("{} {repeated:?} {pointer:?}", node.tag())
    };
    document.structures().map(answer).collect()
}

const FILES: [&[u8]; 4] = [
    b"0 HEAD\n1 CHAR UTF-8\n0 @A@ INDI\n1 @A@ NOTE @B@\n0 FAM @A@\n1 @B@ NOTE @C@\n0 @D@ INDI\n\
        1 NOTE @LONGER_THAN_ANY@\n1 @LONGER_THAN_ANY@ NOTE @D@\n0 @UNDEF1@ FAM @D:1@\n0 @E@ FAM\n0 @E@ FAM @E@\n\
        1 @LONGER_THAN_ANY@ NOTE\n1 @F@ NOTE\n2 @F@ NOTE\n0 TRLR\n",
    b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @A@ INDI\n1 ALIA @VOID@\n1 ALIA @B@\n0 @C@ FAM\n0 @C@ FAM\n0 TRLR\n",
    b"0 HEAD\n0 NOTE @B@\n0 @A@ INDI\n1 FAMC @A@\n0 @A@ FAM\n1 @B@ MARR\n0 @K@ FAM @A@\n1 @K@ NOTE\n0 NOTE @K@\n",
    b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @VOID@ NOTE x\n0 @VOID@ FAM @VOID@\n0 NOTE @VOID@\n0 TRLR\n",
];

#[test]
fn a_writer_gets_the_same_answers_of_parts_as_of_the_whole() {
    let options =
        [Duplicates::RejectAll, Duplicates::RejectBearers, Duplicates::DropUnused, Duplicates::KeepRecord];
    let undefined = [XrefErrors::Keep, XrefErrors::Undef];
    for xref_errors in options.map(XrefErrors::Options).into_iter().chain(undefined) {
        for file in FILES {
            let mut rules = Rules::WILD;
            rules.tagged.xref_errors = xref_errors;
            let whole = read(file, &rules, &Options::default(), &mut ()).unwrap();
            let names = XrefReader::new(file, &rules, &Options::default()).with_part_size(1);
            let names = names.into_xrefs().unwrap();
            let mut reader = Reader::with_xrefs(file, names).with_part_size(1);
            let mut of_parts = Vec::new();
            while let Some(part) = reader.next_part(&mut ()).unwrap() {
                of_parts.extend(answers(&part));
            }
            assert_eq!(of_parts, answers(&whole), "{xref_errors:?}");
        }
    }
}
