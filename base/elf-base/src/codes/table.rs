//! The macro that defines the constants, documentation and lists of codes from the rows of the table.

/// Defines the codes of one layer. Each code is a row:
///
/// ```text
/// E0202 LEVEL_ZEROS "level-zeros": "a level has leading zeros";
///     class NonConformant, D19 Malformed;
///     fix Safe;
///     clause D19 "Levels", J19 "§7.1 Serialising", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
///         G7 "Lines", G551 "Chapter 1";
/// ```
///
/// A row contains these parts:
///
/// - The identifier, the constant, the name and the title of the code.
/// - `class`: the class of the code, followed by the formats that give it another class.
/// - `against Gedcom551 NonConformant "Chapter 2";` (optional): a structural standard with a rule for the code, the
///   class that applies if the user names the standard, and the section of the rule.
/// - `fix` (optional): the safety of the best fix that the reporting layer proposes.
/// - `only Recovering;` (optional): the code is reported only by rules that recover from errors: `wild` and the rules
///   of GEDCOM.
/// - `clause`: the section of each draft. If the draft relies on another standard here, the name and the section of
///   that standard are in parentheses, `("ELF Schemas" "Supertypes")`. `_` means that the draft has no rule, which
///   makes the code [`Class::Advice`](crate::Class::Advice), unless it is a
///   [`Class::Question`](crate::Class::Question). Clauses of GEDCOM come last and are optional.
///
/// The manual page of a code is a file in `base/elf-base/pages/`, named after the identifier. The constant `ALL` lists
/// the codes of the layer.
macro_rules! codes {
    ($(
        $id:ident $constant:ident $name:literal: $title:literal;
            class $class:ident $(, $draft:ident $other:ident)*;
            $(against $($standard:ident $named:ident $section:literal),+;)?
            $(fix $fix:ident;)?
            $(only $only:ident;)?
            clause D19 $d19:tt, J19 $j19:tt, RDX $rdx:tt, O17 $o17:tt, E17 $e17:tt
                $(, G7 $g7:literal)? $(, G551 $g551:literal)?;
    )+) => {
        $(
            #[doc = concat!("`", stringify!($id), "` *", $name, "*: ", $title, ".")]
            #[cfg_attr(doc, doc = "")]
            #[cfg_attr(doc, doc = include_str!(concat!("../../pages/", stringify!($id), ".md")))]
            pub const $constant: $crate::Code = $crate::Code::new(&$crate::code::Row {
                id: stringify!($id),
                name: $name,
                title: $title,
                class: $crate::code::PerFormat::same($crate::Class::$class)
                    $(.with_class($crate::codes::table::format!($draft), $crate::Class::$other))*,
                clause: $crate::code::PerFormat {
                    july_2017: $crate::codes::table::clause!("E17", $e17),
                    october_2017: $crate::codes::table::clause!("O17", $o17),
                    declarative: $crate::codes::table::clause!("RDX", $rdx),
                    january_2019: $crate::codes::table::clause!("J19", $j19),
                    december_2019: $crate::codes::table::clause!("D19", $d19),
                    gedcom_551: $crate::codes::table::gedcom!("5.5.1", $($g551)?),
                    gedcom_7: $crate::codes::table::gedcom!("7.0", $($g7)?),
                },
                against: &[$($((
                    $crate::Standard::$standard,
                    $crate::Class::$named,
                    $crate::codes::table::section_of!($standard, $section),
                )),+)?],
                fix: $crate::codes::table::fix!($($fix)?),
                is_of_recovery: $crate::codes::table::only!($($only)?),
            });
        )+

        pub(super) const ALL: &[$crate::Code] = &[$($constant),+];

        pub(super) const PAGES: &[&str] = &[$(include_str!(concat!("../../pages/", stringify!($id), ".md"))),+];
    };
}

/// Expands the abbreviation of a format to the format.
macro_rules! format {
    (D19) => {
        $crate::Format::Elf($crate::Draft::December2019)
    };
    (J19) => {
        $crate::Format::Elf($crate::Draft::January2019)
    };
    (RDX) => {
        $crate::Format::Elf($crate::Draft::Declarative)
    };
    (O17) => {
        $crate::Format::Elf($crate::Draft::October2017)
    };
    (E17) => {
        $crate::Format::Elf($crate::Draft::July2017)
    };
    (G551) => {
        $crate::Format::Gedcom551
    };
    (G7) => {
        $crate::Format::Gedcom70
    };
}

/// Expands to the citation of a clause of GEDCOM, if the row has one.
macro_rules! gedcom {
    ($version:literal,) => {
        None
    };
    ($version:literal, $section:literal) => {
        Some(concat!("GEDCOM ", $version, ": ", $section))
    };
}

/// Expands to the citation of a section of a structural standard.
macro_rules! section_of {
    (DataModel, $section:literal) => {
        concat!("ELF Data Model: ", $section)
    };
    (Gedcom551, $section:literal) => {
        concat!("GEDCOM 5.5.1: ", $section)
    };
    (Gedcom55, $section:literal) => {
        concat!("GEDCOM 5.5: ", $section)
    };
    (Gedcom70, $section:literal) => {
        concat!("GEDCOM 7.0: ", $section)
    };
}

/// Expands to the safety of the best fix of a code.
macro_rules! fix {
    () => {
        None
    };
    ($safety:ident) => {
        Some($crate::Safety::$safety)
    };
}

/// Expands to `true` if the rules of the drafts never report the code.
macro_rules! only {
    () => {
        false
    };
    (Recovering) => {
        true
    };
}

/// Expands to the citation of a clause. The citation consists of the abbreviation of the draft and the section, or of
/// the name of another standard, a colon and the section.
macro_rules! clause {
    ($draft:literal, _) => {
        None
    };
    ($draft:literal, ($standard:literal $section:literal)) => {
        Some(concat!($standard, ": ", $section))
    };
    ($draft:literal, $section:literal) => {
        Some(concat!($draft, " ", $section))
    };
}

pub(super) use {clause, codes, fix, format, gedcom, only, section_of};
