//! Comparisons of files of the same and of different drafts.

#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use elf_model::{Dataset, Difference, Paths, ReadError, ReadOptions, Rules, Structure, keep_common_data};
use proptest::prelude::*;

fn read(octets: &[u8], rules: &Rules) -> Dataset {
    match elf_model::read(octets, rules, &ReadOptions::default(), &mut ()) {
        Ok(dataset) => dataset,
        Err(ReadError::Partial(dataset)) => *dataset,
        Err(error) => unreachable!("a small file: {error}"),
    }
}

/// The differences of two files read by these rules.
fn found(files: [&[u8]; 2], rules: [&Rules; 2]) -> Vec<String> {
    let [one, two] = keep_common_data([read(files[0], rules[0]), read(files[1], rules[1])], rules);
    print(&one.differences(&two), &[Paths::new(&one), Paths::new(&two)])
}

fn print(found: &[Difference<'_>], paths: &[Paths; 2]) -> Vec<String> {
    let [one, two] = [0, 1].map(|side| {
        let paths = &paths[side];
        move |of: Structure<'_>| {
            let within: Vec<_> = of.subtree().map(|each| (each.tag(), each.xref(), each.payload())).collect();
            format!("{} {:?}", paths.path_of(of), within)
        }
    });
    found
        .iter()
        .map(|difference| match *difference {
            Difference::Payload(before, after) => format!("{} > {}", one(before), two(after)),
            Difference::Order(before, after) => format!("{} ~ {}", one(before), two(after)),
            Difference::Removed(before) => format!("- {}", one(before)),
            Difference::Added(after) => format!("+ {}", two(after)),
            Difference::Language(before, after) => format!("{before:?} > {after:?}"),
            _ => String::new(),
        })
        .collect()
}

/// Returns the number of differences.
fn count(one: &str, two: &str, rules: [&Rules; 2]) -> usize {
    found([one.as_bytes(), two.as_bytes()], rules).len()
}

#[test]
fn content_is_compared_not_bytes() {
    let same = [
        ("0 @A@ FAM | 1 CHIL @B@ | 0 @B@ INDI", "0 @Y@ INDI | 0 @X@ FAM | 1 CHIL @Y@"),
        (
            "0 INDI | 1 NAME A | 2 GIVN a | 2 SURN b | 1 SEX M",
            "0 INDI | 1 SEX M | 1 NAME A | 2 SURN b | 2 GIVN a",
        ),
        ("0 NOTE ab | 0 NOTE c", "0 NOTE c | 0 NOTE a | 1 CONC b"),
        ("0 NOTE a@@b | 1 CONT c", "0 NOTE a@#U40@b | 1 CONT c"),
        ("0 NOTE Jos\u{e9}", "0 NOTE Jose\u{301}"),
        ("0 NOTE a | 1 PLANG de", "0 NOTE a | 1 PLANG DE"),
        ("1 PLANG und | 0 NOTE a", "0 NOTE a"),
        ("0 @E@ X | 1 @F@ Y | 0 NOTE @F@", "0 NOTE @G@ | 0 @E@ X | 1 @G@ Y"),
        ("1 SOUR X | 1 SUBM @U@ | 0 @U@ SUBM", "1 SUBM @V@ | 1 SOUR X | 0 @V@ SUBM"),
    ];
    let other = [
        (
            "0 @A@ INDI | 0 @B@ INDI | 1 SEX M | 0 FAM | 1 HUSB @A@",
            "0 @A@ INDI | 0 @B@ INDI | 1 SEX M | 0 FAM | 1 HUSB @B@",
        ),
        ("0 @A@ NOTE a | 0 X | 1 NOTE @A@", "0 @A@ NOTE a | 0 @A@ NOTE a | 0 X | 1 NOTE @A@"),
        ("0 X | 1 NOTE @A@", "0 X | 1 NOTE @B@"),
        ("0 X | 1 NOTE @A@", "0 X | 1 NOTE @@A@@"),
        ("0 X | 1 NOTE", "0 X | 1 NOTE a"),
        ("0 X | 1 NOTE a | 1 NOTE b", "0 X | 1 NOTE b | 1 NOTE a"),
        ("0 X | 1 NOTE a | 2 Z b", "0 X | 1 NOTE a | 1 Z b"),
        ("0 NOTE a | 0 NOTE a", "0 NOTE a"),
        (
            "0 INDI | 0 NOTE a | 0 INDI | 1 SEX M | 0 @N@ INDI | 0 @N@ X b",
            "0 NOTE a | 0 INDI | 0 INDI | 1 SEX F | 0 @N@ X c | 0 @N@ INDI",
        ),
        ("1 SOUR X | 0 INDI", "1 SOUR Y | 0 INDI"),
        ("1 PLANG fr | 0 INDI", "0 INDI"),
        ("0 @E@ X | 1 @F@ Y | 1 @G@ Y | 0 NOTE @F@", "0 @E@ X | 1 @F@ Y | 1 @G@ Y | 0 NOTE @G@"),
    ];
    let file = |body: &str| format!("0 HEAD\n1 CHAR UTF-8\n{}\n0 TRLR\n", body.replace(" | ", "\n"));
    for (pairs, differ) in [(&same[..], false), (&other[..], true)] {
        for (one, two) in pairs {
            let [one, two] = [one, two].map(|body| file(body));
            assert_eq!(count(&one, &two, [&Rules::WILD; 2]) > 0, differ, "{one}\n{two}");
            assert_eq!(count(&two, &one, [&Rules::WILD; 2]) > 0, differ, "{two}\n{one}");
        }
    }
}

#[test]
fn a_tag_with_a_type_on_one_side_only_is_compared_by_tag() {
    let schema = "1 SCHMA\n2 PRFX e http://e.example/\n2 IRI e:Shoe\n3 TAG _SHOE elf:INDIVIDUAL_RECORD\n";
    let file = |schema: &str, size: u8| {
        format!("0 HEAD\n{schema}0 INDI\n1 NAME A\n1 _SHOE {size}\n2 _X 1\n0 TRLR\n")
    };
    for rules in [[&Rules::WILD; 2], [&Rules::DECEMBER_2019, &Rules::WILD]] {
        for (two, expected) in [(file("", 9), 0), (file("", 8), 1), (file(schema, 8), 1)] {
            assert_eq!(count(&file(schema, 9), &two, rules), expected, "{two}");
        }
    }
}

#[test]
fn no_shape_of_a_file_takes_square_time() {
    const MANY: usize = 20_000;
    type Shape = dyn Fn(usize) -> String;
    let shapes: [&Shape; 8] = [
        &|_| "0 NOTE a\n".to_owned(),
        &|number| format!("0 NOTE {number}\n"),
        &|_| "0 @N@ NOTE a\n1 SOUR @N@\n".to_owned(),
        &|number| format!("0 @N{number}@ NOTE\n1 SOUR @N{}@\n", number / 2),
        &|number| format!("0 @N{number}@ NOTE\n1 SOUR @N{}@\n", (number + 1) % MANY),
        &|number| format!("0 @N{number}@ NOTE\n1 @A{number}@ X\n1 SOUR @A{}@\n", number / 7),
        &|number| format!("0 X\n1 _T{number} {number}\n"),
        &|number| format!("{} {}\n", number, if number % 2 == 0 { "B" } else { "A" }),
    ];
    for shape in shapes {
        let [one, two] = [0, 1].map(|side| {
            let mut records: Vec<String> = (0..MANY).map(shape).collect();
            let is_one_record = records[1].starts_with('1');
            if side == 1 && !is_one_record {
                records.reverse();
                records.truncate(MANY - 100);
            }
            format!("0 HEAD\n{}0 TRLR\n", records.concat())
        });
        let is_equal = count(&one, &two, [&Rules::WILD; 2]) == 0;
        assert_eq!(one == two, is_equal);
    }
}

/// The records of a file.
fn file() -> impl Strategy<Value = Vec<String>> {
    const TAGS: &[&str] = &["NAME", "BIRT", "NOTE", "ASSO", "_X", "PLANG", "SOUR"];
    let payload = prop_oneof![
        2 => Just(String::new()),
        3 => "[abé]{0,3}",
        1 => prop::sample::select(&["@@a", "@#U41@", "e\u{301}", "Abc"][..]).prop_map(str::to_owned),
        4 => (0_usize..9).prop_map(|to| format!("@R{to}@")),
    ];
    let xref = prop_oneof![12 => Just(String::new()), 1 => (0_usize..12).prop_map(|of| format!("@R{of}@ "))];
    let line =
        (1_usize..4, xref, prop::sample::select(TAGS), payload).prop_map(|(level, xref, tag, payload)| {
            (level, format!("{xref}{tag} {payload}").trim_end().to_owned())
        });
    let record = (prop::sample::select(&["INDI", "FAM", "SNOTE"][..]), prop::collection::vec(line, 0..6));
    let record = record.prop_map(|(tag, lines)| {
        let mut record = format!("{tag}\n");
        let mut deepest = 1;
        for (level, line) in lines {
            let level = level.min(deepest);
            record.push_str(&format!("{level} {line}\n"));
            deepest = level + 1;
        }
        record
    });
    prop::collection::vec(record, 0..10).prop_map(|records| {
        let named = |(number, record): (usize, String)| format!("0 @R{number}@ {record}");
        records.into_iter().enumerate().map(named).collect()
    })
}

/// A change to the records of a file.
#[derive(Clone, Debug)]
enum Change {
    Reverse,
    Remove(prop::sample::Index),
    Repeat(prop::sample::Index),
    Replace(&'static str, &'static str),
    RenameAll,
    Line(prop::sample::Index, &'static str),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        Just(Change::Reverse),
        any::<prop::sample::Index>().prop_map(Change::Remove),
        any::<prop::sample::Index>().prop_map(Change::Repeat),
        prop::sample::select(
            &[
                ("@R1@", "@R2@"),
                ("a", "b"),
                ("é", "e\u{301}"),
                ("\n", "\r\n"),
                ("_X", "_Y"),
                ("NAME", "NOTE")
            ][..]
        )
        .prop_map(|(from, to)| Change::Replace(from, to)),
        Just(Change::RenameAll),
        (any::<prop::sample::Index>(), prop::sample::select(&["1 NAME new", "1 _X @R3@", "1 SEX"][..]))
            .prop_map(|(at, line)| Change::Line(at, line)),
    ]
}

fn changed(mut records: Vec<String>, changes: &[Change]) -> Vec<String> {
    for change in changes {
        match change {
            Change::Reverse => records.reverse(),
            Change::Remove(at) if !records.is_empty() => drop(records.remove(at.index(records.len()))),
            Change::Repeat(at) if !records.is_empty() => {
                records.push(records[at.index(records.len())].clone())
            }
            Change::Line(at, line) if !records.is_empty() => {
                let at = at.index(records.len());
                records[at].push_str(&format!("{line}\n"));
            }
            Change::Remove(_) | Change::Repeat(_) | Change::Line(..) => {}
            Change::Replace(from, to) => {
                records.iter_mut().for_each(|record| *record = record.replace(from, to));
            }
            Change::RenameAll => {
                records.iter_mut().for_each(|record| *record = record.replace("@R", "@Q"));
            }
        }
    }
    records
}

/// Records that look much alike and point to each other, of which several may have an identifier.
fn alike() -> impl Strategy<Value = Vec<String>> {
    let pointers = prop::collection::vec((0_usize..8, 0_usize..3), 0..4);
    let record = (0_usize..9, prop::sample::select(&["", "", "", "1 SEX F\n"][..]), pointers);
    let record = record.prop_map(|(name, sex, pointers)| {
        let name = if name < 8 { format!("@R{name}@ ") } else { String::new() };
        let mut record = format!("0 {name}INDI\n{sex}");
        for (to, kind) in pointers {
            record.push_str(&format!("1 ASSO @R{to}@\n{}", ["", "2 RELA x\n", "2 _R @R1@\n"][kind]));
        }
        record
    });
    prop::collection::vec(record, 0..12)
}

/// The records as a file, each with something of its own.
fn joined(records: &[String], own: bool) -> String {
    let mut text = "0 HEAD\n1 CHAR UTF-8\n1 NOTE @R1@\n".to_owned();
    for record in records {
        text.push_str(record);
        if own {
            let name = record.split_whitespace().nth(1).unwrap_or_default();
            text.push_str(&format!("1 _UID {}\n", name.trim_matches(['@', 'R', 'Q'])));
        }
    }
    text + "0 TRLR\n"
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_difference_is_found_in_both_directions(
        records in file(),
        changes in prop::collection::vec(change(), 0..4),
        rules in 0_usize..4,
        own in any::<bool>(),
    ) {
        let two = changed(records.clone(), &changes);
        let [one, two] = [joined(&records, own), joined(&two, own)];
        let rules = [&Rules::WILD, [&Rules::WILD, &Rules::DECEMBER_2019, &Rules::JANUARY_2019, &Rules::GEDCOM_7][rules]];
        let [there, back] = [count(&one, &two, rules), count(&two, &one, [rules[1], rules[0]])];
        prop_assert_eq!(there == 0, back == 0, "{}\n{}", one, two);
    }

    #[test]
    fn a_file_is_the_same_as_itself(records in alike(), order in any::<prop::sample::Index>()) {
        let one = joined(&records, false);
        prop_assert_eq!(count(&one, &one, [&Rules::WILD; 2]), 0, "{}", &one);
        let mut turned = records.clone();
        if !turned.is_empty() {
            turned.rotate_left(order.index(records.len()));
        }
        let two = joined(&turned, false);
        prop_assert_eq!(count(&one, &two, [&Rules::WILD; 2]), 0, "{}\n{}", &one, &two);
    }
}

/// Records that look alike, in this order; each points to that one of them.
fn circles(targets: &[usize], names: &[usize], order: &[usize]) -> String {
    let record = |&one: &usize| format!("0 @I{}@ INDI\n1 ASSO @I{}@\n", names[one], names[targets[one]]);
    format!("0 HEAD\n{}0 TRLR\n", order.iter().map(record).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn circles_of_records_that_look_alike_are_the_same_by_any_names(
        (targets, names, order) in (1_usize..12).prop_flat_map(|count| {
            let numbers = || Just((0..count).collect::<Vec<_>>()).prop_shuffle();
            let any = prop::collection::vec(0..count, count).boxed();
            (prop_oneof![numbers().boxed(), any], numbers(), numbers())
        }),
    ) {
        let plain: Vec<usize> = (0..targets.len()).collect();
        let [one, two] = [circles(&targets, &plain, &plain), circles(&targets, &names, &order)];
        prop_assert_eq!(count(&one, &two, [&Rules::WILD; 2]), 0, "{}\n{}", &one, &two);
    }
}

#[test]
fn a_comparison_finds_the_same_in_every_run() {
    let one = b"0 HEAD\n0 @A@ FAM\n0 @B@ FAM\n0 @P@ INDI\n1 FAMC @B@\n1 FAMS @B@\n0 TRLR\n";
    let two = b"0 HEAD\n0 @P@ INDI\n1 FAMC @A@\n1 FAMS @B@\n0 @B@ FAM\n0 @A@ FAM\n0 TRLR\n";
    let first = found([one, two], [&Rules::WILD; 2]);
    for _ in 0..40 {
        assert_eq!(found([one, two], [&Rules::WILD; 2]), first);
    }
}
