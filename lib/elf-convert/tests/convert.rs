//! Files are converted as `elf convert` does, from and to memory.

use elf_convert::{Convert, ConvertError, LineBreak, ReadOptions, Rules, WriteOptions};
use elf_tagged::elf_octets::Encoding;
use std::io::Cursor;

const FILE: &[u8] = b"0 HEAD\r\n1 SOUR TEST\r\n1 SUBM @U1@\r\n1 GEDC\r\n2 VERS 5.5.1\r\n2 FORM LINEAGE-LINKED\r\n1 CHAR UTF-8\r\n\
    0 @U1@ SUBM\r\n1 NAME A B\r\n0 @I1@ INDI\r\n1 NAME Se\xC3\xB1or /X/\r\n1 BIRT\r\n2 DATE ABT 1850\r\n0 TRLR\r\n";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn a_file_keeps_its_standard_and_its_line_breaks() {
    let (bytes, converted) = Convert::new(&Rules::WILD).convert(FILE, &mut ()).unwrap();
    assert!(converted.is_complete() && converted.written.losses == 0);
    assert_eq!(text(&bytes).matches("\r\n").count(), text(&bytes).matches('\n').count());
    assert!(text(&bytes).contains("2 VERS 5.5.1\r\n"));
}

#[test]
fn the_options_decide_encoding_and_line_break() {
    let writing = WriteOptions::new().with_encoding(Encoding::Ansel);
    let convert = Convert::new(&Rules::WILD).with_writing(writing).with_line_break(LineBreak::Lf);
    let (bytes, _) = convert.convert(FILE, &mut ()).unwrap();
    assert!(bytes.windows(7).any(|at| at == b"Se\xE4nor "), "{}", text(&bytes));
    assert!(!bytes.contains(&b'\r'));
}

#[test]
fn a_file_goes_to_gedcom_7_and_comes_back() {
    let to_7 = Convert::new(&Rules::WILD).to(&Rules::GEDCOM_7);
    let (seven, _) = to_7.convert(FILE, &mut ()).unwrap();
    assert!(text(&seven).starts_with("\u{FEFF}0 HEAD\r\n") && text(&seven).contains("2 VERS 7.0\r\n"));

    let (stays, _) = Convert::new(&Rules::WILD).convert(&seven, &mut ()).unwrap();
    assert!(text(&stays).contains("2 VERS 7.0\r\n"), "without rules it stays what it is");

    let back = Convert::new(&Rules::WILD).to(&Rules::GEDCOM_5_5_1);
    let (back, _) = back.convert(&seven, &mut ()).unwrap();
    assert!(text(&back).contains("1 NAME Señor /X/\r\n1 BIRT\r\n2 DATE ABT 1850\r\n"), "{}", text(&back));
}

#[test]
fn vendor_tags_are_migrated_whatever_the_options_for_reading_say() {
    let file = b"0 HEAD\n1 SOUR FTM\n1 GEDC\n2 VERS 5.5.1\n0 @I1@ INDI\n1 _MILT\n2 DATE 1915\n0 TRLR\n";
    for vendor_tags in [false, true] {
        let reading = ReadOptions::default().with_vendor_tags(vendor_tags);
        let convert = Convert::new(&Rules::WILD).with_reading(reading).to(&Rules::GEDCOM_7);
        let (output, _) = convert.convert(file, &mut ()).expect("a small file");
        assert!(
            text(&output).contains("1 EVEN\n2 DATE 1915\n2 TYPE Military service\n"),
            "{}",
            text(&output)
        );
    }
}

#[test]
fn nothing_is_opened_for_a_file_that_is_not_whole() {
    let broken = b"0 HEAD\n1 ELF 1.0.0\n1 CHAR UTF-8\n0 @I1@ INDI\n\x01?\n0 TRLR\n";
    let convert = Convert::new(&Rules::DECEMBER_2019);
    let open = || -> std::io::Result<Vec<u8>> { panic!("opened") };
    let done = convert.run(&mut &broken[..], &mut Cursor::new(Vec::new()), open, &mut ());
    let Err(ConvertError::Ended { problems, finding }) = done else { panic!("{done:?}") };
    assert!(problems > 0 && finding.is_some());

    let convert = convert.with_writing(WriteOptions::new().with_partial(true));
    let (bytes, converted) = convert.convert(broken, &mut ()).unwrap();
    assert!(!converted.is_complete() && converted.ending.finding().is_some());
    assert!(text(&bytes).contains("@I1@ INDI"));
}
