//! Keys of identifiers, wherever those stand.

use super::*;

#[test]
fn the_key_of_an_identifier_is_the_same_wherever_it_stands() {
    let keys = Keys::default();
    for length in 0..12 {
        let xref: String = ('A'..='Z').take(length).collect();
        let end = u32::try_from(length).unwrap_or_default();
        for behind in ["", "@", "@ and eight octets more"] {
            assert_eq!(keys.key_at(&format!("{xref}{behind}"), 0, end), keys.key(&xref));
        }
    }
    assert_ne!(keys.key("A"), keys.key("A\0"));
    for xref in ["", "I", "I1", "ABCDEFG", "é漢", "A\0", "I0000012", "I99999999999999"] {
        assert_eq!(keys.key(xref).text().as_deref(), Some(xref));
    }
    assert_eq!(keys.key("ABCDEFGH").text(), None);
}

#[test]
fn an_identifier_that_ends_in_digits_is_its_own_key_up_to_fourteen_of_them() {
    let keys = Keys::default();
    let own = ["I1000000", "I01000000", "F1000000", "I99999999999999", "I00000000000000", "10000000"];
    let hashed = ["I999999999999999", "II1000000", "é1000000", "I100000A", "IIIIIIII"];
    let all: Vec<Key> = own.iter().chain(&hashed).map(|xref| keys.key(xref)).collect();
    assert!(all.iter().enumerate().all(|(at, key)| key.is_hashed() == (at >= own.len())));
    assert!((1..all.len()).all(|at| !all[..at].contains(&all[at])));
    assert_eq!(keys.key_at("@I1000000@", 1, 9), all[0]);
}
