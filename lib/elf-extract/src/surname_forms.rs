//! Other forms of a surname: that of a man or of a woman in the family, and `Mac` for `Mc`.

/// The ends of surnames of men and of women, in lower case and without diacritics: Polish, Czech, Russian, Ukrainian,
/// Greek and Lithuanian.
const ENDS: [[&str; 2]; 30] = [
    ["ski", "ska"],
    ["cki", "cka"],
    ["dzki", "dzka"],
    ["sky", "ska"],
    ["cky", "cka"],
    ["sky", "skaya"],
    ["skij", "skaja"],
    ["ov", "ova"],
    ["ev", "eva"],
    ["ов", "ова"],
    ["ев", "ева"],
    ["ин", "ина"],
    ["ын", "ына"],
    ["скии", "ская"],
    ["цкии", "цкая"],
    ["ськии", "ська"],
    ["цькии", "цька"],
    ["ыи", "ая"],
    ["ои", "ая"],
    ["οσ", "ου"],
    ["ησ", "η"],
    ["ασ", "α"],
    ["ησ", "ου"],
    ["as", "iene"],
    ["is", "iene"],
    ["ys", "iene"],
    ["us", "iene"],
    ["as", "aite"],
    ["is", "yte"],
    ["us", "ute"],
];

/// The ends of Czech and Slovak surnames of men, before which the surname of a woman has -ová.
const CZECH_ENDS: [[&str; 2]; 6] = [["ek", "k"], ["ec", "c"], ["el", "l"], ["a", ""], ["o", ""], ["", ""]];

/// The end of the Czech and Slovak surnames of women.
const CZECH_WOMAN: &str = "ova";

/// The least number of letters before an end.
const LEAST_STEM: usize = 3;

/// Returns the other forms of a surname in lower case and without diacritics. Some of them may be the surname of nobody.
pub(crate) fn other_forms(surname: &str) -> Vec<String> {
    let mut forms = Vec::new();
    let mut exchange = |from: &str, to: &str| {
        let stem = surname.strip_suffix(from).filter(|stem| stem.chars().count() >= LEAST_STEM);
        forms.extend(stem.map(|stem| format!("{stem}{to}")));
    };
    for [man, woman] in ENDS {
        exchange(man, woman);
        exchange(woman, man);
    }
    for [man, stem] in CZECH_ENDS {
        // Most surnames without an end of its own are not Czech.
        if !man.is_empty() || surname.ends_with(['k', 'c', 'r', 's', 'z', 't', 'n']) {
            exchange(man, &format!("{stem}{CZECH_WOMAN}"));
        }
        exchange(&format!("{stem}{CZECH_WOMAN}"), man);
    }
    for [from, to] in [["mc", "mac"], ["mac", "mc"]] {
        let rest = surname.strip_prefix(from).filter(|rest| rest.chars().count() >= LEAST_STEM);
        forms.extend(rest.map(|rest| format!("{to}{rest}")));
    }
    forms.sort();
    forms.dedup();
    forms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::fold;

    #[test]
    fn men_and_women_of_a_family_have_each_other_s_form() {
        for (man, woman) in [
            ("Kowalski", "Kowalska"),
            ("Novák", "Nováková"),
            ("Hájek", "Hájková"),
            ("Svoboda", "Svobodová"),
            ("Havel", "Havlová"),
            ("Иванов", "Иванова"),
            ("Пушкин", "Пушкина"),
            ("Достоевский", "Достоевская"),
            ("Толстой", "Толстая"),
            ("Шевський", "Шевська"),
            ("Παπαδόπουλος", "Παπαδοπούλου"),
            ("Καζαντζάκης", "Καζαντζάκη"),
            ("Kazlauskas", "Kazlauskienė"),
            ("McDonald", "MacDonald"),
        ] {
            let [man, woman] = [man, woman].map(fold);
            assert!(other_forms(&man).contains(&woman), "{man}: {:?}", other_forms(&man));
            assert!(other_forms(&woman).contains(&man), "{woman}: {:?}", other_forms(&woman));
        }
        for name in ["smith", "berg", "li", "ova", "johnson"] {
            assert!(other_forms(name).len() < 2, "{name}: {:?}", other_forms(name));
        }
    }
}
