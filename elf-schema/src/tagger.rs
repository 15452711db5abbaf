//! Finds the tag of a type by the type of its superstructure (J19 §3.2).

use crate::budget::Budget;
use crate::definitions::TagDefinition;
use crate::ids::TypeId;
use crate::provenance::Provenance;
use crate::schema::Schema;
use crate::term;
use elf_base::{Code, codes};
use elf_tagged::elf_lines::is_tag;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The recommended maximum length of a tag in characters (J19 §3.1).
const TAG_LIMIT: usize = 15;

/// Finds tags for types that are to be written, and defines new tags if there are none.
///
/// Structures of the same type get the same tag if possible: first a tag of the default schema, then the tag that was
/// chosen before, then the one defined first. The resulting schema has all definitions that the chosen tags need.
///
/// ```
/// use elf_schema::{Schema, Tagger, vocabulary::elf};
///
/// let mut tagger = Tagger::new(Schema::published());
/// assert_eq!(&*tagger.tag(elf::INDIVIDUAL_RECORD, elf::BIRTH)?, "BIRT");
/// assert_eq!(&*tagger.tag(elf::INDIVIDUAL_RECORD, "https://e.example/Shoe")?, "_SHOE");
/// let schema = tagger.into_schema();
/// assert_eq!(schema.tags_of("https://e.example/Shoe", elf::INDIVIDUAL_RECORD), ["_SHOE"]);
/// # Ok::<(), elf_schema::TagError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tagger {
    schema: Schema,
    chosen: HashMap<(TypeId, TypeId), Arc<str>>,
    /// The first tag chosen for each type.
    usual: HashMap<TypeId, Arc<str>>,
    avoided: HashSet<Box<str>>,
    index: Index,
    /// The last superstructure type asked for, with all its supertypes.
    above: (TypeId, Vec<TypeId>),
    /// The last number of an invented tag, by the text before it.
    numbers: HashMap<String, u32>,
    budget: Budget,
}

/// An index of definitions. Without it, a file with many types would take quadratic time.
#[derive(Clone, Debug, Default)]
struct Index {
    /// The definitions by type and superstructure.
    of: HashMap<(TypeId, TypeId), Vec<u32>>,
    /// The type of a tag in a superstructure; [`TypeId::NONE`] if definitions conflict.
    types: HashMap<(u32, TypeId), TypeId>,
    /// The first definitions of each type, and of each tag.
    by_type: HashMap<TypeId, Vec<u32>>,
    by_tag: HashMap<u32, Vec<u32>>,
    /// The type in all definitions of a tag; [`TypeId::NONE`] if they differ.
    only: HashMap<u32, TypeId>,
}

/// How many definitions are tried to find a tag that a type has elsewhere.
const TRIED: usize = 16;

/// A tag with more definitions than this is not defined for another type.
const RIVALS: usize = 64;

impl Index {
    fn add(&mut self, number: u32, one: &TagDefinition) {
        self.of.entry((one.structure_type, one.superstructure)).or_default().push(number);
        for types in [
            self.types.entry((one.tag, one.superstructure)).or_insert(one.structure_type),
            self.only.entry(one.tag).or_insert(one.structure_type),
        ] {
            if *types != one.structure_type {
                *types = TypeId::NONE;
            }
        }
        let by_type = self.by_type.entry(one.structure_type).or_default();
        if by_type.len() < TRIED {
            by_type.push(number);
        }
        let by_tag = self.by_tag.entry(one.tag).or_default();
        if by_tag.len() <= RIVALS {
            by_tag.push(number);
        }
    }

    /// Returns the type of a tag under a type with these supertypes, if definitions agree.
    fn resolve(&self, tag: u32, above: &[TypeId]) -> Option<TypeId> {
        let mut types = above.iter().filter_map(|above| self.types.get(&(tag, *above)).copied());
        let first = types.next()?;
        (first != TypeId::NONE && types.all(|other| other == first)).then_some(first)
    }
}

/// Why a structure cannot have a tag.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagError {
    /// No structure can have the type (J19 §3.2).
    #[error("no structure can have the type `{iri}`")]
    NoStructure {
        /// The type.
        iri: String,
    },
    /// The type is not an IRI, or changes if it is converted to a URI and back.
    #[error("`{iri}` is not a term")]
    NoTerm {
        /// The invalid IRI.
        iri: String,
    },
    /// The structure is undefined, but its tag is defined at this place, so readers would give it that type (J19
    /// §3.2).
    #[error("{tag} would be read back as `{read_as}`")]
    Claimed {
        /// The tag.
        tag: String,
        /// The type it would be read back as.
        read_as: String,
    },
}

impl TagError {
    /// Returns the code of the finding.
    pub const fn code(&self) -> Code {
        match self {
            TagError::NoStructure { .. } | TagError::NoTerm { .. } => codes::TYPE_CANNOT_BE_WRITTEN,
            TagError::Claimed { .. } => codes::TAG_CLAIMED,
        }
    }
}

impl Tagger {
    /// Creates a tagger that starts with `schema`.
    pub fn new(schema: &Schema) -> Tagger {
        let mut index = Index::default();
        for (number, one) in schema.content().definitions.iter().enumerate() {
            index.add(TypeId::of(number).0, one);
        }
        Tagger {
            index,
            above: (TypeId::NONE, Vec::new()),
            numbers: HashMap::new(),
            schema: schema.clone(),
            chosen: HashMap::new(),
            usual: HashMap::new(),
            avoided: HashSet::new(),
            budget: Budget::with_steps(Budget::LOOKUPS),
        }
    }

    /// Prevents a tag from being used for new definitions, because the dataset has undefined structures with it (J19
    /// §3.2). Call this before the first tag is requested.
    pub fn avoid(&mut self, tag: &str) {
        if !self.avoided.contains(tag) {
            self.avoided.insert(tag.into());
        }
    }

    /// Makes a type a subtype of another one, both given by IRI, unless it already is. Call this before the first tag
    /// is requested.
    ///
    /// # Errors
    ///
    /// [`TagError::NoTerm`] if an IRI is not a term.
    ///
    /// ```
    /// use elf_schema::{Schema, Tagger, vocabulary::elf};
    ///
    /// let mut tagger = Tagger::new(Schema::published());
    /// tagger.add_supertype("https://e.example/Peal", elf::EVENT)?;
    /// // What may stand in an event may stand in it.
    /// assert_eq!(&*tagger.tag("https://e.example/Peal", elf::DATE_VALUE)?, "DATE");
    /// # Ok::<(), elf_schema::TagError>(())
    /// ```
    pub fn add_supertype(&mut self, subtype: &str, supertype: &str) -> Result<(), TagError> {
        let (below, above) = (self.type_of_known_iri(subtype)?, self.type_of_known_iri(supertype)?);
        if !self.schema.supertypes(below).any(|(known, _)| known == above) {
            let provenance = Provenance::MADE;
            self.schema.declare(below, provenance.clone());
            self.schema.add_supertype(below, above, provenance);
        }
        Ok(())
    }

    /// Returns the tag of a structure of the type `structure_type` under the type `superstructure`, both given by
    /// IRI. The superstructure of records is `elf:Document`, that of metadata `elf:Metadata`.
    ///
    /// # Errors
    ///
    /// A [`TagError`] if no structure can have the type, or if an undefined tag is defined there. In the latter case,
    /// use its own tag.
    pub fn tag(&mut self, superstructure: &str, structure_type: &str) -> Result<Arc<str>, TagError> {
        let above = self.type_of_known_iri(superstructure)?;
        let of = self.type_of_known_iri(structure_type)?;
        if let Some(tag) = self.chosen.get(&(above, of)) {
            return Ok(Arc::clone(tag));
        }
        let tag = match term::undefined_tag(structure_type) {
            Some(tag) => self.tag_of_undefined(above, of, tag)?,
            None if of <= TypeId::UNDEFINED => {
                return Err(TagError::NoStructure { iri: structure_type.to_owned() });
            }
            None => match self.find_defined_tag(above, of).or_else(|| self.extension_tag(above, of)) {
                Some(tag) => tag,
                None => self.define_new_tag(above, of, structure_type),
            },
        };
        self.usual.entry(of).or_insert_with(|| Arc::clone(&tag));
        self.chosen.insert((above, of), Arc::clone(&tag));
        Ok(tag)
    }

    /// Returns the tag of a structure like [`tag`](Tagger::tag), but prefers `own`, the current tag of the structure,
    /// if it has the right type there or can be defined.
    ///
    /// # Errors
    ///
    /// The same as [`tag`](Tagger::tag).
    ///
    /// ```
    /// use elf_schema::{Schema, Tagger, vocabulary::elf};
    ///
    /// let mut tagger = Tagger::new(Schema::published());
    /// let peal = "https://e.example/FirstPeal";
    /// assert_eq!(&*tagger.tag_or_own(elf::INDIVIDUAL_RECORD, peal, "_PEAL")?, "_PEAL");
    /// # Ok::<(), elf_schema::TagError>(())
    /// ```
    pub fn tag_or_own(
        &mut self,
        superstructure: &str,
        structure_type: &str,
        own: &str,
    ) -> Result<Arc<str>, TagError> {
        let above = self.type_of_known_iri(superstructure)?;
        let of = self.type_of_known_iri(structure_type)?;
        if term::undefined_tag(structure_type).is_some() || of <= TypeId::UNDEFINED {
            return self.tag(superstructure, structure_type);
        }
        self.prepare_supertypes(above);
        let number = self.schema.tag_number(own);
        if number.and_then(|number| self.index.resolve(number, &self.above.1)) == Some(of)
            || self.schema.extension_tags_of(of, above).any(|tag| tag == own)
        {
            return Ok(Arc::from(own));
        }
        let has_tag = self.chosen.contains_key(&(above, of))
            || self.find_defined_tag(above, of).is_some()
            || self.extension_tag(above, of).is_some();
        if has_tag || !is_tag(own) || !self.may_be_defined(own, number, above, of) {
            return self.tag(superstructure, structure_type);
        }
        self.add_definition(own, above, of);
        let tag: Arc<str> = Arc::from(own);
        self.usual.entry(of).or_insert_with(|| Arc::clone(&tag));
        self.chosen.insert((above, of), Arc::clone(&tag));
        Ok(tag)
    }

    /// Returns the schema with the definitions so far.
    pub const fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Returns the schema with the new definitions.
    pub fn into_schema(self) -> Schema {
        self.schema
    }

    fn type_of_known_iri(&mut self, iri: &str) -> Result<TypeId, TagError> {
        match self.schema.type_of(iri) {
            Some(of) => Ok(of),
            None if term::is_iri(iri) && term::survives_uri(iri) => Ok(self.schema.intern(iri)),
            None => Err(TagError::NoTerm { iri: iri.to_owned() }),
        }
    }

    /// Returns the tag of an undefined tag identifier, if it is undefined there.
    fn tag_of_undefined(&mut self, above: TypeId, of: TypeId, tag: &str) -> Result<Arc<str>, TagError> {
        self.prepare_supertypes(above);
        let number = self.schema.tag_number(tag);
        match number.and_then(|number| self.index.resolve(number, &self.above.1)) {
            Some(found) if found != of => Err(TagError::Claimed {
                tag: tag.to_owned(),
                read_as: self.schema.known_iri(found).to_owned(),
            }),
            _ => Ok(Arc::from(tag)),
        }
    }

    fn prepare_supertypes(&mut self, of: TypeId) {
        if self.above.0 == of {
            return;
        }
        let mut above = Vec::new();
        for one in self.schema.eventual_supertypes(of) {
            // If the schema is too large, only the nearest types are visited, so more tags than necessary may be
            // created.
            if !self.budget.spend(1) && !above.is_empty() {
                break;
            }
            above.push(one);
        }
        self.above = (of, above);
    }

    /// Returns the best existing tag for the type there.
    fn find_defined_tag(&mut self, above: TypeId, of: TypeId) -> Option<Arc<str>> {
        self.prepare_supertypes(above);
        let supertypes = &self.above.1;
        let mut numbers: Vec<u32> = supertypes
            .iter()
            .filter_map(|above| self.index.of.get(&(of, *above)))
            .flatten()
            .copied()
            .collect();
        numbers.sort_unstable();
        let definitions = numbers.into_iter().map(|number| self.schema.content().definition(number));
        let tags: Vec<&str> = definitions
            .filter(|one| self.index.resolve(one.tag, supertypes) == Some(of))
            .map(|one| self.schema.tag(one.tag))
            .collect();
        let usual = self.usual.get(&of).map(|tag| &**tag);
        let standard = match (self.schema.iri(of), self.schema.iri(above)) {
            (Some(of), Some(above)) => Schema::completed().tags_of(of, above),
            _ => Vec::new(),
        };
        let standard: Vec<&str> = standard.into_iter().filter(|tag| tags.contains(tag)).collect();
        let pick = |from: &[&str]| -> Option<Arc<str>> {
            let usual = from.iter().find(|tag| Some(**tag) == usual);
            usual.or(from.first()).map(|tag| Arc::from(*tag))
        };
        pick(&standard).or_else(|| pick(&tags))
    }

    /// Returns the extension tag of a type there. Tags of the header come first.
    fn extension_tag(&self, above: TypeId, of: TypeId) -> Option<Arc<str>> {
        self.schema.extension_tags_of(of, above).next().map(Arc::from)
    }

    fn define_new_tag(&mut self, above: TypeId, of: TypeId, iri: &str) -> Arc<str> {
        // All definitions of a type should use the same tag (J19 §3.2).
        let own = self.index.by_type.get(&of).into_iter().flatten();
        let mut own = own.map(|&number| self.schema.content().definition(number));
        let own = own
            .find(|one| self.may_be_reused(one.tag, above, of))
            .map(|one| self.schema.tag(one.tag).to_owned());
        let tag = own.unwrap_or_else(|| self.invent_tag(iri));
        self.add_definition(&tag, above, of);
        Arc::from(tag)
    }

    fn add_definition(&mut self, tag: &str, above: TypeId, of: TypeId) {
        let provenance = Provenance::MADE;
        self.schema.declare(of, provenance.clone());
        let number = TypeId::of(self.schema.content().definitions.len()).0;
        self.schema.add_definition(tag, above, of, provenance);
        if let Some(one) = self.schema.content().definitions.last() {
            self.index.add(number, one);
        }
    }

    /// Returns whether a tag may be defined for a type there. `number` is that of the tag, if it is in use.
    fn may_be_defined(&self, tag: &str, number: Option<u32>, above: TypeId, of: TypeId) -> bool {
        match number {
            Some(number) => self.may_be_reused(number, above, of),
            None => !self.is_reserved(tag, above),
        }
    }

    /// Invents a tag that is not in use: an underscore, the last part of the IRI, and a number if necessary.
    fn invent_tag(&mut self, iri: &str) -> String {
        let name = iri.rsplit(['#', '/', ':']).find(|part| !part.is_empty()).unwrap_or_default();
        let mut stem = String::from("_");
        stem.extend(
            name.chars().filter(|c| is_tag(c.encode_utf8(&mut [0; 4]))).map(|c| c.to_ascii_uppercase()),
        );
        if stem.len() == 1 {
            stem.push('X');
        }
        stem.truncate(TAG_LIMIT);
        let number = self.numbers.entry(stem.clone()).or_insert(0);
        loop {
            *number += 1;
            let mut tag = stem.clone();
            if *number > 1 {
                let digits = number.to_string();
                tag.truncate(TAG_LIMIT.saturating_sub(digits.len()));
                tag.push_str(&digits);
            }
            if !self.schema.content().tags.contains(&*tag) && !self.avoided.contains(&*tag) {
                return tag;
            }
        }
    }

    fn is_reserved(&self, tag: &str, above: TypeId) -> bool {
        match tag {
            "CONT" | "CONC" | "ERROR" | "UNDEF" => true,
            "HEAD" | "TRLR" => above == TypeId::DOCUMENT,
            "CHAR" | "SCHMA" => above == TypeId::METADATA,
            _ => self.avoided.contains(tag),
        }
    }

    /// Returns whether a tag that a type has elsewhere may be defined for it there. It must not be reserved there, and
    /// no other type may have it under a type to which both definitions would apply (J19 §3.1.2, §3.2).
    fn may_be_reused(&self, tag: u32, above: TypeId, of: TypeId) -> bool {
        if self.is_reserved(self.schema.tag(tag), above) {
            return false;
        }
        if self.index.only.get(&tag) == Some(&of) {
            return true;
        }
        let all = self.index.by_tag.get(&tag).map_or(&[][..], Vec::as_slice);
        if all.len() > RIVALS {
            return false;
        }
        let all = all.iter().map(|&number| self.schema.content().definition(number));
        let mut rivals = all.filter(|one| one.structure_type != of).map(|one| one.superstructure);
        let below: HashSet<TypeId> = self.schema.eventual_subtypes(above).collect();
        !rivals.any(|rival| self.schema.eventual_subtypes(rival).any(|of| below.contains(&of)))
    }
}
