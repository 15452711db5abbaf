//! Graphs that are written, read back by the parsers of Oxigraph.
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "tests")]

use elf_rdf::elf_schema::{ReadOptions, Reader, Rules, read};
use elf_rdf::{Base, RdfFormat, RdfWriter};
use oxjsonld::JsonLdParser;
use oxrdf::dataset::CanonicalizationAlgorithm;
use oxrdf::{Graph, Triple};
use oxttl::TurtleParser;
use std::collections::BTreeSet;

const FAMILY: &[u8] = "0 HEAD\n1 SOUR FTW\n1 GEDC\n2 VERS 5.5.1\n1 CHAR UTF-8\n1 LANG German\n0 @I1@ INDI\n\
    1 NAME Ada \"A\" /King/\n1 NAME Ada /Byron/\n1 BIRT\n2 DATE 10 DEC 1815\n1 DEAT\n2 DATE ABT 1852\n\
    1 _MILT Militia\n2 DATE FROM 1870 TO 12 MAY 1872\n1 FAMC @F 1@\n1 NOTE of two\n2 CONT lines\n0 @F 1@ FAM\n\
    1 CHIL @I1@\n2 _FREL Natural\n1 NOSUCH <x>\n0 TRLR\n"
    .as_bytes();

fn base() -> Base {
    Base::parse("https://example.org/byron").unwrap()
}

fn write(octets: &[u8], format: RdfFormat) -> String {
    let options = ReadOptions::default().with_vendor_tags(true);
    let typed = read(octets, &Rules::WILD, &options, &mut ()).unwrap();
    let mut writer = RdfWriter::new(Vec::new(), format, &base(), typed.schema());
    writer.add_run(&typed).unwrap();
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn triples_of_turtle(text: &str) -> Graph {
    let triples = TurtleParser::new().for_slice(text).map(|triple| triple.expect(text));
    triples.collect()
}

fn triples_of_json(text: &str) -> Graph {
    let quads = JsonLdParser::new().for_slice(text).map(|quad| quad.expect(text));
    quads.map(|quad| Triple::new(quad.subject, quad.predicate, quad.object)).collect()
}

/// The triples of a graph as N-Triples, with the same names for the same blank nodes.
fn canonical(mut graph: Graph) -> BTreeSet<String> {
    graph.canonicalize(CanonicalizationAlgorithm::Unstable);
    graph.iter().map(|triple| triple.to_string()).collect()
}

#[test]
fn both_formats_have_the_same_graph() {
    let turtle = write(FAMILY, RdfFormat::Turtle);
    let json = write(FAMILY, RdfFormat::JsonLd);
    let [of_turtle, of_json] = [triples_of_turtle(&turtle), triples_of_json(&json)].map(canonical);
    assert!(of_turtle.len() > 60, "{turtle}");
    assert_eq!(of_turtle, of_json);
}

#[test]
fn the_graph_has_types_payloads_dates_links_and_order() {
    let turtle = write(FAMILY, RdfFormat::Turtle);
    for line in [
        "@prefix : <https://example.org/byron#> .",
        "@prefix elf: <https://terms.fhiso.org/elf/> .",
        "<https://example.org/byron> a elf:Document ;",
        ":I1 a elf:INDIVIDUAL_RECORD ;",
        "\tdcterms:identifier \"I1\" ;",
        "\telfp:position 2 ;",
        "\tdcterms:identifier \"F 1\" ;",
        "\telfp:pointsTo :F\\%201 .",
        "\telfp:pointsTo :I1 ;",
        "\trdf:value \"ABT 1852\" ;",
        "\telfp:edtf \"1852~\"^^<http://id.loc.gov/datatypes/edtf/EDTF> ;",
        "\telfp:edtf \"1870/1872-05-12\"^^<http://id.loc.gov/datatypes/edtf/EDTF> ;",
        "\telfp:firstDay \"1870-01-01\"^^<http://www.w3.org/2001/XMLSchema#date> ;",
        "\telfp:lastDay \"1872-05-12\"^^<http://www.w3.org/2001/XMLSchema#date> .",
        "\trdf:value \"of two\\nlines\" .",
        "\trdf:value \"<x>\" .",
        "\trdfs:label \"Military service\" .",
    ] {
        assert!(turtle.lines().any(|other| other == line), "{line}\n{turtle}");
    }
    assert!(turtle.contains("elf:Undefined\\#NOSUCH"), "{turtle}");
    // What says how the file is serialised is not in the graph.
    assert!(!turtle.contains("\"UTF-8\""), "{turtle}");
}

#[test]
fn a_file_of_types_of_its_own_has_their_supertypes() {
    let octets = include_bytes!("../../../examples/bell-ringers.ged");
    let turtle = write(octets, RdfFormat::Turtle);
    for part in [
        "bell:Tower",
        "bell:FirstPeal rdfs:subClassOf bell:RingingEvent",
        "@prefix bell: <https://example.org/bells/>",
    ] {
        assert!(turtle.contains(part), "{part}\n{turtle}");
    }
    assert_eq!(
        canonical(triples_of_turtle(&turtle)),
        canonical(triples_of_json(&write(octets, RdfFormat::JsonLd)))
    );
}

#[test]
fn languages_of_texts_are_tags() {
    let file = b"0 HEAD\n1 GEDC\n2 VERS 7.0\n0 @N1@ SNOTE Guten Tag\n1 LANG de\n0 @I1@ INDI\n1 NOTE x\n2 LANG nonsense-\n\
        1 FAMC @VOID@\n0 TRLR\n";
    let turtle = write(file, RdfFormat::Turtle);
    triples_of_turtle(&turtle);
    // A pointer to nothing links nothing.
    assert!(!turtle.contains("VOID"), "{turtle}");
}

#[test]
fn runs_have_the_graph_of_the_whole_document() {
    let mut reader =
        Reader::new(FAMILY, &Rules::WILD, ReadOptions::default().with_vendor_tags(true)).with_run_size(1);
    let (mut writer, mut runs) = (None, 0);
    while let Some(run) = reader.next_run(&mut ()).unwrap() {
        let writer = writer
            .get_or_insert_with(|| RdfWriter::new(Vec::new(), RdfFormat::Turtle, &base(), run.schema()));
        writer.add_run(&run).unwrap();
        runs += 1;
    }
    let turtle = String::from_utf8(writer.expect("a run").finish().unwrap()).unwrap();
    assert!(runs > 1);
    let whole = canonical(triples_of_turtle(&write(FAMILY, RdfFormat::Turtle)));
    assert_eq!(canonical(triples_of_turtle(&turtle)), whole);
}

#[test]
fn damaged_files_are_written_as_valid_graphs() {
    for octets in [
        &b"0 HEAD\n0 @A B>\\@ IN<DI\n1 N\xC3ME \x01\x02\"\\\n1 @X@ \"\n0 TRLR\n"[..],
        b"0 INDI\n5 A\n9 B @x@\n1 \xFF\xFE\n",
        b"0 HEAD\n1 SCHMA\n2 PRFX x y>z/\n2 PRFX http https://e.example/\n2 IRI x:a b\n3 TAG _A elf:Document\n0 _A\n0 TRLR\n",
    ] {
        let turtle = write(octets, RdfFormat::Turtle);
        let json = write(octets, RdfFormat::JsonLd);
        assert_eq!(canonical(triples_of_turtle(&turtle)), canonical(triples_of_json(&json)), "{turtle}");
    }
}
