//! What a death, burial or cremation says: that somebody died, that somebody did not, or nothing.

use elf_schema::{Node, Role};

/// What the structure of a death, burial or cremation says, apart from the days of its date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeathEvidence {
    /// True if it tells of the death: by `Y`, a place, or another substructure that is about the death.
    pub(crate) is_told: bool,
    /// True if it denies the death.
    pub(crate) is_denied: bool,
}

/// The tags of substructures that say nothing of an event: they are about the record or the file.
const BOOKKEEPING: [&str; 13] = [
    "RESN", "CHAN", "CREA", "RIN", "UID", "REFN", "EXID", "CRDT", "UPD", "PRIM", "PRIV", "PRIVATE", "LIVING",
];

/// The texts that say that there was no death.
const DENIALS: [&str; 14] = [
    "n",
    "no",
    "false",
    "none",
    "private",
    "not applicable",
    "n a",
    "na",
    "nein",
    "non",
    "en vie",
    "in leven",
    "not yet",
    "never",
];

/// The words for somebody who is living.
const LIVING: [&str; 14] = [
    "living", "alive", "lives", "lebt", "lebend", "lebende", "lebendig", "vivant", "vivante", "vivo", "viva",
    "levend", "leeft", "lever",
];

/// The words that turn a word for *dead* into its opposite.
const NOT: [&str; 9] = ["not", "nicht", "non", "no", "pas", "nie", "niet", "ikke", "inte"];

/// The words for somebody who is dead.
const DEAD: [&str; 16] = [
    "dead",
    "deceased",
    "died",
    "death",
    "stillborn",
    "verstorben",
    "gestorben",
    "tot",
    "mort",
    "morte",
    "decede",
    "morto",
    "fallecido",
    "overleden",
    "zmarl",
    "infant",
];

/// The words for what is not known.
const UNKNOWN: [&str; 9] =
    ["unknown", "unk", "unbekannt", "inconnu", "inconnue", "desconocido", "onbekend", "ukjent", "nieznany"];

/// The most words of a text that is looked through for words.
const MOST_WORDS: usize = 12;

/// Finds what a death, burial or cremation says, apart from the days of its date.
pub(crate) fn death_evidence(
    event: Node<'_>,
    role: Role,
    is_date: impl Fn(Node<'_>) -> bool,
) -> DeathEvidence {
    let text = event.text();
    let words = words_of(&text);
    let mut evidence = DeathEvidence {
        is_told: text.trim().eq_ignore_ascii_case("Y"),
        is_denied: deny_death(&words) || is_reserved(role, &words),
    };
    for below in event.substructures().filter(|below| !is_bookkeeping(*below)) {
        let is_date = is_date(below);
        let may_say_living = is_date || matches!(below.tag(), "TYPE" | "STAT");
        for node in below.subtree_lines().filter(|node| !node.is_continuation()) {
            let text = node.text();
            let words = words_of(&text);
            evidence.is_denied |=
                is_denial(&words) || may_say_living && deny_death(&words) || is_reserved(role, &words);
            evidence.is_told |= match is_date {
                true => words.iter().any(|word| DEAD.contains(&word.as_str())),
                false if below.tag() == "PLAC" => says_something(&words),
                false => states_death(below, role) && (node.pointer().is_some() || !text.trim().is_empty()),
            };
        }
    }
    evidence
}

/// Returns whether the text of a place is more than a sign or a word for something that is not known.
fn says_something(words: &[String]) -> bool {
    words.iter().any(|word| !UNKNOWN.contains(&word.as_str()))
}

fn is_bookkeeping(node: Node<'_>) -> bool {
    let tag = node.tag().trim_start_matches('_');
    BOOKKEEPING.iter().any(|known| tag.eq_ignore_ascii_case(known))
}

/// Returns whether a substructure other than a date is about the event. A note about a grave may speak of one
/// that nobody is buried in yet.
fn states_death(node: Node<'_>, role: Role) -> bool {
    role == Role::Death || !matches!(node.tag(), "NOTE" | "SNOTE")
}

/// Returns whether a grave is only reserved.
fn is_reserved(role: Role, words: &[String]) -> bool {
    role != Role::Death && words.iter().any(|word| word.contains("reserv"))
}

/// Returns whether a text says that somebody is living.
fn deny_death(words: &[String]) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    is_denial(words) || has(&LIVING) || has(&NOT) && has(&DEAD)
}

/// Returns whether a text is nothing but a denial.
fn is_denial(words: &[String]) -> bool {
    let only_living = match words {
        [word] | [_, word] => LIVING.contains(&word.as_str()),
        _ => false,
    };
    let is_not_dead = || match words {
        [not, dead] => NOT.contains(&not.as_str()) && DEAD.contains(&dead.as_str()),
        _ => false,
    };
    only_living || is_not_dead() || DENIALS.contains(&words.join(" ").as_str())
}

/// The first words of a text, in small letters.
fn words_of(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MOST_WORDS).map(str::to_lowercase).collect()
}
