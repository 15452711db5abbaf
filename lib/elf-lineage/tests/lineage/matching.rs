//! Matching of persons: quality on made trees, and rules that always hold.

use elf_lineage::{Lineage, LineageView, MatchField, MatchSide, PersonMatcher};
use elf_schema::{ReadOptions, Rules};
use std::collections::HashSet;
use std::fmt::Write;

/// Matches the persons of two files, and returns the identifiers of the pairs with the score and the fields that agree.
fn matched(a: &str, b: Option<&str>, at_least: f64) -> Vec<(String, String, f64, Vec<MatchField>)> {
    let mut matcher = PersonMatcher::default();
    for (number, (side, text)) in [(MatchSide::A, Some(a)), (MatchSide::B, b)].into_iter().enumerate() {
        let Some(text) = text else { continue };
        let typed = elf_schema::read(text.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ())
            .expect("a file");
        let lineage = Lineage::of(&typed);
        matcher.add(side, number, &LineageView::new(&lineage, &typed));
    }
    let id = |number: usize| matcher.person(number).identifier.clone().unwrap_or_default();
    matcher
        .matches(at_least)
        .into_iter()
        .map(|found| (id(found.a), id(found.b), found.score, found.agree))
        .collect()
}

fn file(records: &str) -> String {
    format!("0 HEAD\n1 CHAR UTF-8\n{records}0 TRLR\n")
}

fn person(id: &str, name: &str, rest: &str) -> String {
    format!("0 @{id}@ INDI\n1 NAME {name}\n{rest}")
}

fn score_of(one: &str, other: &str) -> f64 {
    let found = matched(&file(&person("A", one, "")), Some(&file(&person("B", other, ""))), 0.0);
    found.first().map_or(0.0, |found| found.2)
}

#[test]
fn likely_pairs_have_a_high_score_and_others_a_low_one() {
    let born = |date: &str| format!("1 SEX M\n1 BIRT\n2 DATE {date}\n");
    let score = |(name, date): (&str, &str), (other, other_date): (&str, &str)| {
        let a = file(&person("A", name, &born(date)));
        let b = file(&person("B", other, &born(other_date)));
        matched(&a, Some(&b), 0.0).first().map_or(0.0, |found| found.2)
    };
    for (one, other) in [
        (("Karl /Müller/", "3 MAR 1850"), ("Karl /Müller/", "3 MAR 1850")),
        (("Karl /Müller/", "3 MAR 1850"), ("Carl /Mueller/", "ABT 1850")),
        (("Karl /Müller/", "3 MAR 1850"), ("Karl /Müller/", "1850")),
        (("Johann Karl /von Berg/", "3 MAR 1850"), ("Hans /Berg/", "MAR 1850")),
        (("William /Smith/", "3 MAR 1850"), ("Bill /Smith/", "3 MAR 1850")),
        (("William /Smith/", "3 MAR 1850"), ("William /Smyth/", "5 MAR 1850")),
    ] {
        assert!(score(one, other) >= 0.8, "{one:?} {other:?}: {}", score(one, other));
    }
    for (one, other) in [
        (("Karl /Müller/", "3 MAR 1850"), ("Karl /Müller/", "3 MAR 1880")),
        (("Karl /Müller/", "3 MAR 1850"), ("Max /Müller/", "3 MAR 1850")),
        (("Karl /Müller/", "3 MAR 1850"), ("Karl /Schmidt/", "7 AUG 1850")),
        (("Karl /Müller/", "1850"), ("Karl /Müller/", "1860")),
    ] {
        assert!(score(one, other) < 0.5, "{one:?} {other:?}: {}", score(one, other));
    }
    assert!(score_of("Karl /Müller/", "Karl /Müller/") < 0.8);
}

#[test]
fn one_identifier_that_is_the_same_everywhere_is_enough() {
    let uid = "0123456789ABCDEF0123456789ABCDEF";
    let a = file(&person("A", "Karl /Müller/", &format!("1 _UID {uid}8C4A\n")));
    let b = "0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @B@ INDI\n1 NAME Charles /Miller/\n1 UID 01234567-89ab-cdef-0123-456789abcdef\n0 TRLR\n";
    let found = matched(&a, Some(b), 0.8);
    assert_eq!(found.len(), 1);
    assert!(found[0].3.contains(&MatchField::UniqueId) && found[0].2 > 0.99);
}

#[test]
fn relatives_of_one_file_are_not_the_same_person() {
    let family = "0 @F@ FAM\n1 HUSB @I1@\n1 WIFE @I2@\n1 CHIL @I3@\n1 CHIL @I4@\n1 CHIL @I5@\n";
    let child = |id: &str, name: &str, date: &str| {
        person(id, name, &format!("1 BIRT\n2 DATE {date}\n2 PLAC Berg\n1 FAMC @F@\n"))
    };
    let parent = |id: &str, name: &str| person(id, name, "1 BIRT\n2 DATE 1850\n1 FAMS @F@\n");
    let twins =
        [child("I3", "Karl /Müller/", "3 MAR 1880"), child("I4", "Max /Müller/", "3 MAR 1880")].concat();
    let later = child("I5", "Karl /Müller/", "3 APR 1883");
    let text = file(
        &[parent("I1", "Karl /Müller/"), parent("I2", "Anna /Vogel/"), twins, later, family.to_owned()]
            .concat(),
    );
    assert_eq!(matched(&text, None, 0.5), []);
    // Of two files, a person is never paired with one of the same file.
    let found = matched(&text, Some(&text), 0.8);
    let pairs: Vec<(&str, &str)> = found.iter().map(|(a, b, ..)| (&**a, &**b)).collect();
    for id in ["I1", "I2", "I3", "I4", "I5"] {
        assert!(pairs.contains(&(id, id)), "{id} {pairs:?}");
    }
    assert_eq!(pairs.len(), 5, "{found:?}");
}

#[test]
fn many_persons_with_one_name_take_no_long_time() {
    let persons: String = (0..20_000)
        .map(|n| person(&format!("I{n}"), "John /Smith/", "1 SEX M\n1 BIRT\n2 DATE 1850\n"))
        .collect();
    // They cannot be told apart, which is no reason to compare all.
    let _ = matched(&file(&persons), None, 0.999);
}

/// Numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of a list, the first ones more often.
    fn skewed<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len()).min(self.below(list.len()))]
    }
}

const SURNAMES: [&str; 60] = [
    "Müller",
    "Schmidt",
    "Schneider",
    "Fischer",
    "Weber",
    "Meyer",
    "Wagner",
    "Becker",
    "Schulz",
    "Hoffmann",
    "Koch",
    "Richter",
    "Klein",
    "Wolf",
    "Schröder",
    "Neumann",
    "Schwarz",
    "Braun",
    "Hofmann",
    "Zimmermann",
    "Krüger",
    "Hartmann",
    "Lange",
    "Werner",
    "Krause",
    "Lehmann",
    "Köhler",
    "Maier",
    "Walter",
    "König",
    "Mayer",
    "Huber",
    "Kaiser",
    "Fuchs",
    "Peters",
    "Lang",
    "Scholz",
    "Möller",
    "Weiß",
    "Jung",
    "Hahn",
    "Vogel",
    "Friedrich",
    "Keller",
    "Günther",
    "Berger",
    "Winkler",
    "Roth",
    "Beck",
    "Lorenz",
    "Baumann",
    "Franke",
    "Albrecht",
    "Schuster",
    "Simon",
    "Ludwig",
    "Böhm",
    "Winter",
    "Kraus",
    "Martin",
];
const MEN: [&str; 24] = [
    "Johann",
    "Wilhelm",
    "Karl",
    "Heinrich",
    "Friedrich",
    "Georg",
    "Josef",
    "Franz",
    "Peter",
    "Paul",
    "Jakob",
    "Michael",
    "Thomas",
    "Robert",
    "Eduard",
    "Andreas",
    "Anton",
    "Stefan",
    "Matthias",
    "Nikolaus",
    "Philipp",
    "Ludwig",
    "Ernst",
    "Theodor",
];
const WOMEN: [&str; 20] = [
    "Maria",
    "Anna",
    "Margarethe",
    "Elisabeth",
    "Katharina",
    "Barbara",
    "Magdalena",
    "Helena",
    "Susanna",
    "Dorothea",
    "Sophie",
    "Karoline",
    "Wilhelmine",
    "Friederike",
    "Auguste",
    "Josefine",
    "Charlotte",
    "Martha",
    "Christina",
    "Theresa",
];
const SHORT: [(&str, &str); 14] = [
    ("Johann", "Hans"),
    ("Wilhelm", "Willi"),
    ("Karl", "Carl"),
    ("Heinrich", "Heinz"),
    ("Friedrich", "Fritz"),
    ("Josef", "Sepp"),
    ("Georg", "Jörg"),
    ("Margarethe", "Grete"),
    ("Elisabeth", "Lisbeth"),
    ("Katharina", "Käthe"),
    ("Magdalena", "Lena"),
    ("Anton", "Toni"),
    ("Karoline", "Lina"),
    ("Theresa", "Resi"),
];
const PLACES: [&str; 12] = [
    "Berg",
    "Altdorf",
    "Neustadt",
    "Bruck",
    "Hallstadt",
    "Kirchheim",
    "Lindau",
    "Marbach",
    "Rothenburg",
    "Steinach",
    "Weiden",
    "Zell",
];
const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

#[derive(Clone)]
struct Made {
    given: String,
    surname: String,
    is_woman: bool,
    born: [usize; 3],
    died: Option<usize>,
    place: &'static str,
    family: Option<usize>,
    marriage: Option<usize>,
}

struct MadeFamily {
    husband: usize,
    wife: usize,
}

struct Tree {
    persons: Vec<Made>,
    families: Vec<MadeFamily>,
}

fn made_person(numbers: &mut Numbers, year: usize, family: Option<(usize, String, &'static str)>) -> Made {
    let is_woman = numbers.chance(50);
    let list: &[&str] = if is_woman { &WOMEN } else { &MEN };
    let mut given = numbers.skewed(list).to_owned();
    if numbers.chance(40) {
        given += &format!(" {}", numbers.skewed(list));
    }
    let place = PLACES[numbers.below(PLACES.len())];
    let surname = numbers.skewed(&SURNAMES).to_owned();
    let (family, surname, place) = match family {
        Some((family, surname, place)) => (Some(family), surname, place),
        None => (None, surname, place),
    };
    let born = [year + numbers.below(3), numbers.below(12), 1 + numbers.below(28)];
    let died = numbers.chance(80).then(|| born[0] + 30 + numbers.below(50));
    Made { given, surname, is_woman, born, died, place, family, marriage: None }
}

fn made_tree(numbers: &mut Numbers) -> Tree {
    let mut tree = Tree { persons: Vec::new(), families: Vec::new() };
    let mut generation: Vec<usize> = Vec::new();
    for _ in 0..160 {
        generation.push(tree.persons.len());
        let year = 1750 + numbers.below(30);
        tree.persons.push(made_person(numbers, year, None));
    }
    for _ in 0..3 {
        let (women, men): (Vec<usize>, Vec<usize>) =
            generation.iter().partition(|person| tree.persons[**person].is_woman);
        let mut next = Vec::new();
        for (husband, wife) in men.into_iter().zip(women) {
            if tree.persons[husband].family.is_some()
                && tree.persons[husband].family == tree.persons[wife].family
            {
                continue;
            }
            let family = tree.families.len();
            tree.families.push(MadeFamily { husband, wife });
            (tree.persons[husband].marriage, tree.persons[wife].marriage) = (Some(family), Some(family));
            let mut year = tree.persons[husband].born[0].max(tree.persons[wife].born[0]) + 22;
            let (surname, place) = (tree.persons[husband].surname.clone(), tree.persons[husband].place);
            for _ in 0..1 + numbers.below(5) {
                next.push(tree.persons.len());
                tree.persons.push(made_person(numbers, year, Some((family, surname.clone(), place))));
                year += 2 + numbers.below(2);
            }
        }
        generation = next;
    }
    tree
}

fn misspelled(numbers: &mut Numbers, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = 1 + numbers.below(letters.len() - 1);
    match numbers.below(3) {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters[at] = char::from(b'a' + u8::try_from(numbers.below(26)).expect("a letter")),
    }
    letters.into_iter().collect()
}

/// Another researcher's idea of a person.
fn altered(numbers: &mut Numbers, tree: &Tree, one: &Made) -> (Made, String) {
    let mut other = one.clone();
    let first = other.given.split(' ').next().expect("a word").to_owned();
    if numbers.chance(30) {
        other.given = first.clone();
    }
    if let Some((long, short)) = SHORT.iter().find(|(long, _)| *long == first)
        && numbers.chance(30)
    {
        other.given = other.given.replacen(long, short, 1);
    } else if numbers.chance(8) {
        other.given = misspelled(numbers, &other.given);
    }
    if numbers.chance(15) {
        other.surname = misspelled(numbers, &other.surname);
    }
    if let (true, Some(family), true) = (other.is_woman, other.marriage, numbers.chance(20)) {
        other.surname = tree.persons[tree.families[family].husband].surname.clone();
    }
    if numbers.chance(40) {
        other.died = None;
    }
    if numbers.chance(30) {
        other.place = "";
    }
    let [year, month, day] = other.born;
    let date = match numbers.below(100) {
        0..45 => format!("{day} {} {year}", MONTHS[month]),
        45..65 => year.to_string(),
        65..85 => format!("ABT {}", year - 2 + numbers.below(5)),
        85..92 => format!("{} {} {year}", 1 + numbers.below(28), MONTHS[month]),
        _ => String::new(),
    };
    (other, date)
}

/// The records of the persons and families that `has` says.
fn written(
    tree: &Tree,
    has: &dyn Fn(usize) -> bool,
    prefix: &str,
    mut idea: impl FnMut(&Made) -> (Made, String),
) -> String {
    let mut text = String::new();
    for (number, one) in tree.persons.iter().enumerate().filter(|(number, _)| has(*number)) {
        let (Made { given, surname, is_woman, died, place, .. }, date) = idea(one);
        let sex = if is_woman { "F" } else { "M" };
        let _ = write!(text, "0 @{prefix}{number}@ INDI\n1 NAME {given} /{surname}/\n1 SEX {sex}\n");
        if !date.is_empty() || !place.is_empty() {
            text += "1 BIRT\n";
        }
        for (tag, value) in
            [("DATE", &*date), ("PLAC", place)].into_iter().filter(|(_, value)| !value.is_empty())
        {
            let _ = writeln!(text, "2 {tag} {value}");
        }
        if let Some(year) = died {
            let _ = writeln!(text, "1 DEAT\n2 DATE {year}");
        }
    }
    for (number, MadeFamily { husband, wife }) in tree.families.iter().enumerate() {
        let children = tree.persons.iter().enumerate().filter(|(_, child)| child.family == Some(number));
        let links = [("HUSB", *husband), ("WIFE", *wife)]
            .into_iter()
            .chain(children.map(|(child, _)| ("CHIL", child)));
        let links: Vec<(&str, usize)> = links.filter(|(_, person)| has(*person)).collect();
        if links.len() > 1 {
            let _ = writeln!(text, "0 @{prefix}F{number}@ FAM");
            links.iter().for_each(|(tag, person)| text += &format!("1 {tag} @{prefix}{person}@\n"));
        }
    }
    file(&text)
}

#[test]
fn quality_is_high_on_made_trees() {
    let (mut right, mut found_in_all, mut wanted_in_all) = (0_usize, 0_usize, 0_usize);
    for seed in 1..=4 {
        let mut numbers = Numbers(seed);
        let tree = made_tree(&mut numbers);
        let of_family =
            |person: usize| tree.persons[person].family.or(tree.persons[person].marriage).unwrap_or(0);
        let (in_a, in_b) =
            (move |family: usize| !family.is_multiple_of(3), move |family: usize| family % 3 != 1);
        let exact = |one: &Made| {
            let [year, month, day] = one.born;
            (one.clone(), format!("{day} {} {year}", MONTHS[month]))
        };
        let a = written(&tree, &|person| in_a(of_family(person)), "A", exact);
        let b =
            written(&tree, &|person| in_b(of_family(person)), "B", |one| altered(&mut numbers, &tree, one));
        let wanted = (0..tree.persons.len())
            .filter(|person| in_a(of_family(*person)) && in_b(of_family(*person)))
            .count();
        let found = matched(&a, Some(&b), 0.8);
        let is_right = |(a, b, ..): &&(String, String, f64, Vec<MatchField>)| a[1..] == b[1..];
        right += found.iter().filter(is_right).count();
        found_in_all += found.len();
        wanted_in_all += wanted;
    }
    let (precision, recall) = (right as f64 / found_in_all as f64, right as f64 / wanted_in_all as f64);
    assert!(precision >= 0.95 && recall >= 0.90, "precision {precision:.4}, recall {recall:.4}");
}

#[test]
fn pairs_are_found_once_in_order() {
    let records: String =
        (0..6).map(|n| person(&format!("I{n}"), "Karl /Müller/", "1 BIRT\n2 DATE 3 MAR 1850\n")).collect();
    let found = matched(&file(&records), None, 0.0);
    let pairs: Vec<(String, String)> = found.into_iter().map(|(a, b, ..)| (a, b)).collect();
    let unique: HashSet<&(String, String)> = pairs.iter().collect();
    assert_eq!((pairs.len(), unique.len()), (15, 15));
    let mut sorted = pairs.clone();
    sorted.sort();
    assert_eq!(pairs, sorted);
}

#[test]
fn parents_in_swapped_roles_agree() {
    let file = |husband: u8, wife: u8| {
        format!(
            "0 HEAD\n1 CHAR UTF-8\n0 @I1@ INDI\n1 NAME Karl /Weber/\n0 @I2@ INDI\n1 NAME Anna /Huber/\n0 @I3@ INDI\n1 NAME Maximilian /Weber/\n1 BIRT\n2 DATE 3 MAR 1880\n1 FAMC @F1@\n0 @F1@ FAM\n1 HUSB @I{husband}@\n1 WIFE @I{wife}@\n1 CHIL @I3@\n0 TRLR\n"
        )
    };
    let files = [file(1, 2), file(2, 1)];
    let read = |text: &'static str| {
        elf_schema::read(
            text.as_bytes(),
            &elf_schema::Rules::WILD,
            &elf_schema::ReadOptions::default(),
            &mut (),
        )
        .expect("a file")
    };
    let typed = files.map(|text| read(Box::leak(text.into_boxed_str())));
    let mut matcher = elf_lineage::PersonMatcher::default();
    for (number, (side, typed)) in
        [elf_lineage::MatchSide::A, elf_lineage::MatchSide::B].into_iter().zip(&typed).enumerate()
    {
        let lineage = elf_lineage::Lineage::of(typed);
        matcher.add(side, number, &elf_lineage::LineageView::new(&lineage, typed));
    }
    let found = matcher.matches(0.8);
    let child = found.iter().find(|found| matcher.person(found.a).identifier.as_deref() == Some("I3"));
    assert_eq!(child.expect("the child").differ, []);
}

/// Returns the first pair of two people of two files.
fn only_pair(a: &str, b: &str) -> elf_lineage::PersonMatch {
    let mut matcher = PersonMatcher::default();
    for (number, (side, text)) in [(MatchSide::A, a), (MatchSide::B, b)].into_iter().enumerate() {
        let text = file(text);
        let typed = elf_schema::read(text.as_bytes(), &Rules::WILD, &ReadOptions::default(), &mut ());
        let typed = typed.expect("a file");
        matcher.add(side, number, &LineageView::new(&Lineage::of(&typed), &typed));
    }
    matcher.matches(0.0).into_iter().next().expect("a pair")
}

#[test]
fn only_equal_fields_agree() {
    let family = |children: &[&str], spouse: &str| {
        let mut text = format!("0 @S@ INDI\n1 NAME {spouse}\n0 @F@ FAM\n1 HUSB @A@\n1 WIFE @S@\n");
        (0..children.len()).for_each(|n| text += &format!("1 CHIL @C{n}@\n"));
        children.iter().enumerate().for_each(|(n, name)| text += &format!("0 @C{n}@ INDI\n1 NAME {name}\n"));
        text
    };
    let a = person("A", "Karl /Müller/", "1 SEX M\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Wien, Österreich\n")
        + &family(&["Anna /Müller/", "Max /Müller/"], "Eva /Huber/");
    let b = person("A", "Carl /MULLER/", "1 SEX M\n1 BIRT\n2 DATE ABT 1850\n2 PLAC Wien\n")
        + &family(&["Anna /Müller/", "Ida /Müller/"], "Eva /Huber/");
    let found = only_pair(&a, &b);
    assert_eq!(found.agree, [MatchField::Surname, MatchField::Sex, MatchField::Spouse]);
    let similar = [MatchField::Given, MatchField::Birth, MatchField::BirthPlace, MatchField::Children];
    assert_eq!((&found.similar[..], &found.differ[..]), (&similar[..], &[][..]));
    let same = only_pair(&a, &a);
    assert_eq!((same.agree.len(), same.similar, same.differ), (7, Vec::new(), Vec::new()));
    // A surname by marriage supports that two people are the same, but it is another surname.
    let wife = person("A", "Anne /Stuart/", "2 _MARNM Tudor\n1 BIRT\n2 DATE 1600\n");
    let found = only_pair(&wife, &person("A", "Anne /Tudor/", "1 BIRT\n2 DATE 1600\n"));
    assert_eq!(
        (&found.agree[..], &found.similar[..]),
        (&[MatchField::Given, MatchField::Birth][..], &[MatchField::Surname][..])
    );
    let day = |date: &str| person("A", "Alice /Berg/", &format!("1 BIRT\n2 DATE {date}\n"));
    let found = only_pair(&day("24 AUG 1865"), &day("24 AUG 1864"));
    assert_eq!(found.similar, [MatchField::Birth]);
}

#[test]
fn placeholders_are_not_names() {
    for name in
        ["Living /Barnett/", "Living Barnett", "N.N. /Barnett/", "Private /Barnett/", "unknown /Barnett/"]
    {
        let rest = "1 SEX M\n1 BIRT\n2 DATE 3 MAR 1850\n2 PLAC Wien\n";
        let text = file(&[person("A", name, rest), person("B", name, rest)].concat());
        assert_eq!(matched(&text, None, 0.0), [], "{name}");
        let same = format!("{rest}1 _UID 0123456789ABCDEF0123456789ABCDEF\n");
        let text = file(&[person("A", name, &same), person("B", name, &same)].concat());
        assert_eq!(matched(&text, None, 0.8).len(), 1, "{name}");
    }
}

#[test]
fn relatives_who_cannot_be_the_same_are_no_pair() {
    let text = "0 @F@ FAM\n1 HUSB @NIKOLAI@\n1 WIFE @ALIX@\n1 CHIL @OLGA@\n1 CHIL @MARIA@\n1 CHIL @TWICE@\n\
        0 @G@ FAM\n1 HUSB @NIKOLAI2@\n1 WIFE @OLGA@\n";
    let text = file(
        &[
            person("NIKOLAI", "Nikolai /Romanov/", "1 BIRT\n2 DATE ABT 1895\n"),
            person("ALIX", "Alix /Hesse/", ""),
            person("OLGA", "Olga Nikolaevna /Romanov/", "1 BIRT\n2 DATE 1895\n"),
            person("MARIA", "Maria Nikolaevna /Romanov/", "1 BIRT\n2 DATE 1895\n"),
            person("TWICE", "Maria /Romanov/", "1 BIRT\n2 DATE 1895\n"),
            person("NIKOLAI2", "Nikolai /Romanov/", "1 BIRT\n2 DATE ABT 1895\n"),
            text.to_owned(),
        ]
        .concat(),
    );
    let found = matched(&text, None, 0.0);
    let pairs: Vec<(&str, &str)> = found.iter().map(|(a, b, ..)| (&**a, &**b)).collect();
    assert!(pairs.contains(&("MARIA", "TWICE")), "{pairs:?}");
    for (a, b) in [("OLGA", "MARIA"), ("OLGA", "TWICE"), ("NIKOLAI", "OLGA"), ("NIKOLAI", "NIKOLAI2")] {
        assert!(!pairs.contains(&(a, b)), "{a} {b}: {pairs:?}");
    }
}
