//! The people of a file: persons with their facts and relatives, families and sources.

mod hidden;
mod read;

use elf_lineage::LivingRule;

pub(crate) use hidden::HiddenLines;
pub(crate) use read::read_people;

/// Settings for the people in a report.
///
/// ```
/// use elf_lineage::LivingRule;
/// use elf_report::page::PeopleOptions;
///
/// let options = PeopleOptions::hiding_living(LivingRule::on(2_461_367));
/// assert!(options.living.is_some() && PeopleOptions::everybody().living.is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeopleOptions {
    /// The rule that decides who may be living. These people are hidden as in a
    /// [redaction](https://docs.rs/elf-extract). `None` if nobody is hidden.
    pub living: Option<LivingRule>,
}

impl PeopleOptions {
    /// Shows everybody, including living people.
    pub const fn everybody() -> PeopleOptions {
        PeopleOptions { living: None }
    }

    /// Hides the people who may be living by this rule.
    pub const fn hiding_living(rule: LivingRule) -> PeopleOptions {
        PeopleOptions { living: Some(rule) }
    }
}

/// The people of a file. It does not borrow from the file.
#[derive(Clone, Debug, Default)]
pub struct FamilyBook {
    /// The people, in the order of the file.
    pub(crate) persons: Vec<BookPerson>,
    pub(crate) families: Vec<BookFamily>,
    pub(crate) sources: Vec<BookSource>,
    /// The number of people who are hidden because they may be living.
    pub(crate) hidden: u64,
    /// The family tree that is shown.
    pub(crate) chart: Option<BookChart>,
}

/// A person, with everything that the page shows.
#[derive(Clone, Debug, Default)]
pub(crate) struct BookPerson {
    pub(crate) name: String,
    /// The surname and the given names, by which people are sorted.
    pub(crate) surname: String,
    pub(crate) given: String,
    /// Further names, such as married names.
    pub(crate) other_names: Vec<String>,
    /// The years of birth and death.
    pub(crate) years: String,
    pub(crate) birth: DateAndPlace,
    pub(crate) death: DateAndPlace,
    pub(crate) facts: Vec<BookFact>,
    pub(crate) parents: Vec<BookParent>,
    /// The numbers of the families in which the person is a partner.
    pub(crate) families: Vec<usize>,
    pub(crate) notes: Vec<String>,
    pub(crate) citations: Vec<Citation>,
    /// True if the person may be living and is hidden.
    pub(crate) is_hidden: bool,
}

/// A date and a place as written. Both may be empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct DateAndPlace {
    pub(crate) date: String,
    pub(crate) place: String,
}

/// An event or an attribute.
#[derive(Clone, Debug, Default)]
pub(crate) struct BookFact {
    /// The noun, such as `birth`.
    pub(crate) noun: String,
    pub(crate) when: DateAndPlace,
    /// The text of the fact itself, such as an occupation.
    pub(crate) value: String,
    /// Further texts: type, age, cause and notes.
    pub(crate) details: Vec<String>,
    pub(crate) citations: Vec<Citation>,
}

/// A parent of a person.
#[derive(Clone, Debug)]
pub(crate) struct BookParent {
    pub(crate) person: usize,
    /// The relationship, if it is not by birth: `by adoption`.
    pub(crate) tie: Option<&'static str>,
}

/// A family, with its members as indices of people.
#[derive(Clone, Debug, Default)]
pub(crate) struct BookFamily {
    pub(crate) partners: Vec<usize>,
    pub(crate) children: Vec<usize>,
    pub(crate) facts: Vec<BookFact>,
    pub(crate) notes: Vec<String>,
    pub(crate) citations: Vec<Citation>,
}

/// A citation: the index of a source record, or a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Citation {
    pub(crate) source: Option<usize>,
    /// The page in the source, or the text of a citation without a source record.
    pub(crate) text: String,
}

/// A source record.
#[derive(Clone, Debug, Default)]
pub(crate) struct BookSource {
    pub(crate) title: String,
    pub(crate) author: String,
    pub(crate) publication: String,
    pub(crate) repositories: Vec<String>,
}

/// The family tree of one person.
#[derive(Clone, Debug)]
pub(crate) struct BookChart {
    pub(crate) tree: crate::pictures::FamilyTree,
}
