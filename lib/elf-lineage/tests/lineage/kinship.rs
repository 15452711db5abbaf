//! How two persons are related: names, distances, common ancestors, and the coefficient.

use crate::lineage;
use elf_lineage::{Kinship, Lineage, Person, PersonId, RelationshipKind, Sex};
use elf_schema::vendors::VendorTag;
use elf_values::ChildTie;
use proptest::prelude::*;
use std::collections::HashMap;
use std::fmt::Write;

/// The distances of all relationships that have some.
pub(crate) fn generations(kinship: &Kinship) -> Vec<(u32, u32)> {
    let generations = kinship.relationships().iter().filter_map(|one| one.generations());
    generations.map(|generations| (generations.up, generations.down)).collect()
}

/// Makes persons of families: `father+mother=child child …`. A name in capitals is that of a woman, other names
/// are those of men, and one that starts with `?` is neither. Text after a child is written under `FAMC`, in
/// brackets.
fn family_tree(families: &str) -> Lineage {
    let mut links: Vec<(String, String)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut body = String::new();
    let mut add = |person: &str, line: String| {
        let number = *numbers.entry(person.to_owned()).or_insert(links.len());
        if number == links.len() {
            links.push((person.to_owned(), String::new()));
        }
        links[number].1.push_str(&line);
    };
    for (number, family) in families.split(';').map(str::trim).enumerate() {
        let (parents, children) = family.split_once('=').expect("a family");
        let _ = writeln!(body, "0 @F{number}@ FAM");
        for (tag, parent) in ["HUSB", "WIFE"].into_iter().zip(parents.split('+').map(str::trim)) {
            if !parent.is_empty() {
                add(parent, format!("1 FAMS @F{number}@\n"));
                let _ = writeln!(body, "1 {tag} @{parent}@");
            }
        }
        for child in children.split_whitespace() {
            let (child, tie) =
                child.split_once('[').map_or((child, ""), |(child, tie)| (child, tie.trim_end_matches(']')));
            let tie = if tie.is_empty() { String::new() } else { format!("2 PEDI {tie}\n") };
            add(child, format!("1 FAMC @F{number}@\n{tie}"));
            let _ = writeln!(body, "1 CHIL @{child}@");
        }
    }
    for (person, lines) in links {
        let sex = match person.chars().next() {
            Some('?') => "",
            Some(first) if first.is_uppercase() => "1 SEX F\n",
            _ => "1 SEX M\n",
        };
        let _ = write!(body, "0 @{person}@ INDI\n{sex}{lines}");
    }
    lineage(body.trim_end())
}

fn person<'l>(lineage: &'l Lineage, id: &str) -> Person<'l> {
    lineage.find_person(id).unwrap_or_else(|| panic!("no person {id}"))
}

/// All relationships in words, nearest first.
fn names(lineage: &Lineage, one: &str, other: &str) -> Vec<String> {
    let one = person(lineage, one);
    let kinship = one.kinship(person(lineage, other));
    kinship.relationships().iter().map(|relationship| relationship.name(one.sex())).collect()
}

/// The identifiers of common ancestors of each relationship.
fn ancestors(lineage: &Lineage, one: &str, other: &str) -> Vec<Vec<String>> {
    let kinship = person(lineage, one).kinship(person(lineage, other));
    let name = |id: &PersonId| lineage.person(*id).and_then(Person::identifier).expect("an identifier");
    kinship.relationships().iter().map(|one| one.common_ancestors.iter().map(name).collect()).collect()
}

/// Two lines of descent from one couple, men with small letters and women with capitals.
const LINES: &str = "a+A=b B ?b; b+S=c C ?c; c+T=d D ?d; d+U=e E ?e; e+V=f F; B2+X=g;\
    m+B=h H ?h; h+N=i I ?i; i+O=j J ?j; j+P=k K ?k; k+Q=l L";

#[test]
fn each_degree_has_its_word_in_both_directions() {
    let lineage = family_tree(LINES);
    for (one, other, of_one, of_other) in [
        ("a", "b", "father", "son"),
        ("A", "B", "mother", "daughter"),
        ("A", "?b", "mother", "child"),
        ("a", "c", "grandfather", "grandson"),
        ("A", "C", "grandmother", "granddaughter"),
        ("A", "?c", "grandmother", "grandchild"),
        ("a", "D", "great-grandfather", "great-granddaughter"),
        ("A", "e", "great-great-grandmother", "great-great-grandson"),
        ("a", "f", "great-great-great-grandfather", "great-great-great-grandson"),
        ("b", "B", "brother", "sister"),
        ("b", "?b", "brother", "sibling"),
        ("b", "h", "uncle", "nephew"),
        ("B", "C", "aunt", "niece"),
        ("?b", "?c", "aunt or uncle", "niece or nephew"),
        ("b", "i", "great-uncle", "great-nephew"),
        ("B", "D", "great-aunt", "great-niece"),
        ("?b", "?d", "great-aunt or great-uncle", "great-niece or great-nephew"),
        ("B", "E", "great-great-aunt", "great-great-niece"),
        ("c", "H", "first cousin", "first cousin"),
        ("c", "i", "first cousin once removed", "first cousin once removed"),
        ("C", "j", "first cousin twice removed", "first cousin twice removed"),
        ("c", "k", "first cousin three times removed", "first cousin three times removed"),
        ("d", "i", "second cousin", "second cousin"),
        ("?d", "?j", "second cousin once removed", "second cousin once removed"),
        ("d", "l", "second cousin three times removed", "second cousin three times removed"),
        ("e", "j", "third cousin", "third cousin"),
        ("f", "k", "fourth cousin", "fourth cousin"),
        ("b", "S", "husband", "wife"),
        ("a", "S", "father-in-law", "daughter-in-law"),
        ("A", "m", "mother-in-law", "son-in-law"),
        ("S", "B", "sister-in-law", "sister-in-law"),
        ("m", "?b", "brother-in-law", "sibling-in-law"),
    ] {
        assert_eq!(names(&lineage, one, other), [of_one], "{one} is to {other}");
        assert_eq!(names(&lineage, other, one), [of_other], "{other} is to {one}");
    }
    for (one, other) in [("S", "m"), ("m", "S"), ("S", "N"), ("g", "a"), ("X", "U")] {
        assert_eq!(names(&lineage, one, other), Vec::<String>::new(), "{one} is to {other}");
    }
}

#[test]
fn distant_degrees_are_counted_in_figures() {
    let mut families = String::from("a+=x0 y0");
    for number in 0..25 {
        let _ = write!(families, "; x{number}+=x{}; y{number}+=y{}", number + 1, number + 1);
    }
    let lineage = family_tree(&families);
    for (one, other, expected) in [
        ("x10", "y10", "tenth cousin"),
        ("x11", "y11", "11th cousin"),
        ("x21", "y21", "21st cousin"),
        ("x22", "y12", "12th cousin ten times removed"),
        ("x23", "y12", "12th cousin 11 times removed"),
        ("a", "x9", "great-great-great-great-great-great-great-great-grandfather"),
        ("a", "x10", "9 times great-grandfather"),
        ("x10", "y0", "9 times great-nephew"),
    ] {
        assert_eq!(names(&lineage, one, other), [expected], "{one} is to {other}");
    }
}

#[test]
fn half_relations_are_told_from_full_ones() {
    let lineage =
        family_tree("a+M=b; a+N=c; b+=d; c+=e; d+=f; o+P=g G; o+=h; q+=i j; r+=k; r+=l; s+U=t; s+U=v");
    for (one, other, expected, common) in [
        ("b", "c", "half-brother", &["a"][..]),
        ("b", "e", "half-uncle", &["a"]),
        ("c", "f", "half-great-uncle", &["a"]),
        ("e", "b", "half-nephew", &["a"]),
        ("d", "e", "half first cousin", &["a"]),
        ("f", "e", "half first cousin once removed", &["a"]),
        ("g", "G", "brother", &["o", "P"]),
        ("g", "h", "half-brother", &["o"]),
        ("i", "j", "brother", &["q"]),
        ("k", "l", "half-brother", &["r"]),
        ("t", "v", "brother", &["s", "U"]),
        ("a", "f", "great-grandfather", &["a"]),
    ] {
        assert_eq!(names(&lineage, one, other), [expected], "{one}, {other}");
        assert_eq!(ancestors(&lineage, one, other), [common], "{one}, {other}");
        assert_eq!(ancestors(&lineage, other, one), [common], "{other}, {one}");
    }
}

#[test]
fn several_ways_of_being_related_are_all_found() {
    // Two brothers marry two sisters: their children are first cousins twice.
    let double = family_tree("a+A=b c; m+M=N O; b+N=x; c+O=y");
    assert_eq!(names(&double, "x", "y"), ["first cousin", "first cousin"]);
    assert_eq!(ancestors(&double, "x", "y"), [["a", "A"], ["m", "M"]]);
    assert_eq!(person(&double, "x").kinship(person(&double, "y")).coefficient(), 0.25);

    // Cousins marry: their child descends from the grandparents twice, at different distances from another child's line.
    let cousins = family_tree("a+A=b C; b+=d; e+C=F; d+F=g; g+=h; a+A=k");
    assert_eq!(names(&cousins, "d", "F"), ["husband", "first cousin"]);
    assert_eq!(names(&cousins, "a", "g"), ["great-grandfather"]);
    assert_eq!(names(&cousins, "k", "g"), ["great-uncle"]);
    // The child of cousins is inbred by a sixteenth.
    let kinship = person(&cousins, "a").kinship(person(&cousins, "g"));
    assert_eq!(kinship.coefficient(), 0.25 / 1.0625_f64.sqrt());

    // An uncle marries his niece: one line is a generation shorter.
    let uncle = family_tree("a+A=b c; b+M=N; c+N=x");
    assert_eq!(names(&uncle, "a", "x"), ["grandfather", "great-grandfather"]);
    assert_eq!(names(&uncle, "b", "x"), ["grandfather", "uncle"]);
    assert_eq!(names(&uncle, "c", "N"), ["husband", "uncle"]);
}

#[test]
fn siblings_whose_parents_are_cousins_share_more() {
    let lineage = family_tree("a+A=b C; b+=d; e+C=F; d+F=g h");
    let kinship = person(&lineage, "g").kinship(person(&lineage, "h"));
    assert_eq!(kinship.coefficient(), 0.5625 / 1.0625);
    let found: Vec<&str> = kinship.relationships().iter().map(|one| one.kind.name()).collect();
    assert_eq!(found[0], "blood");
    assert_eq!(names(&lineage, "g", "h"), ["brother", "second cousin"]);
    // A common ancestor who is inbred counts for more.
    let inbred = family_tree("a+A=b B; b+B=c; c+M=d; c+N=e");
    assert_eq!(person(&inbred, "d").kinship(person(&inbred, "e")).coefficient(), 0.25 * 1.25);
}

#[test]
fn adoption_and_foster_care_are_kinds_of_their_own() {
    let lineage = family_tree(
        "a+A=b c; b+B=d e[adopted] f[foster] E[adopted]; c+C=g; p+P=e; e+S=h; a+A=k[disproven]; b+B=n[sealing]",
    );
    for (one, other, name, kind) in [
        ("b", "d", "father", "blood"),
        ("b", "e", "adoptive father", "adoptive"),
        ("e", "b", "adopted son", "adoptive"),
        ("E", "B", "adopted daughter", "adoptive"),
        ("f", "b", "foster son", "foster"),
        ("B", "f", "foster mother", "foster"),
        ("e", "d", "adoptive brother", "adoptive"),
        ("e", "E", "adoptive brother", "adoptive"),
        ("e", "f", "foster brother", "foster"),
        ("a", "e", "adoptive grandfather", "adoptive"),
        ("e", "g", "adoptive first cousin", "adoptive"),
        ("h", "g", "adoptive first cousin once removed", "adoptive"),
        ("e", "p", "son", "blood"),
        ("h", "p", "grandson", "blood"),
    ] {
        let kinship = person(&lineage, one).kinship(person(&lineage, other));
        let [only] = kinship.relationships() else { panic!("{one}, {other}: {kinship:?}") };
        assert_eq!(
            (only.name(person(&lineage, one).sex()).as_str(), only.kind.name()),
            (name, kind),
            "{one}, {other}"
        );
        assert_eq!(kinship.coefficient() > 0.0, kind == "blood", "{one}, {other}");
    }
    assert!(names(&lineage, "k", "a").is_empty() && names(&lineage, "p", "d").is_empty());
    // The husband of the mother, though linked as a child of the couple.
    assert!(names(&lineage, "n", "b").is_empty());
}

#[test]
fn step_relations_end_at_parents() {
    let lineage = family_tree("a+A=b; a+S=c; q+S=d; a+A=e[adopted]; p+P=e");
    for (one, other, expected) in [
        ("S", "b", &["stepmother"][..]),
        ("b", "S", &["stepson"]),
        ("S", "c", &["mother"]),
        ("a", "d", &["stepfather"]),
        ("A", "c", &["stepmother"]),
        ("q", "c", &["stepfather"]),
        ("b", "d", &[]),
        ("S", "e", &["stepmother"]),
        ("q", "b", &[]),
        ("P", "e", &["mother"]),
        ("p", "b", &[]),
    ] {
        assert_eq!(names(&lineage, one, other), expected, "{one} is to {other}");
    }
}

#[test]
fn two_mothers_and_an_adoption_by_nobody_are_no_relation_by_blood() {
    let mothers = family_tree("A+B=c");
    assert_eq!(names(&mothers, "A", "c"), ["adoptive mother"]);
    let bare = lineage(
        "0 @I1@ INDI\n1 SEX M\n1 ADOP\n1 FAMC @F1@\n0 @I2@ INDI\n1 SEX M\n0 @F1@ FAM\n1 HUSB @I2@\n1 CHIL @I1@",
    );
    assert_eq!(names(&bare, "I2", "I1"), ["adoptive father"]);
    let by_one = lineage(
        "0 @I1@ INDI\n1 SEX M\n1 ADOP\n2 FAMC @F1@\n3 ADOP HUSB\n1 FAMC @F2@\n2 PEDI birth\n0 @I2@ INDI\n1 SEX M\n\
         0 @I3@ INDI\n1 SEX F\n0 @I4@ INDI\n1 SEX F\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I3@\n1 CHIL @I1@\n\
         0 @F2@ FAM\n1 WIFE @I4@\n1 CHIL @I1@",
    );
    assert_eq!(names(&by_one, "I2", "I1"), ["adoptive father"]);
    assert_eq!(names(&by_one, "I3", "I1"), ["stepmother"]);
    assert_eq!(names(&by_one, "I4", "I1"), ["mother"]);
}

#[test]
fn circles_end() {
    let lineage = family_tree("a+=b; b+=a; b+=c; c+=d; e+=e");
    for (one, other) in [("a", "b"), ("b", "a"), ("a", "d"), ("d", "a"), ("c", "b"), ("e", "a")] {
        let kinship = person(&lineage, one).kinship(person(&lineage, other));
        assert!(kinship.coefficient().is_finite());
        let inverse = person(&lineage, other).kinship(person(&lineage, one));
        assert_eq!(kinship.is_related(), inverse.is_related());
    }
    assert_eq!(names(&lineage, "b", "d"), ["grandfather"]);
}

#[test]
fn pedigree_collapse_of_many_generations_takes_no_exponential_time() {
    // Brother and sister marry in each generation: there are 2^60 paths.
    let mut families = String::from("x0+X0=x1 X1");
    for number in 1..60 {
        let _ = write!(families, "; x{number}+X{number}=x{} X{}", number + 1, number + 1);
    }
    let lineage = family_tree(&families);
    let kinship = person(&lineage, "x60").kinship(person(&lineage, "X60"));
    assert!(kinship.coefficient() > 0.99 && kinship.coefficient() <= 1.0, "{}", kinship.coefficient());
    assert_eq!(kinship.relationships()[0].name(Sex::Male), "brother");
    let of_founder = person(&lineage, "x0").kinship(person(&lineage, "x60"));
    assert!(of_founder.is_complete() && of_founder.relationships().len() == 1);
}

#[test]
fn wide_villages_end() {
    // Each generation has 60 persons, whose parents are all over the generation before.
    let mut families = String::new();
    for generation in 0..12 {
        for number in 0..30 {
            let (father, mother) = (number * 7 % 30, (number * number + generation) % 30);
            let _ = write!(
                families,
                "{}m{generation}x{father}+F{generation}x{mother}=m{}x{number} F{}x{number}",
                if families.is_empty() { "" } else { "; " },
                generation + 1,
                generation + 1
            );
        }
    }
    let lineage = family_tree(&families);
    let (one, other) = (person(&lineage, "m12x3"), person(&lineage, "F12x17"));
    let (kinship, inverse) = (one.kinship(other), other.kinship(one));
    assert_eq!((kinship.is_related(), kinship.is_complete()), (true, true), "{}", kinship.coefficient());
    let coefficients = [kinship.coefficient(), inverse.coefficient()];
    assert!((coefficients[0] - coefficients[1]).abs() < 1e-12, "{coefficients:?}");
}

#[test]
fn distant_relatives_with_many_ancestors_are_related() {
    // All ancestors of both are known and different for eleven generations, and descend from one couple.
    let mut families = String::from("z+Z=");
    for number in 1 << 11..1 << 12 {
        let _ = write!(families, " ?a{number} ?b{number}");
    }
    for number in 1..1 << 11 {
        for side in ["?a", "?b"] {
            let _ = write!(families, "; {side}{}+{side}{}={side}{number}", 2 * number, 2 * number + 1);
        }
    }
    let lineage = family_tree(&families);
    let kinship = person(&lineage, "?a1").kinship(person(&lineage, "?b1"));
    assert!(!kinship.is_complete() && kinship.coefficient() > 0.0);
    assert_eq!(kinship.relationships()[0].name(Sex::Male), "11th cousin");
}

/// The coefficient of kinship by its definition, which follows each path.
fn slow_kinship(parents: &HashMap<usize, [usize; 2]>, one: usize, other: usize) -> f64 {
    if one == other {
        return 0.5
            + parents
                .get(&one)
                .map_or(0.0, |[father, mother]| slow_kinship(parents, *father, *mother) / 2.0);
    }
    // Children have higher numbers than their parents.
    let (younger, older) = (one.max(other), one.min(other));
    parents
        .get(&younger)
        .map_or(0.0, |above| above.iter().map(|&up| slow_kinship(parents, up, older)).sum::<f64>() / 2.0)
}

fn random_pedigree() -> impl Strategy<Value = Vec<Option<(usize, usize)>>> {
    prop::collection::vec(prop::option::weighted(0.8, (0..1000_usize, 0..1000_usize)), 4..14)
}

proptest! {
    #[test]
    fn the_coefficient_is_that_of_all_paths(persons in random_pedigree()) {
        let mut parents: HashMap<usize, [usize; 2]> = HashMap::new();
        let mut body = String::new();
        for (number, above) in persons.iter().enumerate() {
            let _ = writeln!(body, "0 @I{number}@ INDI");
            let Some((one, other)) = above.filter(|_| number > 1) else { continue };
            let (father, mother) = (one % number, other % number);
            if father != mother {
                let _ = writeln!(body, "1 FAMC @F{number}@\n0 @F{number}@ FAM\n1 HUSB @I{father}@\n1 WIFE @I{mother}@\n1 CHIL @I{number}@");
                parents.insert(number, [father, mother]);
            }
        }
        let lineage = lineage(body.trim_end());
        let all: Vec<Person<'_>> = lineage.persons().collect();
        for one in &all {
            for other in &all {
                let kinship = one.kinship(*other);
                let slow = |one: Person<'_>, other: Person<'_>| {
                    slow_kinship(&parents, one.id().index(), other.id().index())
                };
                let expected = slow(*one, *other) / (slow(*one, *one) * slow(*other, *other)).sqrt();
                prop_assert!((kinship.coefficient() - expected).abs() < 1e-12, "{:?} {:?}", one.id(), other.id());
                let mut inverse: Vec<_> = other.kinship(*one).relationships().to_vec();
                for relationship in &mut inverse {
                    relationship.relation = relationship.relation.inverse();
                }
                for wanted in kinship.relationships() {
                    prop_assert!(inverse.contains(wanted), "{:?} not in {:?}", wanted, inverse);
                }
                prop_assert_eq!(kinship.relationships().len(), inverse.len());
                let by_blood = kinship.relationships().iter().any(|one| one.kind == RelationshipKind::Blood);
                prop_assert_eq!(by_blood, one.id() != other.id() && expected > 0.0);
            }
        }
    }
}

#[test]
fn a_parent_whose_tie_is_unknown_is_a_parent_but_no_relative_by_blood() {
    for (father, mother, kinds) in [
        ("Unknown", "Birth", [RelationshipKind::Uncertain, RelationshipKind::Blood]),
        ("Private", "Natural", [RelationshipKind::Uncertain, RelationshipKind::Blood]),
        ("Sealed", "Natural", [RelationshipKind::Uncertain, RelationshipKind::Blood]),
        ("Unknown", "Unknown", [RelationshipKind::Uncertain; 2]),
        ("Step", "Natural", [RelationshipKind::Step, RelationshipKind::Blood]),
    ] {
        let lineage = lineage(&format!(
            "0 @C@ INDI\n1 FAMC @F@\n2 _FREL {father}\n2 _MREL {mother}\n0 @F@ FAM\n1 HUSB @f@\n1 WIFE @M@\n\
             1 CHIL @C@\n0 @f@ INDI\n1 SEX M\n1 FAMS @F@\n0 @M@ INDI\n1 SEX F\n1 FAMS @F@"
        ));
        for (parent, word, kind) in [("f", "father", kinds[0]), ("M", "mother", kinds[1])] {
            let word = if kind == RelationshipKind::Step { "stepfather" } else { word };
            assert_eq!(names(&lineage, parent, "C"), [word], "{father} {mother}");
            let kinship = person(&lineage, parent).kinship(person(&lineage, "C"));
            assert_eq!(kinship.relationships()[0].kind, kind, "{father} {mother}");
        }
    }
}

#[test]
fn the_words_of_the_dictionary_for_ties_are_decided() {
    let known = [
        ("Birth", ChildTie::Birth),
        ("Natural", ChildTie::Birth),
        ("Biological", ChildTie::Birth),
        ("Adopted", ChildTie::Adopted),
        ("Foster", ChildTie::Foster),
        ("Step", ChildTie::Other),
        ("Stepchild", ChildTie::Other),
        ("Guardian", ChildTie::Other),
        ("Sponsored", ChildTie::Other),
        ("Related", ChildTie::Other),
        ("Family Member", ChildTie::Other),
        ("Unknown", ChildTie::Unknown),
        ("Private", ChildTie::Unknown),
        ("Sealed", ChildTie::Unknown),
        ("Parent", ChildTie::Unknown),
    ];
    let entries = VendorTag::all().filter(|entry| entry.gedcom_7() == Some("FAMC.PEDI"));
    let words: Vec<&str> = entries
        .filter_map(|entry| entry.payload().strip_prefix("enum:"))
        .flat_map(|words| words.split(','))
        .collect();
    assert!(words.len() > 30, "{words:?}");
    for word in words {
        let tie = known.iter().find(|(known, _)| *known == word).map(|(_, tie)| *tie);
        assert_eq!(Some(ChildTie::of(word)), tie, "{word}");
    }
}
