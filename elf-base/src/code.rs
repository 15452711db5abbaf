//! The row a diagnostic code is.

use crate::{Class, Draft};
use std::fmt;

/// One row of the table of everything that can be wrong with a file; see [`codes`](crate::codes).
///
/// A code has an identifier that is stable once released (`E`, two digits for the layer, two for the number), a
/// name, the clause it enforces, a [`Class`] for each draft, and a manual page.
#[derive(Clone, Copy)]
pub struct Code(&'static Row);

/// How each draft calls a finding. The class of a diagnostic follows from its code and the rules in force,
/// never from the place that reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classes {
    pub(crate) july_2017: Class,
    pub(crate) october_2017: Class,
    pub(crate) declarative: Class,
    pub(crate) january_2019: Class,
    pub(crate) december_2019: Class,
}

#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: &'static str,
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) clause: &'static str,
    pub(crate) classes: Classes,
    pub(crate) page: &'static str,
}

impl Code {
    pub(crate) const fn new(row: &'static Row) -> Code {
        Code(row)
    }

    /// The stable identifier, such as `E0203`.
    pub const fn id(self) -> &'static str {
        self.0.id
    }

    /// The name, such as `level-too-deep`: lower case, words joined by hyphens.
    pub const fn name(self) -> &'static str {
        self.0.name
    }

    /// What the code finds, in one clause without a full stop.
    pub const fn title(self) -> &'static str {
        self.0.title
    }

    /// The clause it enforces: a draft's abbreviation and the title of its section, such as `D19 Levels`.
    pub const fn clause(self) -> &'static str {
        self.0.clause
    }

    /// How grave `draft` calls it.
    pub const fn class(self, draft: Draft) -> Class {
        match draft {
            Draft::July2017 => self.0.classes.july_2017,
            Draft::October2017 => self.0.classes.october_2017,
            Draft::Declarative => self.0.classes.declarative,
            Draft::January2019 => self.0.classes.january_2019,
            Draft::December2019 => self.0.classes.december_2019,
        }
    }

    /// The manual page, as Markdown: what it finds, why it matters, an example, what to do.
    pub const fn page(self) -> &'static str {
        self.0.page
    }

    /// The code of that identifier or name (`E0203`, `e0203`, `level-too-deep`), if there is one.
    ///
    /// ```
    /// use elf_base::{Code, codes};
    /// assert_eq!(Code::find("level-too-deep"), Some(codes::LEVEL_TOO_DEEP));
    /// assert_eq!(Code::find("e0203"), Some(codes::LEVEL_TOO_DEEP));
    /// assert_eq!(Code::find("E9999"), None);
    /// ```
    pub fn find(text: &str) -> Option<Code> {
        crate::codes::all().find(|code| code.id().eq_ignore_ascii_case(text) || code.name() == text)
    }
}

impl Classes {
    /// The same class in every draft.
    pub(crate) const fn all(class: Class) -> Classes {
        Classes {
            july_2017: class,
            october_2017: class,
            declarative: class,
            january_2019: class,
            december_2019: class,
        }
    }

    /// One class for each draft, oldest first.
    pub(crate) const fn each(
        july_2017: Class,
        october_2017: Class,
        declarative: Class,
        january_2019: Class,
        december_2019: Class,
    ) -> Classes {
        Classes { july_2017, october_2017, declarative, january_2019, december_2019 }
    }

    /// `earlier` in the four drafts before December 2019, `december` in that one.
    pub(crate) const fn split(earlier: Class, december: Class) -> Classes {
        let mut classes = Classes::all(earlier);
        classes.december_2019 = december;
        classes
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.0.id == other.0.id
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
