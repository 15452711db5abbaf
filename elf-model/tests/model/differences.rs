//! Differences of two datasets, whatever their order and their identifiers.

#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use elf_model::{Dataset, DatasetBuilder, Difference, Paths, ReadOptions, Rules, Schema};
use proptest::prelude::*;

/// A dataset of the lines between header and trailer; lines are separated by ` | `.
fn read(body: &str) -> Dataset {
    let octets = format!("0 HEAD\n{}\n0 TRLR\n", body.replace(" | ", "\n"));
    elf_model::read(octets.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ()).expect("whole")
}

/// The differences in a few words; they must be the same from the other side.
fn differences(one: &str, two: &str) -> Vec<String> {
    let [one, two] = [one, two].map(read);
    let [mut there, mut back] = [(&one, &two, false), (&two, &one, true)].map(|(one, two, turned)| {
        let paths = [Paths::new(one), Paths::new(two)];
        let found = one.differences(two);
        found.into_iter().map(|found| print(found, &paths, turned)).collect::<Vec<String>>()
    });
    let in_order = there.clone();
    there.sort();
    back.sort();
    assert_eq!(there, back);
    in_order
}

fn print(found: Difference<'_>, paths: &[Paths; 2], turned: bool) -> String {
    let value = |of: elf_model::Structure<'_>| of.pointer().unwrap_or(of.text()).to_owned();
    match found {
        Difference::Payload(one, two) => {
            let (from, to) = if turned { (two, one) } else { (one, two) };
            let (one, two) = (paths[0].path_of(one), paths[1].path_of(two));
            let (one, two) = if turned { (two, one) } else { (one, two) };
            let path = if one == two { one } else { format!("{one} / {two}") };
            format!("{path}: {} > {}", value(from), value(to))
        }
        Difference::Order(one, _) if turned => format!("~ {}", one.text()),
        Difference::Order(_, two) => format!("~ {}", two.text()),
        Difference::Removed(one) => format!("{} {}", if turned { '+' } else { '-' }, paths[0].path_of(one)),
        Difference::Added(two) => format!("{} {}", if turned { '-' } else { '+' }, paths[1].path_of(two)),
        Difference::Language(one, two) => {
            let [one, two] = if turned { [two, one] } else { [one, two] };
            format!("language: {one:?} > {two:?}")
        }
        _ => panic!("another difference"),
    }
}

#[test]
fn what_says_the_same_has_no_differences() {
    for (one, two) in [
        ("0 @A@ FAM | 1 CHIL @B@ | 0 @B@ INDI", "0 @Y@ INDI | 0 @X@ FAM | 1 CHIL @Y@"),
        ("0 INDI | 1 NAME A | 1 SEX M", "0 INDI | 1 SEX M | 1 NAME A"),
        ("0 NOTE ab", "0 NOTE a | 1 CONC b"),
        ("0 NOTE a@@b", "0 NOTE a@#U40@b"),
        ("0 NOTE Jos\u{e9}", "0 NOTE Jose\u{301}"),
        ("0 SUBM | 1 EMAIL a", "0 SUBM | 1 EMAI a"),
    ] {
        assert_eq!(differences(one, two), [""; 0], "{one} / {two}");
    }
}

#[test]
fn a_payload_is_named_with_its_place() {
    assert_eq!(
        differences(
            "0 @A@ INDI | 1 BIRT | 2 DATE 1815 | 0 @N@ NOTE x",
            "0 @N@ NOTE x | 0 @A@ INDI | 1 BIRT | 2 DATE 1816"
        ),
        ["@A@/BIRT/DATE: 1815 > 1816"]
    );
    assert_eq!(
        differences("0 @A@ INDI | 1 NAME X | 1 NAME Y", "0 @B@ INDI | 1 NAME X | 1 NAME Z"),
        ["@A@/NAME[2] / @B@/NAME[2]: Y > Z"]
    );
    assert_eq!(differences("1 SOUR X | 0 INDI", "1 SOUR Y | 0 INDI"), ["HEAD/SOUR: X > Y"]);
    assert_eq!(differences("1 PLANG fr | 0 INDI", "0 INDI"), ["language: Some(\"fr\") > None"]);
    // Language tags are compared without regard to case, and `und` is what none means (Basic Concepts §3).
    for (one, other) in [
        ("1 PLANG en-GB | 0 NOTE a | 1 PLANG DE", "1 PLANG en-gb | 0 NOTE a | 1 PLANG de"),
        ("1 PLANG und | 0 NOTE a", "0 NOTE a"),
    ] {
        assert_eq!(differences(one, other), [""; 0], "{one}");
    }
    assert_eq!(differences("0 NOTE a | 1 PLANG de", "0 NOTE a | 1 PLANG DA").len(), 1);
    // A pointer names no language.
    let pointers = ["0 NOTE a | 1 PLANG @N1@", "0 NOTE a | 1 PLANG @n1@"];
    assert_eq!(differences(pointers[0], pointers[1]), ["NOTE/PLANG: N1 > n1"]);
    assert_eq!(differences("0 NOTE a", "0 NOTE"), ["NOTE: a > "]);
    assert_eq!(differences("0 @A@ X | 0 NOTE @A@", "0 @A@ X | 0 NOTE @@A@@"), ["NOTE: A > @A@"]);
}

#[test]
fn an_empty_payload_is_one_only_where_both_rules_write_it() {
    let mut own = Rules::DECEMBER_2019;
    own.tagged.empty_payload = Rules::JANUARY_2019.tagged.empty_payload;
    let [one, two] = ["0 NOTE", "0 NOTE "].map(|note| {
        let octets =
            format!("0 HEAD\n1 CHAR UTF-8\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n{note}\n0 TRLR\n");
        elf_model::read(octets.as_bytes(), &own, &ReadOptions::default(), &mut ()).expect("whole")
    });
    for (other, count) in [(&own, 1), (&Rules::JANUARY_2019, 1), (&Rules::DECEMBER_2019, 0)] {
        let [one, two] = elf_model::keep_common_data([one.clone(), two.clone()], [&own, other]);
        assert_eq!(one.differences(&two).len(), count, "{}", other.name);
    }
}

#[test]
fn plang_is_a_tag_like_any_other_before_december_2019() {
    for (rules, count) in [(&Rules::JANUARY_2019, 1), (&Rules::OCTOBER_2017, 1), (&Rules::DECEMBER_2019, 0)] {
        let [one, two] = ["DE", "de"].map(|language| {
            let octets = format!(
                "0 HEAD\n1 CHAR UTF-8\n1 ELF 1.0.0\n1 GEDC\n2 VERS 5.5.1\n2 FORM LINEAGE-LINKED\n0 NOTE a\n1 PLANG {language}\n0 TRLR\n"
            );
            elf_model::read(octets.as_bytes(), rules, &ReadOptions::default(), &mut ()).expect("whole")
        });
        assert_eq!(one.differences(&two).len(), count, "{}", rules.name);
        assert_eq!(one.means_the_same(&two), count == 0, "{}", rules.name);
    }
}

#[test]
fn what_only_one_has_is_named() {
    assert_eq!(differences("0 @A@ INDI | 1 SEX F | 1 NAME X", "0 @A@ INDI | 1 NAME X"), ["- @A@/SEX"]);
    assert_eq!(differences("0 INDI | 1 NAME X | 0 INDI | 1 NAME Y", "0 INDI | 1 NAME X"), ["- INDI[2]"]);
    assert_eq!(differences("0 INDI | 1 EVEN a | 1 EVEN b", "0 INDI | 1 EVEN b"), ["- INDI/EVEN[1]"]);
    // Which of two has gone is told by what is under them.
    assert_eq!(
        differences(
            "0 INDI | 1 EVEN | 2 DATE 1 | 1 EVEN | 2 DATE 2 | 2 PLAC x",
            "0 INDI | 1 EVEN | 2 DATE 3 | 2 PLAC x"
        ),
        ["- INDI/EVEN[1]", "INDI/EVEN[2]/DATE / INDI/EVEN/DATE: 2 > 3"]
    );
}

#[test]
fn the_order_of_one_type_counts() {
    assert_eq!(
        differences("0 INDI | 1 NAME A | 1 NAME B | 1 NAME C", "0 INDI | 1 NAME B | 1 NAME C | 1 NAME A"),
        ["~ A"]
    );
}

#[test]
fn pointers_are_compared_by_what_they_lead_to() {
    let people = "0 @A@ INDI | 1 NAME A | 0 @B@ INDI | 1 NAME B";
    assert_eq!(
        differences(
            &format!("{people} | 0 @F@ FAM | 1 HUSB @A@"),
            &format!("{people} | 0 @F@ FAM | 1 HUSB @B@")
        ),
        ["@F@/HUSB: A > B"]
    );
    // A person that has changed is the same person.
    assert_eq!(
        differences(
            "0 @A@ INDI | 1 NAME A | 0 @F@ FAM | 1 HUSB @A@ | 1 MARR | 2 DATE 1900",
            "0 @X@ INDI | 1 NAME Q | 0 @Y@ FAM | 1 HUSB @X@ | 1 MARR | 2 DATE 1900"
        ),
        ["@A@/NAME / @X@/NAME: A > Q"]
    );
    assert_eq!(differences("0 FAM | 1 CHIL @A@", "0 FAM | 1 CHIL @B@"), ["FAM/CHIL: A > B"]);
    // One within a record, after something new.
    assert_eq!(
        differences(
            "0 @I@ INDI | 1 @E@ EVEN x | 0 NOTE | 1 P @E@",
            "0 @I@ INDI | 1 EVEN new | 1 @G@ EVEN x | 0 NOTE | 1 P @G@"
        ),
        ["+ @I@/EVEN[1]"]
    );
}

#[test]
fn records_that_have_changed_are_found_again() {
    // By their identifiers, where these are the same as a rule.
    assert_eq!(
        differences(
            "0 @A@ NOTE a | 0 @B@ NOTE b | 0 @C@ NOTE c | 0 @D@ NOTE d",
            "0 @D@ NOTE d | 0 @C@ NOTE c | 0 @B@ NOTE x | 0 @A@ NOTE y"
        ),
        ["@A@: a > y", "@B@: b > x"]
    );
    // Rather than by one pointer that leads elsewhere, however often it is followed.
    assert_eq!(
        differences(
            "0 @F@ FAM | 1 HUSB @A@ | 0 @A@ INDI | 1 NAME x | 1 SEX M | 0 @B@ INDI | 1 NAME y | 1 NOTE n",
            "0 @F@ FAM | 1 HUSB @B@ | 0 @A@ INDI | 1 NAME x | 1 SEX F | 0 @B@ INDI | 1 NAME y | 1 NOTE m"
        ),
        ["@F@/HUSB: A > B", "@A@/SEX: M > F", "@B@/NOTE: n > m"]
    );
    // By what few others have.
    assert_eq!(
        differences(
            "0 @A@ INDI | 1 NAME Ada | 1 NOTE n | 1 SEX F | 0 @B@ INDI | 1 NAME Bob | 1 SEX M",
            "0 @1@ INDI | 1 NAME Bob | 1 SEX F | 0 @2@ INDI | 1 NAME Ada | 1 NOTE n | 1 SEX M"
        ),
        ["@A@/SEX / @2@/SEX: F > M", "@B@/SEX / @1@/SEX: M > F"]
    );
}

/// A record to be built.
#[derive(Clone, Debug)]
struct Made {
    tag: &'static str,
    /// Tags, payloads and how deep they stand.
    beneath: Vec<(usize, &'static str, Payload)>,
}

#[derive(Clone, Debug)]
enum Payload {
    None,
    Text(u8),
    /// The record of that number, modulo their number, or nothing.
    Pointer(u8),
}

const TAGS: [&str; 5] = ["NAME", "BIRT", "NOTE", "ASSO", "X"];

fn records() -> impl Strategy<Value = Vec<Made>> {
    let payload = prop_oneof![
        2 => Just(Payload::None),
        3 => (0_u8..6).prop_map(Payload::Text),
        3 => any::<u8>().prop_map(Payload::Pointer),
    ];
    let line = (1_usize..3, prop::sample::select(&TAGS[..]), payload);
    let record = (prop::sample::select(&["INDI", "FAM", "NOTE"][..]), prop::collection::vec(line, 0..6))
        .prop_map(|(tag, beneath)| Made { tag, beneath });
    prop::collection::vec(record, 0..24)
}

/// A dataset of records, in that order and with identifiers made of numbers; `turned`: substructures of other
/// types in another order.
fn build(records: &[Made], order: &[usize], names: &dyn Fn(usize) -> usize, turned: bool) -> Dataset {
    let mut builder = DatasetBuilder::new(Schema::completed());
    for &number in order {
        let record = &records[number];
        builder.record(record.tag).xref(&format!("R{}", names(number)));
        // Those at level 1, each with what is under it.
        let mut groups: Vec<&[(usize, &str, Payload)]> =
            record.beneath.chunk_by(|_, next| next.0 > 1).collect();
        if turned {
            groups.reverse();
            groups.sort_by_key(|group| group[0].1);
            // Of one type, in the order in which they stood.
            for alike in groups.chunk_by_mut(|one, other| one[0].1 == other[0].1) {
                alike.reverse();
            }
        }
        for group in groups {
            for (index, (_, tag, payload)) in group.iter().enumerate() {
                builder.open(tag);
                match payload {
                    Payload::None => {}
                    Payload::Text(number) => drop(builder.text(&format!("text {number}"))),
                    Payload::Pointer(to) => {
                        let to = usize::from(*to) % (records.len() + 1);
                        let name = if to == records.len() { 999 } else { names(to) };
                        builder.pointer(&format!("R{name}"));
                    }
                }
                if index > 0 {
                    builder.close();
                }
            }
            builder.close();
        }
    }
    builder.finish().expect("small")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn order_and_names_make_no_difference(records in records(), seed in any::<u64>()) {
        let plain: Vec<usize> = (0..records.len()).collect();
        let mut mixed = plain.clone();
        mixed.sort_by_key(|&number| (number as u64 + 1).wrapping_mul(seed | 1));
        let one = build(&records, &plain, &|name| name, false);
        let two = build(&records, &mixed, &|name| mixed.iter().position(|&of| of == name).unwrap_or(name), true);
        prop_assert_eq!(one.differences(&one), []);
        let found = one.differences(&two);
        prop_assert!(found.is_empty(), "{:?}", found);
        prop_assert!(two.means_the_same(&one));
    }

    #[test]
    fn one_change_is_one_difference(mut records in records(), which in any::<prop::sample::Index>(), seed in any::<u64>()) {
        prop_assume!(records.iter().any(|record| !record.beneath.is_empty()));
        // Each record has something of its own.
        for (number, record) in (100..).zip(&mut records) {
            record.beneath.push((1, "_UID", Payload::Text(number)));
        }
        let plain: Vec<usize> = (0..records.len()).collect();
        let mut mixed = plain.clone();
        mixed.sort_by_key(|&number| (number as u64 + 1).wrapping_mul(seed | 1));
        let one = build(&records, &plain, &|name| name, false);
        let changed = which.index(records.len());
        let line = which.index(records[changed].beneath.len());
        records[changed].beneath[line].2 = Payload::Text(99);
        let two = build(&records, &mixed, &|name| mixed.iter().position(|&of| of == name).unwrap_or(name), true);
        let found = one.differences(&two);
        prop_assert_eq!(found.len(), 1, "{:?}", found);
        let Difference::Payload(_, after) = found[0] else { panic!("{found:?}") };
        prop_assert_eq!(after.text(), "text 99");
        let back = two.differences(&one);
        prop_assert_eq!(back.len(), 1, "{:?}", back);
    }
}

/// The number of the record that a record points to, and its text, by the record's own number.
type Shape = dyn Fn(usize) -> (Option<usize>, Option<String>);

#[test]
fn no_shape_of_a_file_takes_square_time() {
    const MANY: usize = 50_000;
    let build = |shape: &Shape, mix: bool| {
        let name = |number: usize| format!("R{}", if mix { number * 7919 % MANY } else { number });
        let mut builder = DatasetBuilder::new(Schema::completed());
        for number in 0..MANY {
            let number = if mix { MANY - 1 - number } else { number };
            let (to, text) = shape(number);
            builder.record("X").xref(&name(number));
            if let Some(to) = to {
                builder.open("P").pointer(&name(to)).close();
            }
            if let Some(text) = text {
                builder.open("NOTE").text(&text);
            }
        }
        builder.finish().expect("small")
    };
    let shapes: [&Shape; 6] = [
        &|_| (None, None),
        &|number| (Some((number + 1).min(MANY - 1)), None),
        &|number| (Some((number + 1) % MANY), None),
        &|_| (Some(0), None),
        &|number| (Some(number ^ 1), None),
        &|number| (Some(number / 2), Some((number % 7).to_string())),
    ];
    for shape in shapes {
        let (one, two) = (build(shape, false), build(shape, true));
        assert!(one.differences(&two).is_empty());
    }
    // Everything has changed.
    let one = build(&|number| (None, Some(format!("a{number}"))), false);
    let two = build(&|number| (None, Some(format!("b{number}"))), true);
    assert!(one.differences(&two).len() >= MANY);
}
