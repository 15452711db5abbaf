//! Counts structures that will have another type when the output is read.

use super::shapes::entry_above;
use crate::column::TypeColumn;
use crate::ids::TypeId;
use crate::resolve::Resolver;
use crate::term;
use elf_base::{Excerpt, Place};
use elf_tagged::{Document, Node};
use indexmap::IndexMap;

/// The lost types, by type, tag, and the type that will be read instead.
#[derive(Debug, Default)]
pub(super) struct TypesLost {
    met: IndexMap<Change, LostType>,
}

/// The type, the tag, and the type that will be read instead.
type Change = (Box<str>, Box<str>, Box<str>);

/// The first place and the number of structures that lose a type.
#[derive(Debug)]
struct LostType {
    first: (Place, Option<Excerpt>),
    count: u64,
}

impl TypesLost {
    /// Adds a structure of type `iri` that is written with `tag` and will be read as `becomes`.
    pub(super) fn add_structure(&mut self, node: Node<'_>, tag: &str, iri: &str, becomes: &str) {
        let key = (Box::from(iri), Box::from(tag), Box::from(becomes));
        match self.met.get_mut(&key) {
            Some(loss) => loss.count += 1,
            None => {
                let (mut locator, span) = (node.document().locator(), node.tag_span());
                let first = (locator.place(span), locator.excerpt(span));
                self.met.insert(key, LostType { first, count: 1 });
            }
        }
    }

    /// Adds the structures of a run whose type in `column` differs from the one that `output` will find, including
    /// structures that have a type in only one of them.
    pub(super) fn add_changed_types(
        &mut self,
        run: &Document<'_>,
        column: &TypeColumn,
        source: &Resolver,
        output: &mut Resolver,
    ) {
        let mut read: Vec<TypeId> = vec![TypeId::UNDEFINED; run.len()];
        // Drafts that have versions write GEDC anew, whatever type it had as data.
        let gedc = run.head().and_then(|head| head.lines().find(|line| line.tag() == "GEDC"));
        let is_version =
            |node: Node<'_>| gedc.is_some_and(|gedc| (gedc.id()..gedc.subtree_end()).contains(&node.id()));
        for node in run.structures() {
            let index = node.id().index();
            let found = output.resolve(entry_above(run, node, &read, |of| of), node.tag());
            read[index] = found;
            let is = column.get(index).and_then(|of| source.iri(of)).unwrap_or_default();
            let becomes = output.iri(found).unwrap_or("nothing");
            let is_new = term::undefined_tag(is).is_some();
            if is != becomes && !is.is_empty() && !(is_new && is_version(node)) {
                self.add_structure(node, node.tag(), is, becomes);
            }
        }
    }

    /// Returns a sentence for each type, tag and new type, with its first place, in the order of the document.
    pub(super) fn into_sentences(self) -> impl Iterator<Item = (String, (Place, Option<Excerpt>))> {
        self.met.into_iter().map(|((iri, tag, becomes), LostType { first, count })| {
            let sentence = if term::undefined_tag(&iri).is_some() {
                format!("{tag} has no type, but readers will give it the type {becomes}")
            } else {
                format!("{tag} has the type {iri}, but readers will give it the type {becomes}")
            };
            match count {
                1 => (sentence, first),
                _ => (format!("{sentence} ({count} structures)"), first),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_base::Rules;
    use elf_tagged::Options;

    #[test]
    fn a_type_that_becomes_several_others_is_counted_by_each() {
        let octets = b"0 HEAD\n0 INDI\n1 _T a\n0 FAM\n1 _T b\n1 _T c\n0 TRLR\n";
        let document = elf_tagged::read(octets, &Rules::WILD, &Options::default(), &mut ()).unwrap();
        let mut lost = TypesLost::default();
        for node in document.structures().filter(|node| node.tag() == "_T") {
            let becomes = if node.text() == "a" { "elf:One" } else { "elf:Other" };
            lost.add_structure(node, "_T", "ex:A", becomes);
        }
        let said: Vec<(String, u64)> =
            lost.into_sentences().map(|(sentence, (place, _))| (sentence, place.line)).collect();
        assert_eq!(
            said,
            [
                ("_T has the type ex:A, but readers will give it the type elf:One".to_owned(), 3),
                (
                    "_T has the type ex:A, but readers will give it the type elf:Other (2 structures)"
                        .to_owned(),
                    5
                ),
            ]
        );
    }
}
