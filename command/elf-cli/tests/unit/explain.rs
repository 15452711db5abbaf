//! Codes that are nearly those that were asked for.

use super::*;

#[test]
fn distances_are_those_of_levenshtein() {
    for (one, other, expected) in
        [("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("level", "levle", 2)]
    {
        assert_eq!(distance(one, other), expected, "{one} {other}");
    }
}

#[test]
fn what_is_nearly_a_code_is_suggested() {
    let ids = |text: &str| nearest(text).into_iter().map(Code::id).collect::<Vec<_>>();
    assert_eq!(ids("level-to-deep").first(), Some(&"E0203"));
    assert!(ids("e02O3").contains(&"E0203"));
    assert_eq!(ids("level-too"), ["E0203"]);
    assert!(ids("zeros").contains(&"E0202"));
    assert!(ids("xyzzyxyzzyxyzzy").is_empty());
}
