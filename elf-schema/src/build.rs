//! Builds a schema from the structures of SCHMA. Faults are reported at both their places (J19 §4.2).

use crate::brief::shorten_text;
use crate::budget::Budget;
use crate::definitions::EscapeDefinition;
use crate::definitions::Reference;
use crate::findings::{Finding, Findings, Where};
use crate::ids::TypeId;
use crate::prefix::Prefixes;
use crate::provenance::{Origin, Provenance};
use crate::raw::{Item, Kind, Raw};
use crate::reserved::{is_reserved_everywhere, is_reserved_type, reserved_in};
use crate::schema::Schema;
use crate::term;
use elf_base::{Rules, codes, without_credentials};
use elf_tagged::elf_lines::is_tag;
use elf_tagged::escape::{EscapeDefinitionFault, EscapeTypes, names_default_schema, read_definition};
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// Tags that the serialisation itself defines (J19 §4).
const SERIALISATION_TAGS: &[&str] =
    &["HEAD", "TRLR", "CHAR", "SCHMA", "PRFX", "IRI", "ISA", "TAG", "ESC", "CONT", "CONC", "ERROR", "UNDEF"];

/// The recommended maximum length of a tag in characters (J19 §3.1).
const TAG_LIMIT: usize = 15;

/// Builds a schema from the SCHMA structures of one or more documents.
pub(crate) struct Builder<'a> {
    rules: &'a Rules,
    schema: Schema,
    /// The schema that the definitions are added to, if they are only additions.
    base: Option<&'a Schema>,
    findings: &'a mut Findings,
    /// The prefixes of each document. Prefixes of an external schema apply only in that schema.
    prefixes: Vec<Prefixes>,
    /// Cache: the types of texts in the current document. Most texts name few types many times.
    named: HashMap<Box<str>, TypeId>,
    mentions: Vec<Option<Where>>,
    /// The definitions so far, by the numbers of tag, superstructure and type, to find repeated ones.
    defined: HashMap<u128, Where>,
    supertypes: HashMap<(TypeId, TypeId), Where>,
    escapes: HashMap<Box<str>, (EscapeTypes, Where)>,
    prefix_places: HashMap<(usize, Box<str>), Where>,
    /// The places of tag and supertype definitions, by number.
    places: Vec<Where>,
    edge_places: Vec<Where>,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(rules: &'a Rules, findings: &'a mut Findings) -> Builder<'a> {
        Builder {
            rules,
            schema: Schema::empty(),
            base: None,
            findings,
            prefixes: Vec::new(),
            named: HashMap::new(),
            mentions: Vec::new(),
            defined: HashMap::new(),
            supertypes: HashMap::new(),
            escapes: HashMap::new(),
            prefix_places: HashMap::new(),
            places: Vec::new(),
            edge_places: Vec::new(),
        }
    }

    /// Sets the schema that the definitions are added to. It may define types that they mention.
    pub(crate) fn with_base(mut self, base: Option<&'a Schema>) -> Builder<'a> {
        self.base = base;
        self
    }

    /// Builds the schema of `documents`: first the file, then the external schemas that it refers to.
    pub(crate) fn build(mut self, documents: &[Raw], references: Vec<Reference>) -> Schema {
        self.schema.definitions_mut().references = references;
        // Define all prefixes first: they may be used before they are defined (docs/readings.md, G14).
        for (document, raw) in documents.iter().enumerate() {
            self.prefixes.push(Prefixes::default());
            for item in &raw.items {
                if item.kind == Kind::Prefix {
                    self.add_prefix(document, raw, item);
                }
            }
        }
        for (document, raw) in documents.iter().enumerate() {
            self.add_definitions(document, raw);
        }
        if documents.iter().any(|raw| matches!(raw.origin, Origin::File | Origin::External(_))) {
            self.report_unknown();
            self.report_circles();
            self.report_conflicts();
        }
        self.schema
    }

    fn add_definitions(&mut self, document: usize, raw: &Raw) {
        // The type that ISA and TAG define; `None` under an invalid IRI.
        let mut current: Option<TypeId> = None;
        self.named.clear();
        for item in &raw.items {
            let at = Where { document, at: item.at };
            match &item.kind {
                // Handled above.
                Kind::Prefix | Kind::External => {}
                Kind::Misplaced(message) => self.add_finding(codes::SCHEMA_MALFORMED, at, message.clone()),
                Kind::Escape => self.add_escapes(at, raw, item),
                Kind::Iri => {
                    current = self.find_type_named(at, item.payload.trim_ascii());
                    if let Some(of) = current {
                        self.schema.declare(of, provenance_of(raw, item));
                    }
                }
                Kind::IsA => {
                    let supertype = self.find_type_named(at, item.payload.trim_ascii());
                    if let (Some(of), Some(supertype)) = (current, supertype) {
                        self.add_supertype(at, raw, item, of, supertype);
                    }
                }
                Kind::Tag => self.add_tag(at, raw, item, current),
            }
        }
    }

    fn add_prefix(&mut self, document: usize, raw: &Raw, item: &Item) {
        let at = Where { document, at: item.at };
        let tokens: Vec<&str> = split_tokens(&item.payload).collect();
        let &[prefix, iri] = tokens.as_slice() else {
            let message =
                format!("expected a prefix and an IRI, but found {}", describe_token_count(tokens.len()));
            self.add_finding(codes::PREFIX_MALFORMED, at, message);
            return;
        };
        if !term::is_iri(iri) {
            self.add_finding(codes::IRI_MALFORMED, at, format!("expected an IRI, but found `{iri}`"));
            return;
        }
        let origin = provenance_of(raw, item);
        let first = self.prefix_places.get(&(document, Box::from(prefix))).copied().unwrap_or(at);
        // `build` has added an entry for each document.
        match self.prefixes[document].define(prefix, iri, origin.clone()) {
            Some(there) if *there.iri == *iri => {
                self.report_repeated(at, first, "the prefix has two identical definitions");
            }
            Some(there) => {
                let message =
                    format!("the prefix `{prefix}` is already defined as `{}`", shorten_text(&there.iri));
                let finding = Finding::new(codes::PREFIX_CONFLICT, at, message)
                    .related(first, "first defined here")
                    .help("the first definition is used; rename one of them");
                self.findings.push(finding);
            }
            None => {
                self.prefix_places.insert((document, prefix.into()), at);
                // The definitions of the document come before those of external schemas.
                self.schema.definitions_mut().prefixes.define(prefix, iri, origin);
            }
        }
    }

    fn add_escapes(&mut self, at: Where, raw: &Raw, item: &Item) {
        let mut words = split_tokens(&item.payload);
        let (tag, letters) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let types = match read_definition(&item.payload) {
            Ok((_, types)) => types,
            Err(fault) => {
                let message = match fault {
                    EscapeDefinitionFault::Words(count) => {
                        format!(
                            "expected a tag and letters, such as `ESC DATE D`, but found {}",
                            describe_token_count(count)
                        )
                    }
                    EscapeDefinitionFault::Tag => format!("expected a tag, but found `{tag}`"),
                    EscapeDefinitionFault::Types => {
                        format!("expected capital letters other than U, but found `{letters}`")
                    }
                };
                self.add_finding(codes::ESCAPE_DEFINITION_MALFORMED, at, message);
                return;
            }
        };
        if types.letters().count() < letters.len() {
            let message = format!("`{letters}` contains a letter twice");
            self.add_finding(codes::DEFINITION_REPEATED, at, message);
        }
        match self.escapes.get(tag) {
            Some((first, _)) if *first == types => return,
            Some((_, first)) => {
                let message = format!("the tag {tag} already has an ESC with other letters");
                let finding = Finding::new(codes::ESCAPE_DEFINITION_CONFLICT, at, message)
                    .related(*first, "first defined here")
                    .help("the first definition is used");
                self.findings.push(finding);
                return;
            }
            None => {}
        }
        self.escapes.insert(tag.into(), (types, at));
        let provenance = provenance_of(raw, item);
        self.schema.definitions_mut().escapes.push(EscapeDefinition { tag: tag.into(), types, provenance });
    }

    fn add_supertype(&mut self, at: Where, raw: &Raw, item: &Item, of: TypeId, supertype: TypeId) {
        if let Some(&first) = self.supertypes.get(&(of, supertype)) {
            self.report_repeated(at, first, "the supertype is given twice");
            return;
        }
        self.supertypes.insert((of, supertype), at);
        self.edge_places.push(at);
        self.schema.add_supertype(of, supertype, provenance_of(raw, item));
    }

    fn add_tag(&mut self, at: Where, raw: &Raw, item: &Item, current: Option<TypeId>) {
        let mut tokens = split_tokens(&item.payload);
        let tag = tokens.next().unwrap_or_default();
        if !is_tag(tag) {
            let found = if tag.is_empty() { "nothing".to_owned() } else { format!("`{tag}`") };
            self.add_finding(
                codes::TAG_DEFINITION_MALFORMED,
                at,
                format!("expected a tag of letters, digits and underscores, but found {found}"),
            );
            return;
        }
        let mut contexts = tokens.peekable();
        if contexts.peek().is_none() {
            let message =
                format!("expected the types of the structures that {tag} can be under, but found none");
            self.add_finding(codes::TAG_DEFINITION_MALFORMED, at, message);
            return;
        }
        if is_reserved_everywhere(tag) {
            self.report_reserved(at, format!("the tag {tag} is reserved everywhere"));
            return;
        }
        self.advise_on_tag(at, raw, tag);
        let mut number = None;
        for context in contexts {
            let (Some(of), Some(superstructure)) = (current, self.find_type_named(at, context)) else {
                continue;
            };
            if is_reserved_type(self.schema.known_iri(of), of) {
                self.report_reserved(at, "no structure has this type, so it cannot have a tag".to_owned());
                return;
            }
            // GEDCOM 7 has a different SCHMA in the header.
            if let Some(place) = reserved_in(tag, superstructure)
                .filter(|_| !matches!(raw.origin, Origin::Gedcom70 | Origin::Gedcom71))
            {
                self.report_reserved(at, format!("the tag {tag} is reserved in {place}"));
                continue;
            }
            let number = *number.get_or_insert_with(|| self.schema.intern_tag(tag));
            match self.defined.entry(u128::from(number) << 64 | pack_types(superstructure, of)) {
                Entry::Occupied(first) => {
                    let first = *first.get();
                    self.report_repeated(at, first, "the tag has two identical definitions");
                }
                Entry::Vacant(free) => {
                    free.insert(at);
                    self.schema.add_numbered_definition(number, superstructure, of, provenance_of(raw, item));
                    self.places.push(at);
                }
            }
        }
    }

    /// Reports tags that January 2019 and the declarative draft advise against (J19 §3.1).
    fn advise_on_tag(&mut self, at: Where, raw: &Raw, tag: &str) {
        if !matches!(raw.origin, Origin::File | Origin::External(_)) {
            return;
        }
        if tag.len() > TAG_LIMIT {
            self.add_finding(
                codes::TAG_LONG,
                at,
                format!("the tag {tag} has more than {TAG_LIMIT} characters"),
            );
        }
        // December deprecates the underscore (docs/readings.md, S22).
        if self.rules.schema.mechanism.is_inline()
            && !tag.starts_with('_')
            && !SERIALISATION_TAGS.contains(&tag)
            && !Schema::completed().content().tags.contains(tag)
        {
            let finding = Finding::new(
                codes::TAG_BARE,
                at,
                format!("the tag {tag} is not part of ELF or GEDCOM: it should start with an underscore"),
            )
            .help(format!("write `_{tag}`, which cannot be confused with a tag of the standard"));
            self.findings.push(finding);
        }
    }

    fn report_reserved(&mut self, at: Where, message: String) {
        let finding = Finding::new(codes::TAG_RESERVED, at, message).help("the definition is ignored");
        self.findings.push(finding);
    }

    fn report_repeated(&mut self, at: Where, first: Where, message: &'static str) {
        // An external schema may repeat definitions of the file.
        if at.document == first.document {
            let finding =
                Finding::new(codes::DEFINITION_REPEATED, at, message).related(first, "first defined here");
            self.findings.push(finding);
        }
    }

    /// Returns the type that a text of the document at `at` names, with its prefix expanded.
    fn find_type_named(&mut self, at: Where, text: &str) -> Option<TypeId> {
        if let Some(&of) = self.named.get(text) {
            return Some(of);
        }
        let own = self.prefixes.get(at.document).and_then(|prefixes| prefixes.try_expand(text));
        let expanded = match own {
            Some(expanded) => expanded,
            // The document may use prefixes that its external schemas define.
            None if at.document == 0 => self.schema.content().prefixes.expand(text).into_owned(),
            None => text.to_owned(),
        };
        if !self.schema.content().types.contains_key(&*expanded) {
            if !term::is_iri(&expanded) {
                let found = if text.is_empty() {
                    "nothing".to_owned()
                } else {
                    format!("`{}`", shorten_text(&expanded))
                };
                self.add_finding(codes::IRI_MALFORMED, at, format!("expected an IRI, but found {found}"));
                return None;
            }
            if !term::survives_uri(&expanded) {
                let finding = Finding::new(
                    codes::IRI_NOT_A_TERM,
                    at,
                    format!("`{}` changes if it is converted to a URI and back", shorten_text(&expanded)),
                )
                .help("write the characters themselves, not percent-encodings");
                self.findings.push(finding);
            }
        }
        let of = self.schema.intern(&expanded);
        if self.mentions.len() <= of.index() {
            self.mentions.resize(of.index() + 1, None);
        }
        self.mentions[of.index()].get_or_insert(at);
        self.named.insert(text.into(), of);
        Some(of)
    }

    fn add_finding(&mut self, code: elf_base::Code, at: Where, message: impl Into<Cow<'static, str>>) {
        self.findings.push(Finding::new(code, at, message));
    }

    /// Reports types that are mentioned but never declared. Most of them are misspelled.
    fn report_unknown(&mut self) {
        if self.schema.content().references.iter().any(|reference| !reference.at_hand) {
            return;
        }
        for (index, mention) in self.mentions.iter().enumerate() {
            let of = TypeId::of(index);
            let (Some(at), Some(iri)) = (mention, self.schema.iri(of)) else { continue };
            let is_in_base = || self.base.is_some_and(|base| base.type_of(iri).is_some());
            if self.schema.declared(of).is_some() || is_reserved_type(iri, of) || is_in_base() {
                continue;
            }
            let message = format!("undefined type `{}`", shorten_text(iri));
            let mut finding = Finding::new(codes::TYPE_UNKNOWN, *at, message);
            // The text is a valid IRI, because any word before a colon can be a scheme, but the author probably means a
            // prefix.
            if let Some((prefix, rest)) = iri.split_once(':')
                && !rest.starts_with("//")
                && !matches!(prefix, "urn" | "tag")
            {
                finding = finding
                    .help(format!("`{}` looks like a prefix, but no PRFX defines it", shorten_text(prefix)));
            }
            self.findings.push(finding);
        }
    }

    fn report_circles(&mut self) {
        let circles = self.schema.circles();
        // The circle that each type is in.
        let mut circle_of: HashMap<TypeId, usize> = HashMap::new();
        for (number, circle) in circles.iter().enumerate() {
            circle_of.extend(circle.iter().map(|&of| (of, number)));
        }
        let mut edges: Vec<Option<(Where, Where)>> = vec![None; circles.len()];
        for (edge, at) in self.schema.content().supertypes.iter().zip(&self.edge_places) {
            let Some(&number) = circle_of.get(&edge.subtype) else { continue };
            if circle_of.get(&edge.supertype) == Some(&number) {
                edges[number].get_or_insert((*at, *at)).1 = *at;
            }
        }
        for (circle, edges) in circles.iter().zip(edges) {
            let Some((first, last)) = edges else { continue };
            let mut names: Vec<String> = circle.iter().take(3).map(|&of| self.shorten_iri(of)).collect();
            if circle.len() > names.len() {
                names.push(format!("{} more", circle.len() - names.len()));
            }
            let finding = match names.as_slice() {
                [name] => Finding::new(codes::SUPERTYPE_CYCLE, last, format!("{name} is its own supertype")),
                _ => {
                    let message = format!("circle of supertypes: {}", names.join(", "));
                    Finding::new(codes::SUPERTYPE_CYCLE, last, message)
                        .related(first, "the circle starts here")
                        .help("each of them is read as a supertype of the others")
                }
            };
            self.findings.push(finding);
        }
    }

    fn report_conflicts(&mut self) {
        let mut budget = Budget::with_steps(Budget::CONFLICTS);
        for conflict in self.schema.conflicts_within(&mut budget) {
            let places = conflict.definitions.iter().filter_map(|&number| self.places.get(number as usize));
            let mut places: Vec<Where> = places.copied().collect();
            // The author can only fix the file itself, so report the last definition there.
            places.sort_by_key(|at| (at.document > 0, at.document, std::cmp::Reverse(at.at.span.start)));
            let Some((at, others)) = places.split_first() else { continue };
            let mut names: Vec<String> = conflict.types.iter().map(|&of| self.shorten_iri(of)).collect();
            names.sort_unstable();
            let message = format!(
                "{} under {} is defined as {}, so it has no type",
                self.schema.tag(conflict.tag),
                self.shorten_iri(conflict.superstructure),
                join_names(&names),
            );
            let mut finding = Finding::new(codes::TAG_CONFLICT, *at, message);
            for other in others.iter().take(NAMED) {
                let label = if others.len() == 1 { "the other type here" } else { "another type here" };
                finding = finding.related(*other, label);
            }
            self.findings.push(finding);
        }
        if budget.is_spent() {
            let at = self.places.first().or(self.edge_places.first()).copied();
            if let Some(at) = at {
                self.add_finding(
                    codes::SCHEMA_TOO_LARGE,
                    at,
                    "the schema has too many supertypes to find all conflicts",
                );
            }
        }
    }

    fn shorten_iri(&self, of: TypeId) -> String {
        let iri = self.schema.known_iri(of);
        shorten_text(&self.schema.content().prefixes.shorten(iri)).into_owned()
    }
}

/// Returns the external schemas that `raw` refers to, and reports invalid references.
pub(crate) fn collect_references(raw: &Raw, rules: &Rules, findings: &mut Findings) -> Vec<Reference> {
    let mut references: Vec<Reference> = Vec::new();
    let mut seen: HashSet<&str> = HashSet::new();
    for item in raw.items.iter().filter(|item| item.kind == Kind::External) {
        let at = Where { document: 0, at: item.at };
        let iri = item.payload.trim_ascii();
        if !rules.schema.mechanism.may_refer() {
            let message = "expected PRFX, IRI or ESC in a schema, but found SCHMA";
            findings.push(Finding::new(codes::SCHEMA_MALFORMED, at, message));
            continue;
        }
        if !term::is_iri(iri) {
            let named = without_credentials(iri);
            let message = format!("expected the IRI of a schema, but found `{}`", shorten_text(&named));
            findings.push(Finding::new(codes::IRI_MALFORMED, at, message));
            continue;
        }
        if !seen.insert(iri) {
            let message = "two references to the same external schema";
            findings.push(Finding::new(codes::DEFINITION_REPEATED, at, message));
            continue;
        }
        let provenance = provenance_of(raw, item);
        references.push(Reference { iri: Arc::from(iri), provenance, at_hand: names_default_schema(iri) });
    }
    references
}

/// Packs two types into one number, which is faster to hash.
fn pack_types(superstructure: TypeId, of: TypeId) -> u128 {
    u128::from(superstructure.0) << 32 | u128::from(of.0)
}

fn provenance_of(raw: &Raw, item: &Item) -> Provenance {
    Provenance { origin: raw.origin.clone(), place: Some(item.at.place) }
}

/// Splits a payload at whitespace (Basic Concepts §2.2).
fn split_tokens(payload: &str) -> impl Iterator<Item = &str> {
    payload.split([' ', '\t', '\n', '\r']).filter(|token| !token.is_empty())
}

fn describe_token_count(tokens: usize) -> String {
    match tokens {
        0 => "nothing".to_owned(),
        1 => "one word".to_owned(),
        _ => format!("{tokens} words"),
    }
}

const NAMED: usize = 8;

fn join_names(names: &[String]) -> String {
    let (named, rest) = names.split_at(names.len().min(NAMED));
    match (named, rest.len()) {
        ([one, other], 0) => format!("both {one} and {other}"),
        ([all @ .., last], 0) => format!("{} and {last}", all.join(", ")),
        (named, more) => format!("{} and {more} more", named.join(", ")),
    }
}
