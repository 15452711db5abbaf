//! Tests of suggestions: tags that are spelled nearly as another one is.

use super::*;

fn slips(one: &str, other: &str) -> Option<usize> {
    Letters::of(one)?.slips_to(&Letters::of(other)?)
}

#[test]
fn slips_are_counted() {
    for (one, other, expected) in [
        ("birt", "BIRT", Some(0)),
        ("BRTH", "BIRT", Some(2)),
        ("BRIT", "BIRT", Some(1)),
        ("NAM", "NAME", Some(1)),
        ("NAMEE", "NAME", Some(1)),
        ("NAMW", "NAME", Some(1)),
        ("NOTE", "NAME", None),
        ("SEX", "AGE", None),
        ("A", "B", None),
        ("OCUPA", "OCCU", None),
        ("EMAILS", "EMAI", Some(2)),
        ("", "A", None),
    ] {
        assert_eq!(slips(one, other), expected, "{one} {other}");
        assert_eq!(slips(other, one), expected, "{other} {one}");
    }
    assert_eq!(slips(&"X".repeat(LONGEST), &"X".repeat(LONGEST - 1)), Some(1));
    assert_eq!(slips(&"X".repeat(LONGEST + 1), &"X".repeat(LONGEST + 1)), None);
}
