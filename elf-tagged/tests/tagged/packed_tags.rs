//! Tags in one number: the same that the tags in words make.

use elf_base::PackedText;
use elf_tagged::{Options, Rules, read};

#[test]
fn a_packed_tag_is_that_of_the_tag() {
    let levels = ["0", "1", "2", "10", "01"];
    let labels = ["", "@I1@", "@I1@ ", "@a longer label@", "@I @", "@\u{E9}@", "@ABCDEFGHIJ@"];
    let blanks = [" ", "  ", "\t", " \t"];
    let tags = ["A", "NOTE", "_A1", "ADDR2", "SIXSIX", "SEVENTY", "EIGHTTAG", "_LONGER_THAN_THAT", "X7", "a"];
    let payloads = [
        "", " ", " x", "  x", "\tx", "\t x", "\t\tx", "\t\t", " \tx", "\t ", " a b c", " @I1@", " \u{E9}",
        " @", " !",
    ];
    let mut text = String::from("0 HEAD\n1 CHAR UTF-8\n");
    for level in levels {
        for label in labels {
            for blank in blanks {
                for tag in tags {
                    for payload in payloads {
                        text.push_str(&[level, " ", label, blank, tag, payload, "\n"].concat());
                        text.push_str(&[level, blank, tag, payload, "\n"].concat());
                    }
                }
            }
        }
    }
    text.push_str("0 TRLR\n");
    let mut packed = 0;
    for rules in Rules::PRESETS {
        // Rules that end the reading at a fault read the lines one by one.
        let whole = [&*text].into_iter().chain(text.split_inclusive('\n').filter(|_| rules.terminates()));
        for text in whole {
            let document = read(text.as_bytes(), rules, &Options::default(), &mut ()).unwrap();
            for node in document.nodes() {
                assert_eq!(node.packed_tag(), PackedText::of(node.tag()), "{} {:?}", rules.name, node.tag());
                packed += usize::from(node.packed_tag().is_some());
            }
        }
    }
    assert!(packed > 50_000, "{packed}");
}
