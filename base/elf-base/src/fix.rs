//! The repair that a finding proposes.

use std::borrow::Cow;

/// A repair of one finding: a change at the finding's place, and how far it keeps what the file says.
///
/// The layer that finds a fault proposes it. `elf-edit` works out the lines that change, judges the repairs
/// that meet in a record together, and applies them.
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
    /// The degree to which the file says the same afterwards: at best, since what stands around it may forbid
    /// it.
    pub safety: Safety,
    /// The change.
    pub action: FixAction,
}

/// The degree to which a repair keeps what the file says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Safety {
    /// The file says the same to a reader who did not guess: the same structures with the same payloads, or
    /// with ones of the same meaning; or it says at a second place what it says already.
    Safe,
    /// The repair chooses a meaning, leaves something out, or takes away the trace of a guess.
    Unsafe,
}

/// The change that repairs a finding, at the finding's [place](crate::Place). It is closed: whoever applies
/// repairs answers for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FixAction {
    /// The text at the place becomes this text, or goes if that is empty.
    Replace(Cow<'static, str>),
    /// The payload of the line, which is all of its structure's, becomes this text.
    SetPayload(Cow<'static, str>),
    /// The whitespace before the line goes.
    RemoveIndent,
    /// The zeros before the level go.
    RemoveLevelZeros,
    /// The cross-reference identifier of the line goes.
    RemoveXref,
    /// The pointer behind the tag of a record goes before the tag, as its identifier.
    IdentifierFirst,
    /// The line goes, if it is blank and no part of a payload.
    RemoveBlankLine,
    /// The lines under the superstructure of the line's structure get the levels of their structures.
    CorrectLevels,
    /// The line becomes a continuation line of the payload that it is read as a part of.
    Continue,
    /// At signs in the payload of the line are doubled.
    DoubleAtSigns(AtSigns),
    /// The octets of the line are written in the encoding of the file.
    Respell,
    /// The octets of the line and of the next are written in the encoding of the file.
    RespellBoth,
    /// Text beyond ASCII is decoded once more, in the line and those that follow in its record.
    DecodeAgain,
    /// CHAR names the encoding of the file.
    NameEncoding,
    /// The trailer is added after the last line.
    AddTrailer,
    /// The trailer at the place goes to the end of the file, or goes if there is one.
    MoveTrailer,
    /// The line is divided before the place, and a blank there goes.
    SplitLine,
    /// A record gets the other half of the link at the place, after its last line.
    AnswerLink(Box<LinkAnswer>),
}

/// The other half of a link that stands in one of two records only: a pointer back, directly under the
/// record that it leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinkAnswer {
    /// The identifier of the record that gets it, which no other structure bears.
    pub record: Box<str>,
    /// The tag of the pointer back.
    pub tag: &'static str,
    /// The identifier that it names: that of the record in which the link stands.
    pub to: Box<str>,
}

/// The at signs of a payload that are to be doubled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtSigns {
    /// All that stand for themselves.
    Bare,
    /// The one at the place, which starts an escape that is none.
    OfBrokenEscape,
    /// The two of the escape at the place.
    OfEscape,
}

impl Safety {
    /// The name in machine formats: `safe`, `unsafe`.
    pub const fn name(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::Unsafe => "unsafe",
        }
    }
}

impl Fix {
    /// Makes a repair after which the file says the same.
    pub const fn safe(action: FixAction) -> Fix {
        Fix { safety: Safety::Safe, action }
    }

    /// Makes a repair that guesses.
    pub const fn guess(action: FixAction) -> Fix {
        Fix { safety: Safety::Unsafe, action }
    }
}
