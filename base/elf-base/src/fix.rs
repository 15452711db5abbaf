//! Fixes of findings.

use std::borrow::Cow;

/// The fix for a finding: a change at its place, and whether it keeps the meaning of the file.
///
/// The layer that reports the finding proposes the fix. `elf-edit` computes the changed lines, checks whether all fixes
/// of a record work together, and applies them.
///
/// ```
/// use elf_base::{Diagnostic, Fix, FixAction, Place, Rules, Safety, codes};
///
/// let found = Diagnostic::new(codes::HEADER_SPELLING, &Rules::WILD, "expected `HEAD` in capital letters")
///     .at(Place::new(2, 1, 3, 7), None)
///     .fix(Fix::safe(FixAction::Replace("HEAD".into())));
/// assert_eq!(found.fix.map(|fix| fix.safety), Some(Safety::Safe));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// Whether the fix keeps the meaning of the file. The surrounding lines may still make a safe fix impossible.
    pub safety: Safety,
    /// The change.
    pub action: FixAction,
}

/// Whether a fix keeps the meaning of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The meaning stays the same: the same structures with the same or equivalent payloads, or with content repeated
    /// that the file already has.
    Safe,
    /// The fix guesses a meaning, removes something, or hides a guess.
    Unsafe,
}

/// The change that a fix makes at the [place](crate::Place) of the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixAction {
    /// Replaces the text at the place. An empty text removes it.
    Replace(Cow<'static, str>),
    /// Replaces the payload of the line, which is the whole payload of its structure.
    SetPayload(Cow<'static, str>),
    /// Removes the whitespace before the line.
    RemoveIndent,
    /// Removes the zeros before the level.
    RemoveLevelZeros,
    /// Removes the cross-reference identifier of the line.
    RemoveXref,
    /// Moves the pointer after the tag of a record to the front of the tag, as the identifier of the record.
    IdentifierFirst,
    /// Removes the line if it is blank and not part of a payload.
    RemoveBlankLine,
    /// Sets the levels of the lines under the superstructure of the line to those of their structures.
    CorrectLevels,
    /// Makes the line a continuation line of the payload that it is read as part of.
    Continue,
    /// Doubles at signs in the payload of the line.
    DoubleAtSigns(AtSigns),
    /// Writes the line in the encoding of the file.
    Respell,
    /// Writes the line and the next line in the encoding of the file.
    RespellBoth,
    /// Decodes non-ASCII text once more, in the line and the following lines of its record.
    DecodeAgain,
    /// Sets CHAR to the encoding of the file.
    NameEncoding,
    /// Adds the trailer after the last line.
    AddTrailer,
    /// Moves the trailer at the place to the end of the file, or removes it if there already is one.
    MoveTrailer,
    /// Splits the line before the place, and removes a space there.
    SplitLine,
    /// Adds the missing pointer back to the linked record, after its last line.
    AnswerLink(Box<LinkAnswer>),
}

/// The missing half of a link between two records: a pointer back, directly under the linked record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkAnswer {
    /// The identifier of the record that gets the pointer, which must be unique.
    pub record: Box<str>,
    /// The tag of the pointer back.
    pub tag: &'static str,
    /// The identifier in the pointer: that of the record with the existing half of the link.
    pub to: Box<str>,
}

/// Which at signs of a payload are doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSigns {
    /// All that are neither doubled nor part of an escape.
    Bare,
    /// The one at the place, which looks like the start of an escape but is not.
    OfBrokenEscape,
    /// The two of the escape at the place.
    OfEscape,
}

impl Safety {
    /// Returns the name in JSON: `safe`, `unsafe`.
    pub const fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        }
    }
}

impl Fix {
    /// Creates a fix that keeps the meaning of the file.
    pub const fn safe(action: FixAction) -> Fix {
        Fix { safety: Safety::Safe, action }
    }

    /// Creates a fix that guesses.
    pub const fn guess(action: FixAction) -> Fix {
        Fix { safety: Safety::Unsafe, action }
    }
}
