//! Collects the names of a person from all places of the record.

use crate::words::{
    fold, is_apostrophe, is_between_names, is_particle, join_prefixes, join_word_parts, remove_markup,
    significant_words, spellings, split_words,
};
use elf_lineage::{NAME_PLACEHOLDERS, vendor_name_type};
use elf_schema::vocabulary::elf;
use elf_schema::{Node, TypedDocument};

/// What a structure of a person's record says about the names of the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamePart {
    /// A name: the name itself, a variant of it, or another name of the person.
    Name,
    Given,
    Surname,
    Nickname,
    /// A prefix or a suffix, which is not a name by itself.
    Affix,
    /// A title. One of several words, such as `Duke of Windsor`, is a name.
    Title,
    /// A text that contains names, such as that of a change of the name: `from Ida Berg to Ida Lind`.
    TextWithNames,
}

/// The tags of names and their parts. Their types are known only where a standard allows them. A vendor tag is
/// listed only if `vendor_name_type` does not know it, or gives it a type of another part.
const KNOWN_TAGS: [(&str, NamePart); 22] = [
    ("ALIA", NamePart::Name),
    ("FONE", NamePart::Name),
    ("GIVN", NamePart::Given),
    ("NAME", NamePart::Name),
    ("NICK", NamePart::Nickname),
    ("NPFX", NamePart::Affix),
    ("NSFX", NamePart::Affix),
    ("ROMN", NamePart::Name),
    ("SECG", NamePart::Given),
    ("SPFX", NamePart::Affix),
    ("SURN", NamePart::Surname),
    ("TITL", NamePart::Title),
    ("TRAN", NamePart::Name),
    ("_ALIAS", NamePart::Name),
    ("_CALL", NamePart::Nickname),
    ("_MAIDEN", NamePart::Surname),
    ("_NEE", NamePart::Surname),
    ("_NICK", NamePart::Nickname),
    ("_PATR", NamePart::Given),
    ("_RUFN", NamePart::Given),
    ("_RUFNAME", NamePart::Given),
    ("_USED", NamePart::Given),
];

/// Words in the tags of names that no dictionary knows, such as `_FORMER_NAME`.
const WORDS_IN_TAGS: [&str; 5] = ["NAME", "NICK", "AKA", "ALIAS", "MARNM"];

/// Words in tags of files and accounts, whose names are not those of people, such as `_PHOTO_NAME`.
const WORDS_IN_OTHER_TAGS: [&str; 3] = ["FILE", "PHOTO", "USER"];

/// The types of names and of their parts. Call names are nicknames to the dictionary of vendor tags, but they are also
/// among the given names, and a given name alone does not identify a person.
const TYPES: [(&str, NamePart); 10] = [
    ("https://terms.fhiso.org/elf/vendor/INDI-NAME-_USED", NamePart::Given),
    ("https://terms.fhiso.org/elf/vendor/_RUFN", NamePart::Given),
    ("https://terms.fhiso.org/elf/vendor/_RUFNAME", NamePart::Given),
    (elf::PERSONAL_NAME, NamePart::Name),
    (elf::NAME_PIECE_GIVEN, NamePart::Given),
    (elf::NAME_PIECE_NICKNAME, NamePart::Nickname),
    (elf::NAME_PIECE_PREFIX, NamePart::Affix),
    (elf::NAME_PIECE_SUFFIX, NamePart::Affix),
    (elf::NAME_PIECE_SURNAME, NamePart::Surname),
    (elf::NAME_PIECE_SURNAME_PREFIX, NamePart::Affix),
];

/// The ends of words for a name in the kinds of facts, in lower case and without diacritics: `Birth name`, `Geburtsname`,
/// `cambio de nombre`.
const ENDS_OF_NAME_WORDS: [&str; 15] = [
    "imie", "jmeno", "naam", "name", "names", "namn", "navn", "nazwisko", "nazwiska", "nimi", "nombre",
    "nombres", "nome", "nomes", "prenom",
];

/// The starts of words for a name, or for a change of it: `Namensänderung`, `naamswijziging`, `namnbyte`.
const STARTS_OF_NAME_WORDS: [&str; 7] = ["naams", "namens", "namn", "navne", "nimen", "prijmeni", "фамили"];

/// Other words for a name.
const NAME_WORDS: [&str; 8] = ["aka", "alias", "apellido", "cognome", "nom", "имя", "имени", "имена"];

/// Words before the surname at birth, as in `Anna Berg née Lind`.
const WORDS_BEFORE_BIRTH_NAME: [&str; 21] = [
    "born",
    "domu",
    "fodd",
    "fodt",
    "geb",
    "geboren",
    "geborene",
    "geborener",
    "geborne",
    "nacida",
    "nacido",
    "nascida",
    "nata",
    "nato",
    "ne",
    "nee",
    "roz",
    "rozena",
    "syntynyt",
    "szul",
    "urozena",
];

/// The maximum number of given names, and of surnames, that are combined.
const MAX_NAME_PARTS: usize = 16;

/// Tells which structures are names, by their types and tags.
#[derive(Debug)]
pub(crate) struct NameTypes {
    /// For each type of the schema, what it says about names.
    of_types: Vec<Option<NamePart>>,
}

impl NameTypes {
    pub(crate) fn of(typed: &TypedDocument<'_>) -> NameTypes {
        NameTypes { of_types: typed.schema().by_nearest_supertype(part_of_type) }
    }

    /// Returns which part of a name a structure contains. The type of the structure decides. If the type is not that of
    /// a name, the tag decides; the structure must then be in a person's record or under a name.
    pub(crate) fn part(&self, typed: &TypedDocument<'_>, node: Node<'_>) -> Option<NamePart> {
        let by_type = typed.type_id(node).and_then(|of| self.of_types.get(of.index()).copied().flatten());
        by_type
            .or_else(|| part_of_tag(node.tag()))
            .or_else(|| is_name_in_words(node).then_some(NamePart::TextWithNames))
    }
}

fn part_of_type(iri: &str) -> Option<NamePart> {
    TYPES.iter().find(|(of, _)| *of == iri).map(|(_, part)| *part)
}

/// Returns what a tag says about names, whichever program wrote the file, and in capitals or not.
fn part_of_tag(tag: &str) -> Option<NamePart> {
    let tag = tag.to_ascii_uppercase();
    if let Some((_, part)) = KNOWN_TAGS.iter().find(|(known, _)| *known == tag) {
        return Some(*part);
    }
    if !tag.starts_with('_') {
        return None;
    }
    let is_named = || {
        let contains_one_of = |words: &[&str]| words.iter().any(|word| tag.contains(word));
        contains_one_of(&WORDS_IN_TAGS) && !contains_one_of(&WORDS_IN_OTHER_TAGS)
    };
    vendor_name_type(&tag).and_then(part_of_type).or_else(|| is_named().then_some(NamePart::Name))
}

/// Returns whether a fact is a name, or a change of one: the file says so in its TYPE.
fn is_name_in_words(node: Node<'_>) -> bool {
    let is_word_for_name = |word: &str| {
        let word = fold(word);
        NAME_WORDS.contains(&word.as_str())
            || ENDS_OF_NAME_WORDS.iter().any(|end| word.ends_with(end))
            || STARTS_OF_NAME_WORDS.iter().any(|start| word.starts_with(start))
    };
    let is_name = |kind: Node<'_>| {
        let text = kind.text();
        let letters: String = text.chars().filter(|c| c.is_alphabetic()).collect();
        split_words(&text).any(is_word_for_name) || fold(&letters) == "alsoknownas"
    };
    matches!(node.tag(), "EVEN" | "FACT" | "_ATTR") && node.substructures_tagged("TYPE").any(is_name)
}

#[derive(Debug, Default)]
pub(crate) struct NamesOfPerson {
    /// The payloads of NAME, the names under it and in other substructures, and each given name or
    /// nickname combined with each surname. Surnames are between slashes.
    pub(crate) whole: Vec<String>,
    /// The given names and nicknames. Each may have several words.
    pub(crate) given: Vec<String>,
    /// The surnames. Each may have several words.
    pub(crate) surnames: Vec<String>,
    /// The names and nicknames of one word.
    pub(crate) single: Vec<String>,
    /// The titles of several words.
    pub(crate) titles: Vec<String>,
}

/// Collects the names in a record. `part` returns what a structure says about names: of the record's substructures, and of
/// those under a name.
pub(crate) fn collect_names<'d>(
    record: Node<'d>,
    part: impl Fn(Node<'d>) -> Option<NamePart>,
) -> NamesOfPerson {
    let mut parts = NameParts::default();
    for node in record.substructures().filter(|node| node.pointer().is_none()) {
        let Some(found) = part(node) else { continue };
        parts.add(found, &node.text(), node.tag() != "NAME");
        let below = node.substructures().filter(|below| part(*below).is_some());
        for below in below.flat_map(|below| std::iter::once(below).chain(below.substructures())) {
            if let Some(found) = part(below).filter(|_| below.pointer().is_none()) {
                parts.add(found, &below.text(), true);
            }
        }
        parts.add_name_of_parts(node, &part);
    }
    parts.into_names()
}

#[derive(Default)]
struct NameParts {
    whole: Vec<String>,
    given: Vec<String>,
    surnames: Vec<String>,
    single: Vec<String>,
    titles: Vec<String>,
}

impl NameParts {
    /// Adds a name, or a part of one. A further name of one word, such as a married name, may be a surname. `<Jack>` may be
    /// a nickname or markup.
    fn add(&mut self, part: NamePart, text: &str, is_further: bool) {
        // Empty slashes mark no surname.
        let is_marked = text.split('/').nth(1).is_none_or(|surname| !surname.trim().is_empty());
        let unmarked = (!is_marked).then(|| text.replace('/', " "));
        let text = unmarked.as_deref().unwrap_or(text);
        self.add_text(part, text, is_further);
        if text.contains(['<', '&']) {
            self.add_text(part, &remove_markup(text), is_further);
        }
    }

    fn add_text(&mut self, part: NamePart, text: &str, is_further: bool) {
        match part {
            NamePart::Name => {
                self.add_name(text, is_further);
                self.whole.push(text.to_owned());
                // The slashes of a list of nicknames are not those around the surname.
                if let Some(name) = without_quoted_slashes(text) {
                    self.add_name(&name, is_further);
                    self.whole.push(name);
                }
                self.add_birth_names(text);
                if is_further {
                    self.add_list_of_names(text);
                }
            }
            NamePart::Given => push_part(&mut self.given, text),
            NamePart::Surname => push_part(&mut self.surnames, text),
            NamePart::Nickname => self.add_nickname(text),
            NamePart::Affix => self.add_birth_names(text),
            NamePart::Title => {
                let words = significant_words(text);
                if words.iter().filter(|word| !word.starts_with(char::is_lowercase)).count() > 1 {
                    self.titles.push(text.to_owned());
                }
            }
            NamePart::TextWithNames => self.add_names_in_text(text),
        }
    }

    /// Adds the names of a list. A comma may also be between the surname and the given name of one person, so a word between
    /// commas is not a name by itself.
    fn add_list_of_names(&mut self, text: &str) {
        let items = list_items(text, |c| matches!(c, ';' | '|'));
        for item in &items {
            if items.len() > 1 {
                self.add_whole(item);
            }
            let names = list_items(item, |c| c == ',');
            for name in names.iter().filter(|_| names.len() > 1) {
                match name.contains(char::is_whitespace) {
                    true => self.add_whole(name),
                    false => {
                        push_part(&mut self.given, name);
                        push_part(&mut self.surnames, name);
                    }
                }
            }
        }
    }

    /// Adds one name of a list.
    fn add_whole(&mut self, name: &str) {
        self.add_name(name, true);
        self.whole.push(name.to_owned());
    }

    /// Adds the surnames at birth in a name or a suffix, as in `Anna Berg née Lind`.
    fn add_birth_names(&mut self, text: &str) {
        for part in text.split(|c| is_quotation_mark(c) || matches!(c, ',' | ';' | '/')) {
            let is_before_name = |word: &&str| {
                let word = fold(word.trim_matches(|c: char| !c.is_alphanumeric()));
                WORDS_BEFORE_BIRTH_NAME.contains(&word.as_str())
            };
            let words: Vec<&str> = part.split_whitespace().collect();
            if let Some(at) = words.iter().position(is_before_name) {
                push_part(&mut self.surnames, &words[at + 1..].join(" "));
            }
        }
    }

    /// Adds the names in a text: words with capitals that follow each other. If there are other words too, one such word
    /// may be a part of a name, or the start of a sentence. A text without capitals is a name.
    fn add_names_in_text(&mut self, text: &str) {
        let is_name =
            |word: &&str| word.chars().find(|c| c.is_alphabetic()).is_some_and(|first| !first.is_lowercase());
        let words: Vec<&str> = text.split_whitespace().collect();
        let names = words.iter().filter(|word| is_name(word)).count();
        if names == 0 || names == words.len() {
            self.add(NamePart::Name, text, true);
            return;
        }
        for name in words.split(|word| !is_name(word)).filter(|name| !name.is_empty()) {
            match name {
                [word] => {
                    push_part(&mut self.given, word);
                    push_part(&mut self.surnames, word);
                }
                _ => self.add(NamePart::Name, &name.join(" "), true),
            }
        }
    }

    fn add_name(&mut self, name: &str, is_further: bool) {
        let mut parts = name.splitn(3, '/');
        match (parts.next(), parts.next()) {
            (Some(given), Some(surname)) => {
                push_part(&mut self.given, given);
                push_part(&mut self.surnames, surname);
            }
            (Some(word), None) if name.split_whitespace().nth(1).is_none() => {
                push_part(&mut self.given, word);
                if is_further {
                    push_part(&mut self.surnames, word);
                }
            }
            _ => {}
        }
        // In `John "Jack /Smith/`, the mark at the end is missing.
        for nickname in quoted_parts(name).filter(|part| is_list_with_slashes(part) || !part.contains('/')) {
            self.add_nickname(nickname);
        }
        self.add_single(name);
    }

    /// Adds a nickname, or a list of nicknames.
    fn add_nickname(&mut self, text: &str) {
        let is_list = is_list_with_slashes(text);
        let items = list_items(text, |c| matches!(c, ',' | ';' | '|' | '&' | '+') || c == '/' && is_list);
        let list = (items.len() > 1).then(|| text.to_owned());
        for nickname in items.into_iter().chain(list) {
            push_part(&mut self.given, &nickname);
            self.add_single(&nickname);
            self.whole.push(nickname);
        }
    }

    /// Adds a name that has only one word. A surname that is not known does not count. A surname alone, such as
    /// `/Strauss/`, is not added, because it is also the name of all relatives.
    fn add_single(&mut self, name: &str) {
        self.add_if_single(name);
        for joined in join_prefixes_of_name(name).into_iter().chain(join_word_parts(name)) {
            self.add_if_single(&joined);
        }
    }

    fn add_if_single(&mut self, name: &str) {
        let (given, surname) = name.split_once('/').unwrap_or((name, ""));
        let [given, surname] = [given, surname].map(significant_words);
        // `N.N.` has two words.
        let is_surname_known =
            surname.iter().any(|word| !is_placeholder(word)) && !is_placeholder(&surname.concat());
        if let ([word], false) = (&*given, is_surname_known)
            && word.chars().nth(1).is_some()
            && !is_placeholder(word)
        {
            self.single.push((*word).to_owned());
        }
    }

    /// Adds the name of a structure that has only parts, such as a NAME without payload.
    fn add_name_of_parts<'d>(&mut self, name: Node<'d>, part: &impl Fn(Node<'d>) -> Option<NamePart>) {
        let text = name.text();
        if part(name) != Some(NamePart::Name) || text.chars().any(char::is_alphanumeric) {
            return;
        }
        let texts_of = |wanted: NamePart| {
            let parts = name.substructures().filter(move |below| part(*below) == Some(wanted));
            parts.map(|below| below.text().into_owned()).collect::<Vec<String>>().join(" ")
        };
        let name = format!("{} /{}/", texts_of(NamePart::Given), texts_of(NamePart::Surname));
        self.add_single(&name);
        self.whole.push(name);
    }

    fn into_names(mut self) -> NamesOfPerson {
        let combined = self.surnames.iter().flat_map(|surname| {
            let given = self.given.iter().filter(move |given| *given != surname);
            given.map(move |given| format!("{given} /{surname}/"))
        });
        let combined: Vec<String> = combined.collect();
        self.whole.extend(combined);
        let unmarked: Vec<String> = self.whole.iter().filter(|name| !name.contains('/')).cloned().collect();
        // The last word of a name without slashes is the surname, or the first of `Berg, Ida`.
        let given_then_surname =
            unmarked.iter().filter_map(|name| name.trim().rsplit_once(char::is_whitespace));
        let around_comma = unmarked.iter().filter_map(|name| name.split_once(','));
        // `Jr.` is not a given name.
        let around_comma =
            around_comma.filter(|(_, given)| split_words(given).any(|word| !is_particle(&fold(word))));
        for (given, surname) in
            given_then_surname.chain(around_comma.map(|(surname, given)| (given, surname)))
        {
            push_part(&mut self.given, given);
            push_part(&mut self.surnames, surname);
        }
        let NameParts { whole, given, surnames, single, titles } = self;
        NamesOfPerson { whole, given, surnames, single, titles }
    }
}

/// Returns the items of a list of names, such as `Sissi, Sessi`, `Sissi/Sessi` or `Sissi or Sessi`.
fn list_items(text: &str, is_mark: impl Fn(char) -> bool) -> Vec<String> {
    let mut items = Vec::new();
    for part in text.split(is_mark) {
        let words: Vec<&str> = part.split_whitespace().collect();
        items.extend(words.split(|word| is_between_names(word)).map(|words| words.join(" ")));
    }
    items.retain(|item| item.chars().any(char::is_alphanumeric));
    items
}

/// Returns whether the slashes in a text are between nicknames. Slashes around a surname are at the start or the end.
fn is_list_with_slashes(text: &str) -> bool {
    let text = text.trim();
    text.contains('/') && !text.starts_with('/') && !text.ends_with('/')
}

/// Returns a name without lists of nicknames that have slashes. `None` if there are none.
fn without_quoted_slashes(name: &str) -> Option<String> {
    let mut without = String::with_capacity(name.len());
    for (at, part) in name.split_inclusive(is_quotation_mark).enumerate() {
        let text = part.trim_end_matches(is_quotation_mark);
        let is_list = at % 2 == 1 && is_list_with_slashes(text);
        without.push_str(if is_list { &part[text.len()..] } else { part });
    }
    (without.len() < name.len()).then_some(without)
}

/// Returns whether a sign is a quotation mark or a bracket.
const fn is_quotation_mark(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '„' | '(' | ')' | '«' | '»')
}

/// Returns a name in which prefixes of names are joined with the next word, such as `Sean /OBrien/` for `Sean /O'Brien/`.
/// `None` if there are none. The slashes stay.
pub(crate) fn join_prefixes_of_name(name: &str) -> Option<String> {
    let pieces: Vec<Option<String>> = name.split('/').map(join_prefixes).collect();
    let joined = name.split('/').zip(&pieces).map(|(piece, joined)| joined.as_deref().unwrap_or(piece));
    pieces.iter().any(Option::is_some).then(|| joined.collect::<Vec<&str>>().join("/"))
}

/// Returns the parts of a name in quotation marks or brackets, such as `Jack` in `John "Jack" /Smith/` or `John 'Jack' /Smith/`.
pub(crate) fn quoted_parts(name: &str) -> impl Iterator<Item = &str> {
    name.split(is_quotation_mark).skip(1).step_by(2).chain(parts_in_single_quotes(name))
}

/// Returns the parts of a name in single quotation marks, which are at the start and the end of words. Those in `O'Brien` are
/// apostrophes.
fn parts_in_single_quotes(name: &str) -> impl Iterator<Item = &str> {
    let is_between_words = |c: Option<char>| c.is_none_or(|c| !c.is_alphanumeric());
    let mut start = None;
    let marks = name.match_indices(is_apostrophe);
    marks.filter_map(move |(at, mark)| {
        let end = at + mark.len();
        let is_at_end = is_between_words(name[end..].chars().next());
        match start.filter(|_| is_at_end) {
            Some(from) => {
                start = None;
                Some(&name[from..at])
            }
            None => {
                if is_between_words(name[..at].chars().next_back()) && !is_at_end {
                    start = Some(end);
                }
                None
            }
        }
    })
}

/// Returns whether a word stands in place of a name.
fn is_placeholder(word: &str) -> bool {
    spellings(word).any(|spelling| NAME_PLACEHOLDERS.contains(&spelling.as_str()))
}

/// Adds a part, unless it is already there or the list is full.
fn push_part(pieces: &mut Vec<String>, piece: &str) {
    let piece = piece.trim();
    if !piece.is_empty() && pieces.len() < MAX_NAME_PARTS && !pieces.iter().any(|known| known == piece) {
        pieces.push(piece.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use elf_schema::vendors::VendorTag;

    #[test]
    fn all_vendor_tags_of_names_are_searched_for() {
        let tags = || VendorTag::all().map(VendorTag::tag).filter(|tag| vendor_name_type(tag).is_some());
        for tag in tags() {
            let part = part_of_tag(tag);
            assert!(part.is_some_and(|part| part != NamePart::Affix), "{tag}: {part:?}");
        }
        assert!(tags().count() > 30);
    }
}
