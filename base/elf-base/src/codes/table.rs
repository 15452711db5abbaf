//! The form of the table: the macro that makes constants, documentation and lists of its rows.

/// A room of the table of codes, a row each:
///
/// ```text
/// E0202 LEVEL_ZEROS "level-zeros": "a level has leading zeros";
///     class NonConformant, D19 Malformed;
///     fix Safe;
///     clause D19 "Levels", J19 "§7.1 Serialising", RDX "Line", O17 "§5.1 Lines", E17 "Lines",
///         G7 "Lines", G551 "Chapter 1";
/// ```
///
/// Identifier, constant, name and title; the class, then that of each format that differs; where the layer
/// that raises it proposes fixes, the safety that they have at best; the section of each draft that rules
/// it. A section of a standard that the draft builds on is in brackets, `("ELF Schemas" "Supertypes")`.
/// After the class may stand the structural standards that rule it, each with the class where the user
/// names it and the section, `against Gedcom551 NonConformant "Chapter 2";`.
/// `only Recovering;` stands where only rules report the code that recover: `wild` and those of GEDCOM.
/// Of a draft that says nothing `_` is written: there the code is [`Class::Advice`](crate::Class::Advice),
/// whatever its class but [`Class::Question`](crate::Class::Question). The clauses of GEDCOM come last, where
/// there are any.
///
/// The manual page is `base/elf-base/pages/` and the identifier. Whatever lists codes does so by `ALL`, which
/// comes from here.
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
                class: $crate::code::PerFormat::all($crate::Class::$class)
                    $(.but($crate::codes::table::format!($draft), $crate::Class::$other))*,
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
                page: include_str!(concat!("../../pages/", stringify!($id), ".md")),
            });
        )+

        pub(super) const ALL: &[$crate::Code] = &[$($constant),+];
    };
}

/// The format of an abbreviation.
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

/// The clause of GEDCOM as it is cited, if there is one.
macro_rules! gedcom {
    ($version:literal,) => {
        None
    };
    ($version:literal, $section:literal) => {
        Some(concat!("GEDCOM ", $version, ": ", $section))
    };
}

/// The section of a structural standard as it is cited.
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

/// The best safety of a code's fixes.
macro_rules! fix {
    () => {
        None
    };
    ($safety:ident) => {
        Some($crate::Safety::$safety)
    };
}

/// True for a code that the rules of the drafts do not report.
macro_rules! only {
    () => {
        false
    };
    (Recovering) => {
        true
    };
}

/// The clause as it is cited: the abbreviation and the section; a companion standard, a colon and the
/// section.
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
