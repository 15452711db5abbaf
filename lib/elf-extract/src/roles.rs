//! Finds the roles of structures: person, family, name, sex and so on.

use crate::names::{NamePart, NameTypes};
use elf_lineage::{is_notice_of_privacy, restriction_tags, restricts_readers};
use elf_schema::elf_values::DateValue;
use elf_schema::{Counterpart, Counterparts, Datatype, Document, Node, Role, TypedDocument};
use std::collections::HashSet;

/// The tag of definitions of kinds of events. Legacy writes them as records or in the header.
const KIND_DEFINITION: &str = "_EVENT_DEFN";

/// The tags of facts whose kind is only in their TYPE.
const FACTS_OF_A_KIND: [&str; 3] = ["EVEN", "FACT", "_ATTR"];

/// Finds the roles of structures in a typed document.
#[derive(Debug)]
pub(crate) struct RoleFinder<'d> {
    typed: &'d TypedDocument<'d>,
    counterparts: Counterparts,
    names: NameTypes,
    /// The tags of restriction notices other than RESN.
    restriction_tags: HashSet<&'d str>,
    /// The names of the kinds of facts that their definitions mark as private, in lower case.
    private_kinds: HashSet<String>,
}

impl<'d> RoleFinder<'d> {
    pub(crate) fn of(typed: &'d TypedDocument<'d>) -> RoleFinder<'d> {
        RoleFinder {
            typed,
            counterparts: Counterparts::of(typed.schema()),
            names: NameTypes::of(typed),
            restriction_tags: restriction_tags(typed),
            private_kinds: private_kinds(typed.document()),
        }
    }

    /// Returns whether a structure is private or confidential, or about somebody living: a direct substructure says so,
    /// or the definition of its kind.
    pub(crate) fn is_private(&self, node: Node<'_>) -> bool {
        node.substructures().any(|below| is_notice_of_privacy(below) || self.is_restriction(below))
            || self.is_of_private_kind(node)
    }

    fn is_of_private_kind(&self, node: Node<'_>) -> bool {
        !self.private_kinds.is_empty()
            && FACTS_OF_A_KIND.contains(&node.tag())
            && node.substructures_tagged("TYPE").any(|kind| self.private_kinds.contains(&normal_kind(kind)))
    }

    /// Returns the tags of restriction notices other than RESN.
    pub(crate) fn restriction_tags(&self) -> impl Iterator<Item = &'d str> {
        self.restriction_tags.iter().copied()
    }

    /// Returns whether a structure is a restriction notice with a tag other than RESN.
    fn is_restriction(&self, node: Node<'_>) -> bool {
        self.restriction_tags.contains(node.tag()) && restricts_readers(&node.text())
    }

    pub(crate) const fn document(&self) -> &'d Document<'d> {
        self.typed.document()
    }

    pub(crate) fn counterpart_of_record(&self, record: Node<'_>) -> Counterpart {
        self.counterpart_under(Counterpart::DOCUMENT, record)
    }

    /// Returns the role of a substructure. `of_record` is the counterpart of its record.
    pub(crate) fn role(&self, of_record: Counterpart, node: Node<'_>) -> Option<Role> {
        self.counterpart_under(of_record, node).role()
    }

    /// Returns what a structure in a person's record, or under a name, says about the names of the person.
    pub(crate) fn name_part(&self, node: Node<'_>) -> Option<NamePart> {
        self.names.part(self.typed, node)
    }

    /// Returns whether a text is a date without words in parentheses, a language, or one of the words that a standard lists
    /// for its structure: a word in it is not a name.
    pub(crate) fn is_listed_word(&self, node: Node<'_>, text: &str) -> bool {
        let is_date = || !text.contains('(') && DateValue::parse(text.trim()).is_ok();
        match node.tag() {
            "DATE" => return is_date(),
            "LANG" => return true,
            _ => {}
        }
        let Some(of) = self.typed.type_id(node) else { return false };
        match self.typed.schema().datatype(of) {
            Datatype::DateValue | Datatype::DatePeriod | Datatype::DateExact => is_date(),
            Datatype::Gedcom70(_) | Datatype::Language => true,
            Datatype::Word(words) => words.iter().any(|word| word.eq_ignore_ascii_case(text.trim())),
            Datatype::Age
            | Datatype::Time
            | Datatype::PersonalName
            | Datatype::Latitude
            | Datatype::Longitude
            | Datatype::List
            | Datatype::Integer
            | Datatype::Text => false,
        }
    }

    pub(crate) fn type_of(&self, node: Node<'_>) -> Option<&'d str> {
        self.typed.type_of(node)
    }

    fn counterpart_under(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        self.counterparts.find(above, node.tag(), self.typed.type_id(node), || self.typed.type_of(node))
    }
}

/// Returns the names of the kinds of facts whose definitions have a notice of privacy, such as `_CONF_FLAG` of Legacy.
fn private_kinds(document: &Document<'_>) -> HashSet<String> {
    let definitions = document.records().chain(document.head().into_iter().flat_map(Node::substructures));
    let private = definitions
        .filter(|node| node.tag() == KIND_DEFINITION && node.substructures().any(is_notice_of_privacy));
    let names = private.flat_map(|node| std::iter::once(node).chain(node.substructures_tagged("TITL")));
    names.map(normal_kind).filter(|name| !name.is_empty()).collect()
}

/// Returns the name of a kind in lower case: programs differ in capitals.
fn normal_kind(node: Node<'_>) -> String {
    node.text().trim().to_lowercase()
}
