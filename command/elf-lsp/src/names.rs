//! Finds names of records that people understand.

use elf_base::Excerpt;
use elf_lineage::PersonName;
use elf_schema::Node;

/// The maximum length of a name in characters.
const LONGEST: usize = 60;

/// The tags of substructures that name a record, with the most likely first.
const TITLES: [&str; 5] = ["NAME", "TITL", "ABBR", "FILE", "TEXT"];

/// Returns the name of a record: the name of a person, the names of a couple, a title, or the start
/// of a note. Returns `None` if the record has none of these.
pub(crate) fn name_of(record: Node<'_>) -> Option<String> {
    if record.tag() == "FAM" {
        let partners = ["HUSB", "WIFE"].into_iter().flat_map(|tag| record.substructures_tagged(tag));
        let names: Vec<String> = partners.filter_map(Node::target).filter_map(name_of_person).collect();
        return (!names.is_empty()).then(|| names.join(" & "));
    }
    name_of_person(record).or_else(|| title_of(record))
}

/// Returns the first name that is not empty.
fn name_of_person(record: Node<'_>) -> Option<String> {
    let names = record.substructures_tagged("NAME");
    let mut names = names.map(|name| PersonName::of(name, std::iter::empty()).text);
    names.find(|name| !name.is_empty()).map(|name| shorten(&name))
}

/// Returns a title, or the first line of the payload.
fn title_of(record: Node<'_>) -> Option<String> {
    let titles = TITLES.into_iter().filter_map(|tag| record.substructure(tag)).map(Node::text);
    let mut texts = titles.chain(std::iter::once(record.text()));
    texts.find_map(|text| text.lines().map(str::trim).find(|line| !line.is_empty()).map(shorten))
}

fn shorten(text: &str) -> String {
    Excerpt::start(text, LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::Document;

    #[test]
    fn records_have_names() {
        let file = "0 HEAD\n0 @I1@ INDI\n1 NAME //\n1 NAME Ada /King/\n0 @F1@ FAM\n1 HUSB @I2@\n1 WIFE @I1@\n\
            0 @I2@ INDI\n1 NAME William /King/\n0 @S1@ SOUR\n1 TITL Register\n2 CONT of births\n\
            0 @N1@ NOTE\n1 CONT\n1 CONT A note\n0 @X1@ _X\n0 TRLR\n";
        let document = Document::parse(file.as_bytes()).expect("a document");
        let names: Vec<Option<String>> = document.records().map(name_of).collect();
        let expected = [
            Some("Ada King"),
            Some("William King & Ada King"),
            Some("William King"),
            Some("Register"),
            Some("A note"),
            None,
        ];
        assert_eq!(names, expected.map(|name| name.map(str::to_owned)));
    }
}
