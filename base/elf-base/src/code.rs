//! Codes of findings.

use crate::{Against, Class, Draft, Format, Safety, Standard};
use std::fmt;

/// A diagnostic code, which identifies one kind of problem; see [`codes`](crate::codes).
///
/// A code has an identifier, a name and a manual page, and a [`Class`] and a clause for each [`Format`]. The identifier
/// never changes. An identifier is `E` with two digits for the layer and two for the number, or `P` with two digits for
/// a question about facts.
#[derive(Clone, Copy)]
pub struct Code(&'static Row);

/// A row of the table of codes.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) class: PerFormat<Class>,
    pub(crate) clause: PerFormat<Option<&'static str>>,
    /// The structural standards that have a rule for the code, each with its clause and the class that applies if the
    /// user names the standard.
    pub(crate) against: &'static [(Standard, Class, &'static str)],
    pub(crate) fix: Option<Safety>,
    /// Whether only `wild` and the rules of GEDCOM report the code, so that the rules of the drafts never do.
    pub(crate) is_of_recovery: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct PerFormat<T> {
    pub(crate) july_2017: T,
    pub(crate) october_2017: T,
    pub(crate) declarative: T,
    pub(crate) january_2019: T,
    pub(crate) december_2019: T,
    pub(crate) gedcom_551: T,
    pub(crate) gedcom_7: T,
}

impl Code {
    pub(crate) const fn new(row: &'static Row) -> Code {
        Code(row)
    }

    /// Returns the stable identifier of the code, such as `E0203`.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// Returns the name of the code, such as `level-too-deep`.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns a short description that fits all findings of the code. The short description has no full stop.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// Returns the clause of `format` for this code, such as `D19 Levels`, `J19 §6.1 Error lines` or `GEDCOM 7.0:
    /// Lines`.
    ///
    /// If the draft relies on another standard here, the clause names that standard: `ELF Schemas: Supertypes`. Returns
    /// `None` if the format has no clause for the code.
    ///
    /// ```
    /// use elf_base::{Draft, Format, codes};
    /// assert_eq!(codes::LEVEL_TOO_DEEP.clause(Format::Elf(Draft::December2019)), Some("D19 Levels"));
    /// assert_eq!(codes::LEVEL_TOO_DEEP.clause(Format::Gedcom70), Some("GEDCOM 7.0: Lines"));
    /// assert_eq!(codes::BLANK_LINE.clause(Format::Elf(Draft::December2019)), None);
    /// ```
    pub const fn clause(self, format: Format) -> Option<&'static str> {
        *self.0.clause.get(format)
    }

    /// Returns the class of the code under `format`. If the format has no [clause](Code::clause) for the code, the
    /// class is [`Class::Advice`], or [`Class::Question`] for a question about facts.
    pub const fn class(self, format: Format) -> Class {
        match self.clause(format) {
            Some(_) => *self.0.class.get(format),
            None if self.is_question() => Class::Question,
            None => Class::Advice,
        }
    }

    /// Returns whether the code is a question about facts.
    pub const fn is_question(self) -> bool {
        matches!(self.0.class.december_2019, Class::Question)
    }

    /// Returns the clause of a structural standard for this code, if there is one.
    ///
    /// ```
    /// use elf_base::{Standard, codes};
    /// let clause = codes::STRUCTURE_MISSING.clause_against(Standard::Gedcom551);
    /// assert_eq!(clause, Some("GEDCOM 5.5.1: Chapter 2"));
    /// assert_eq!(codes::LEVEL_TOO_DEEP.clause_against(Standard::Gedcom551), None);
    /// ```
    pub fn clause_against(self, standard: Standard) -> Option<&'static str> {
        self.0.against.iter().find(|(of, ..)| *of == standard).map(|(_, _, clause)| *clause)
    }

    /// Returns the class of the code for a document that is validated against a structural standard. The class is
    /// advice, unless the user named the standard and the standard has a [clause](Code::clause_against) for the code.
    pub fn class_against(self, against: Against) -> Class {
        let row = self.0.against.iter().find(|(of, ..)| *of == against.standard);
        row.filter(|_| against.is_named).map_or(Class::Advice, |(_, class, _)| *class)
    }

    /// Returns the safety of the safest [fix](crate::Fix) that findings of this code can have. Returns `None` if the
    /// findings have no fixes.
    ///
    /// ```
    /// use elf_base::{Safety, codes};
    /// assert_eq!(codes::AT_SIGN_BARE.fix(), Some(Safety::Safe));
    /// assert_eq!(codes::POINTER_DANGLING.fix(), None);
    /// ```
    pub const fn fix(self) -> Option<Safety> {
        self.0.fix
    }

    /// Returns whether only `wild` and the rules of GEDCOM report the code. The rules of the drafts read the same text
    /// without a finding.
    ///
    /// ```
    /// assert!(elf_base::codes::LINES_JOINED.is_of_recovery() && !elf_base::codes::TAG_MALFORMED.is_of_recovery());
    /// ```
    pub const fn is_of_recovery(self) -> bool {
        self.0.is_of_recovery
    }
}

impl<T> PerFormat<T> {
    const fn get(&self, format: Format) -> &T {
        match format {
            Format::Elf(Draft::July2017) => &self.july_2017,
            Format::Elf(Draft::October2017) => &self.october_2017,
            Format::Elf(Draft::Declarative) => &self.declarative,
            Format::Elf(Draft::January2019) => &self.january_2019,
            Format::Elf(Draft::December2019) => &self.december_2019,
            Format::Gedcom551 => &self.gedcom_551,
            Format::Gedcom70 => &self.gedcom_7,
        }
    }
}

impl PerFormat<Class> {
    pub(crate) const fn same(class: Class) -> PerFormat<Class> {
        PerFormat {
            july_2017: class,
            october_2017: class,
            declarative: class,
            january_2019: class,
            december_2019: class,
            gedcom_551: class,
            gedcom_7: class,
        }
    }

    pub(crate) const fn with_class(mut self, format: Format, class: Class) -> PerFormat<Class> {
        match format {
            Format::Elf(Draft::July2017) => self.july_2017 = class,
            Format::Elf(Draft::October2017) => self.october_2017 = class,
            Format::Elf(Draft::Declarative) => self.declarative = class,
            Format::Elf(Draft::January2019) => self.january_2019 = class,
            Format::Elf(Draft::December2019) => self.december_2019 = class,
            Format::Gedcom551 => self.gedcom_551 = class,
            Format::Gedcom70 => self.gedcom_7 = class,
        }
        self
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        std::ptr::eq(self.0, other.0) || self.0.id == other.0.id
    }
}

impl Eq for Code {}

impl std::hash::Hash for Code {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.id.hash(state);
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0.id, self.0.name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.id)
    }
}
