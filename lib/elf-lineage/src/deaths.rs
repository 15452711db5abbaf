//! Decides what a death, burial or cremation proves: that the person died, that the person did not
//! die, or nothing.

use elf_schema::{Node, Role};

/// The evidence from a death, burial or cremation, apart from its date.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DeathEvidence {
    /// True if the event states the death by `Y`, a place, or another substructure about the death.
    pub(crate) is_stated: bool,
    /// True if the event denies the death.
    pub(crate) is_denied: bool,
}

/// The tags of substructures that describe the record or the file, and say nothing about an event.
const BOOKKEEPING: [&str; 13] = [
    "RESN", "CHAN", "CREA", "RIN", "UID", "REFN", "EXID", "CRDT", "UPD", "PRIM", "PRIV", "PRIVATE", "LIVING",
];

/// Texts that deny a death.
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

/// Texts that deny any event.
const EVENT_DENIALS: [&str; 8] = ["n", "no", "false", "none", "nein", "non", "not yet", "never"];

/// Words for a living person.
const LIVING_WORDS: [&str; 14] = [
    "living", "alive", "lives", "lebt", "lebend", "lebende", "lebendig", "vivant", "vivante", "vivo", "viva",
    "levend", "leeft", "lever",
];

/// Words that turn a word for *dead* into its opposite.
const NEGATIONS: [&str; 9] = ["not", "nicht", "non", "no", "pas", "nie", "niet", "ikke", "inte"];

/// Words for a dead person.
const DEAD_WORDS: [&str; 16] = [
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

/// Words for something unknown.
const UNKNOWN_WORDS: [&str; 9] =
    ["unknown", "unk", "unbekannt", "inconnu", "inconnue", "desconocido", "onbekend", "ukjent", "nieznany"];

/// The maximum number of words of a text that are examined.
const MAX_WORDS: usize = 12;

pub(crate) fn find_death_evidence(
    event: Node<'_>,
    role: Role,
    is_date: impl Fn(Node<'_>) -> bool,
) -> DeathEvidence {
    let text = event.text();
    let words = split_words(&text);
    let mut evidence = DeathEvidence {
        is_stated: text.trim().eq_ignore_ascii_case("Y"),
        is_denied: say_living(&words) || is_reserved(role, &words),
    };
    for below in event.substructures().filter(|below| !is_bookkeeping(*below)) {
        let is_date = is_date(below);
        let may_say_living = is_date || matches!(below.tag(), "TYPE" | "STAT");
        for node in below.subtree_lines().filter(|node| !node.is_continuation()) {
            let text = node.text();
            let words = split_words(&text);
            evidence.is_denied |=
                is_denial(&words) || may_say_living && say_living(&words) || is_reserved(role, &words);
            evidence.is_stated |= match is_date {
                true => words.iter().any(|word| DEAD_WORDS.contains(&word.as_str())),
                false if below.tag() == "PLAC" => is_meaningful(&words),
                false => states_death(below, role) && (node.pointer().is_some() || !text.trim().is_empty()),
            };
        }
    }
    evidence
}

/// Returns whether the payload of an event says that the event did not happen.
pub(crate) fn denies_event(payload: &str) -> bool {
    EVENT_DENIALS.contains(&split_words(payload).join(" ").as_str())
}

/// Returns whether the text of a place is more than a punctuation mark or a word for something
/// unknown.
fn is_meaningful(words: &[String]) -> bool {
    words.iter().any(|word| !UNKNOWN_WORDS.contains(&word.as_str()))
}

fn is_bookkeeping(node: Node<'_>) -> bool {
    let tag = node.tag().trim_start_matches('_');
    BOOKKEEPING.iter().any(|known| tag.eq_ignore_ascii_case(known))
}

/// Returns whether a substructure other than a date is about the event. A note about a grave may
/// describe one that nobody is buried in yet.
fn states_death(node: Node<'_>, role: Role) -> bool {
    role == Role::Death || !matches!(node.tag(), "NOTE" | "SNOTE")
}

/// Returns whether a text says that a grave is only reserved.
fn is_reserved(role: Role, words: &[String]) -> bool {
    role != Role::Death && words.iter().any(|word| word.contains("reserv"))
}

/// Returns whether a text says that the person is living.
fn say_living(words: &[String]) -> bool {
    let has = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    is_denial(words) || has(&LIVING_WORDS) || has(&NEGATIONS) && has(&DEAD_WORDS)
}

/// Returns whether a text is only a denial.
fn is_denial(words: &[String]) -> bool {
    let only_living = match words {
        [word] | [_, word] => LIVING_WORDS.contains(&word.as_str()),
        _ => false,
    };
    let is_not_dead = || match words {
        [not, dead] => NEGATIONS.contains(&not.as_str()) && DEAD_WORDS.contains(&dead.as_str()),
        _ => false,
    };
    only_living || is_not_dead() || DENIALS.contains(&words.join(" ").as_str())
}

/// Returns the first words of a text, in lower case.
fn split_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(MAX_WORDS).map(str::to_lowercase).collect()
}
