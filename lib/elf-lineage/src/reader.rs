//! From the typed structures of a run to its persons and families.

use crate::Asking;
use crate::ages::{AgeOf, AgeSpan, StatedAge};
use crate::days::{Dated, DayRange};
use crate::deaths::{DeathEvidence, death_evidence};
use crate::event_data::EventData;
use crate::event_names::{EventName, is_in_words, is_named};
use crate::identifiers::Key;
use crate::lists::index;
use crate::living::FIRST_DAY_OF_YEARS;
use crate::notices::{is_notice_of_privacy, restricts_readers};
use crate::run::{
    FamilyData, Link, LinkRole, Member, PartnerRole, PersonData, RepeatedMember, RunLineage, Sex, Sourcing,
    Tie, Ties,
};
use crate::spot::{RecordSpot, Spot};
use crate::text_years::TextYears;
use crate::unclear::unclear_line;
use elf_base::Excerpt;
use elf_schema::elf_tagged::{Header, LinePlaces};
use elf_schema::{Counterpart, Counterparts, Node, Role, Schema, TypedDocument, vendors};
use elf_values::Calendar;
use std::collections::HashSet;

/// The tags that many producers write under CHIL or FAMC for the tie to the father and to the mother.
const TIE_TO_FATHER: &str = "_FREL";
const TIE_TO_MOTHER: &str = "_MREL";

/// Reads the people and families of runs. It knows the roles of the types of one schema, and can be shared between
/// threads.
///
/// ```
/// use elf_lineage::{LineageBuilder, LineageReader};
/// use elf_schema::{ReadOptions, Reader, Rules};
///
/// let file: &[u8] = b"0 HEAD\n0 @I1@ INDI\n1 NAME Ada\n1 FAMC @F1@\n0 @F1@ FAM\n1 CHIL @I1@\n0 TRLR\n";
/// let mut reader = Reader::new(file, &Rules::WILD, ReadOptions::default()).with_run_size(1);
/// let mut builder = LineageBuilder::default();
/// let mut lineage_reader = None;
/// while let Some(run) = reader.next_run(&mut ())? {
///     let lineage_reader = lineage_reader.get_or_insert_with(|| LineageReader::new(run.schema()));
///     builder.take(lineage_reader.read(&run));
/// }
/// let lineage = builder.build();
/// assert_eq!((lineage.person_count(), lineage.family_count()), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct LineageReader {
    counterparts: Counterparts,
    /// True if the links between persons and families are all that is wanted.
    links_only: bool,
    /// True if names are kept whole.
    whole_names: bool,
    /// True if records are looked through for what may be another's.
    marks_unclear: bool,
    /// The tags of restriction notices other than RESN.
    restriction_tags: HashSet<String>,
    /// The questions that are to be asked, if nothing else is.
    asking: Option<Asking>,
}

/// The tag of a source, in every standard.
const SOURCE: &str = "SOUR";

/// A line of a family that names a partner or a child.
struct MemberLine<'d> {
    member: Member,
    person: Key,
    node: Node<'d>,
}

/// The run that is read.
struct PartReading<'r, 'd> {
    counterparts: &'r Counterparts,
    links_only: bool,
    whole_names: bool,
    marks_unclear: bool,
    restriction_tags: &'r HashSet<String>,
    asking: Option<Asking>,
    typed: &'d TypedDocument<'d>,
    lines: LinePlaces<'d>,
    header: &'d Header,
    /// The place of the record that is read.
    record: RecordSpot,
    made: RunLineage,
}

impl LineageReader {
    /// Creates a reader for documents with this schema.
    pub fn new(schema: &Schema) -> LineageReader {
        LineageReader {
            counterparts: Counterparts::of(schema),
            links_only: false,
            whole_names: false,
            marks_unclear: false,
            restriction_tags: HashSet::new(),
            asking: None,
        }
    }

    /// Reads structures with these tags as restriction notices: see
    /// [`restriction_tags`](crate::restriction_tags).
    #[must_use]
    pub fn with_restriction_tags<'t>(mut self, tags: impl IntoIterator<Item = &'t str>) -> LineageReader {
        self.restriction_tags = tags.into_iter().map(str::to_owned).collect();
        self
    }

    /// Keeps names whole, for showing them, not their first 40 characters.
    #[must_use]
    pub fn with_whole_names(mut self) -> LineageReader {
        self.whole_names = true;
        self
    }

    /// Marks records with lines that may belong to another record ([`unclear_line`]). Their people may be living, and
    /// their dates are not used to estimate births of relatives.
    #[must_use]
    pub fn with_unclear_records(mut self) -> LineageReader {
        self.marks_unclear = true;
        self
    }

    /// Leaves out names and events to save memory; keeps people, families and their links.
    #[must_use]
    pub fn with_links_only(mut self) -> LineageReader {
        self.links_only = true;
        self
    }

    /// Leaves out everything that these questions do not use, to save time and memory: undated events other than
    /// births and deaths, stated ages (unless unlikely facts are asked about), and whether an event [is
    /// stated](crate::Event::is_stated). [`Person::may_be_living`](crate::Person::may_be_living) is then not
    /// meaningful.
    #[must_use]
    pub fn for_questions(mut self, asking: Asking) -> LineageReader {
        self.asking = Some(asking);
        self
    }

    /// The counterpart of a structure of a whole document, given that of its superstructure.
    pub(crate) fn counterpart(
        &self,
        above: Counterpart,
        node: Node<'_>,
        typed: &TypedDocument<'_>,
    ) -> Counterpart {
        self.counterparts.find(above, node.tag(), typed.type_id(node), || typed.type_of(node))
    }

    /// Reads a document, or a run of one.
    pub fn read(&self, typed: &TypedDocument<'_>) -> RunLineage {
        let document = typed.document();
        let mut reading = PartReading {
            counterparts: &self.counterparts,
            links_only: self.links_only,
            whole_names: self.whole_names,
            marks_unclear: self.marks_unclear,
            restriction_tags: &self.restriction_tags,
            asking: self.asking,
            typed,
            lines: document.line_places(),
            header: document.header(),
            record: RecordSpot::default(),
            made: RunLineage::default(),
        };
        for record in document.records().filter(|record| !record.is_inserted()) {
            let counterpart = reading.counterpart(Counterpart::DOCUMENT, record);
            match counterpart.role() {
                Some(Role::Person) => reading.person(record, counterpart),
                Some(Role::Family) => reading.family(record, counterpart),
                _ => {}
            }
        }
        reading.made
    }
}

impl<'d> PartReading<'_, 'd> {
    fn counterpart(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        let of = self.typed.type_id(node);
        // Nearly always the type is enough, and the tag need not be read.
        let by_type = of.and_then(|of| self.counterparts.of_type(of));
        by_type.unwrap_or_else(|| self.counterparts.find(above, node.tag(), of, || self.typed.type_of(node)))
    }

    /// The substructures of a structure, each with its counterpart.
    fn substructures(
        &self,
        node: Node<'d>,
        above: Counterpart,
    ) -> impl Iterator<Item = (Node<'d>, Counterpart)> {
        node.substructures().map(move |node| (node, self.counterpart(above, node)))
    }

    fn is_unclear(&self, record: Node<'d>) -> bool {
        self.marks_unclear && unclear_line(record).is_some()
    }

    fn person(&mut self, record: Node<'d>, above: Counterpart) {
        self.record = RecordSpot::of(self.lines.place(record, record.line_span()));
        let mut person = PersonData {
            key: self.made.long.key(record.xref().unwrap_or_default()),
            spot: self.record,
            name_end: 0,
            first_event: index(self.made.events.len()),
            sex: Sex::default(),
            is_private: false,
            is_unclear: self.is_unclear(record),
            has_given_name: false,
            sourcing: self.sourcing(record),
        };
        let mut has_name = false;
        let mut has_sex = false;
        for node in record.substructures() {
            let found = self.counterpart(above, node);
            match found.role() {
                Some(Role::Name) if !has_name && !self.links_only => {
                    has_name = true;
                    let name = node.text();
                    let kept = if self.whole_names { &*name } else { &*Excerpt::short(&name) };
                    push_name(&mut self.made.names, kept);
                    person.has_given_name = has_given_name(&name);
                }
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = sex(&node.text());
                }
                Some(Role::Restriction) => person.is_private |= restricts_readers(&node.text()),
                // A notice in a tag of a program has no role.
                None if is_notice_of_privacy(node) => person.is_private = true,
                None if self.restriction_tags.contains(node.tag()) => {
                    person.is_private |= restricts_readers(&node.text());
                }
                Some(Role::FamilyAsChild) => self.link_as_child(node, found),
                Some(Role::FamilyAsSpouse) => self.link(node, LinkRole::AsSpouse),
                Some(role) if role.is_event_of_person() => self.event_of_person(node, found, role),
                _ => {}
            }
        }
        self.made.events.rank_from(person.first_event as usize);
        person.name_end = index(self.made.names.len());
        self.made.persons.push(person);
    }

    fn family(&mut self, record: Node<'d>, above: Counterpart) {
        self.record = RecordSpot::of(self.lines.place(record, record.line_span()));
        let family = FamilyData {
            key: self.made.long.key(record.xref().unwrap_or_default()),
            spot: self.record,
            first_event: index(self.made.family_events.len()),
            is_unclear: self.is_unclear(record),
        };
        let number = index(self.made.families.len());
        let mut members: Vec<MemberLine<'d>> = Vec::new();
        for node in record.substructures() {
            let found = self.counterpart(above, node);
            let kind = match found.role() {
                Some(Role::Husband) => LinkRole::Partner(PartnerRole::Husband),
                Some(Role::Wife) => LinkRole::Partner(PartnerRole::Wife),
                Some(Role::Partner) => LinkRole::Partner(PartnerRole::Partner),
                Some(Role::Child) => LinkRole::Child(ties_beneath(node)),
                Some(role) if role.is_event_of_family() && self.links_only => continue,
                Some(role) if role.is_event_of_family() => {
                    let event = self.event(node, found, role);
                    if self.is_kept(event) {
                        self.made.family_events.push(event);
                    }
                    continue;
                }
                _ => continue,
            };
            let member = if matches!(kind, LinkRole::Child(_)) { Member::Child } else { Member::Partner };
            let person = self.link_from(number, node, kind);
            members.extend(person.map(|person| MemberLine { member, person, node }));
        }
        self.repeated_members(number, members);
        self.made.families.push(family);
    }

    /// Keeps the lines of a family that name a person once more.
    fn repeated_members(&mut self, family: u32, mut members: Vec<MemberLine<'d>>) {
        if self.links_only || members.len() < 2 {
            return;
        }
        // The sort is stable: of equal lines, the first one in the file stays first.
        members.sort_by_key(|line| (line.member, line.person));
        let mut repeated: Vec<_> = members
            .windows(2)
            .filter_map(|pair| match pair {
                [one, next] if (one.member, one.person) == (next.member, next.person) => {
                    Some(RepeatedMember {
                        family,
                        person: next.person,
                        member: next.member,
                        spot: Spot::of(self.lines.place(next.node, next.node.line_span()), self.record),
                    })
                }
                _ => None,
            })
            .collect();
        repeated.sort_by_key(|one| one.spot.line);
        self.made.repeated.append(&mut repeated);
    }

    /// Looks for a source anywhere in the record of a person, if that is asked.
    fn sourcing(&self, record: Node<'d>) -> Sourcing {
        match self.asking.is_some_and(|asking| asking.by_name.no_source) {
            false => Sourcing::Unknown,
            true if record.descendants().any(|node| node.tag() == SOURCE) => Sourcing::Sourced,
            true => Sourcing::Unsourced,
        }
    }

    /// Adds a link of the person that is read.
    fn link(&mut self, node: Node<'d>, kind: LinkRole) {
        _ = self.link_from(index(self.made.persons.len()), node, kind);
    }

    /// Adds a link, and returns the identifier that it leads to. `None` if the structure is no pointer.
    fn link_from(&mut self, from: u32, node: Node<'d>, kind: LinkRole) -> Option<Key> {
        let pointer = node.pointer().filter(|pointer| !self.header.is_void(pointer))?;
        let to = self.made.long.key(pointer);
        self.made.links.push(Link { from, kind, to });
        Some(to)
    }

    fn link_as_child(&mut self, node: Node<'d>, above: Counterpart) {
        let mut tie = Tie::Unknown;
        for (node, found) in self.substructures(node, above) {
            match found.role() {
                Some(Role::Pedigree) => tie = tie.max(Tie::of(&node.text())),
                Some(Role::LinkStatus) if node.text().trim().eq_ignore_ascii_case("disproven") => {
                    tie = Tie::Disproven;
                }
                _ => {}
            }
        }
        // Some programs write the ties to father and mother here, others under CHIL.
        let ties = Ties::both(tie).and(ties_beneath(node));
        self.link(node, LinkRole::AsChild(ties));
    }

    fn event_of_person(&mut self, node: Node<'d>, above: Counterpart, role: Role) {
        if !self.links_only {
            let event = self.event(node, above, role);
            if self.is_kept(event) {
                self.made.events.push(event);
            }
        }
        match role {
            Role::Birth => {
                let families: Vec<Node<'d>> = self
                    .substructures(node, above)
                    .filter(|(_, found)| found.role() == Some(Role::BirthFamily))
                    .map(|(node, _)| node)
                    .collect();
                for family in families {
                    self.link(family, LinkRole::AsChild(Ties::both(Tie::Birth)));
                }
            }
            Role::Adoption => self.adoption(node, above),
            _ => {}
        }
    }

    /// Returns whether an event is needed. Some are needed without a date: a further birth or death is mentioned, a
    /// burial shows a death, and a marriage or divorce may have been on any day.
    fn is_kept(&self, event: EventData) -> bool {
        let counts_undated = matches!(
            event.role,
            Role::Birth | Role::Death | Role::Burial | Role::Cremation | Role::Marriage | Role::Divorce
        );
        self.asking.is_none() || !event.range.is_any() || counts_undated
    }

    /// Adds the links that an adoption makes.
    fn adoption(&mut self, node: Node<'d>, above: Counterpart) {
        let mut links = Vec::new();
        for (family, found) in self.substructures(node, above) {
            if found.role() != Some(Role::AdoptiveFamily) || family.pointer().is_none() {
                continue;
            }
            let mut by = self.substructures(family, found);
            let by = by.find(|(_, found)| found.role() == Some(Role::AdoptedBy));
            let by = by.map(|(node, _)| node.text().trim().to_ascii_uppercase());
            let ties = match by.as_deref() {
                Some("HUSB") => Ties { husband: Tie::Adopted, wife: Tie::Unknown },
                Some("WIFE") => Ties { husband: Tie::Unknown, wife: Tie::Adopted },
                _ => Ties::both(Tie::Adopted),
            };
            links.push((family, ties));
        }
        if links.is_empty() {
            let from = index(self.made.persons.len());
            let to = Key::NONE;
            self.made.links.push(Link { from, kind: LinkRole::AdoptedSomewhere, to });
        }
        for (family, ties) in links {
            self.link(family, LinkRole::AsChild(ties));
        }
    }

    /// Reads an event: its first date counts.
    fn event(&mut self, node: Node<'d>, above: Counterpart, role: Role) -> EventData {
        let mut date: Option<Node<'d>> = None;
        let mut has_several_dates = false;
        let mut ages: [Option<(AgeOf, Node<'d>)>; 2] = [None; 2];
        let [first, second] = &mut ages;
        for (node, found) in self.substructures(node, above) {
            match found.role() {
                Some(Role::Date) if date.is_none() => date = Some(node),
                Some(Role::Date) => has_several_dates = true,
                Some(Role::Age) if first.is_none() => *first = Some((AgeOf::Person, node)),
                Some(Role::AgeOfHusband) => *first = self.age_beneath(node, found, AgeOf::Husband),
                Some(Role::AgeOfWife) => *second = self.age_beneath(node, found, AgeOf::Wife),
                _ => {}
            }
        }
        let dated =
            date.map_or(Dated::NONE, |date| Dated::meant(&date.text(), date.document().rules().schema.dates));
        let line = date.unwrap_or(node);
        let place = self.lines.place(line, line.line_span());
        let evidence = match self.asking.is_none() && is_of_death(role) {
            true => {
                death_evidence(node, role, |below| self.counterpart(above, below).role() == Some(Role::Date))
            }
            false => DeathEvidence::default(),
        };
        let is_stated = match is_of_death(role) {
            true => !evidence.is_denied && (evidence.is_told || !dated.range.is_any()),
            false => is_stated(node),
        };
        let is_stated = self.asking.is_none() && is_stated;
        let event = EventData::new(role, dated, Spot::of(place, self.record), is_stated);
        let event = event.with_death_evidence(evidence);
        let event = match date.filter(|_| self.marks_unclear && (role == Role::Birth || is_of_death(role))) {
            Some(date) => with_years_of_text(event, &date.text()),
            None => event,
        };
        let event = if has_several_dates { event.with_several_dates() } else { event };
        let event = if is_named(role) { event.with_name(self.name_of(node, above, role)) } else { event };
        for (of, age) in ages.into_iter().flatten() {
            self.age(of, age, event);
        }
        event
    }

    fn age_beneath(&self, node: Node<'d>, above: Counterpart, of: AgeOf) -> Option<(AgeOf, Node<'d>)> {
        let mut beneath = self.substructures(node, above);
        beneath.find(|(_, found)| found.role() == Some(Role::Age)).map(|(node, _)| (of, node))
    }

    /// Keeps an age that an event states, if it can be compared with anything.
    fn age(&mut self, of: AgeOf, node: Node<'d>, event: EventData) {
        // The age of a couple is not the age of a person.
        let is_of_family = event.role.is_event_of_family();
        if self.asking.is_some_and(|asking| !asking.unlikely) {
            return;
        }
        if event.role == Role::Birth || event.range.is_any() || is_of_family == (of == AgeOf::Person) {
            return;
        }
        let Some(span) = AgeSpan::of(&node.text()) else { return };
        let record = if is_of_family { self.made.families.len() } else { self.made.persons.len() };
        let spot = Spot::of(self.lines.place(node, node.line_span()), self.record);
        self.made.ages.push(StatedAge { of, record: index(record), event, spot, span });
    }

    /// The name of an event whose role says little of it: the noun of its tag, else its TYPE, else its tag.
    fn name_of(&mut self, node: Node<'d>, above: Counterpart, role: Role) -> EventName {
        let by_tag = EventName::of_tag(node.tag()).filter(|_| !is_in_words(role));
        by_tag.unwrap_or_else(|| {
            let mut beneath = self.substructures(node, above);
            let words = beneath.find(|(_, found)| found.role() == Some(Role::Type)).map(|(node, _)| node);
            drop(beneath);
            match words {
                Some(words) => self.made.event_names.name(&words.text()),
                None if is_in_words(role) => EventName::default(),
                None => {
                    let label = self.typed.type_of(node).and_then(vendors::label_of_type);
                    self.made.event_names.name(label.as_deref().unwrap_or(node.tag()))
                }
            }
        })
    }
}

/// Returns whether a structure states its event: neither a denial does nor a template that nobody filled in.
fn is_stated(node: Node<'_>) -> bool {
    let says = |node: Node<'_>| node.pointer().is_some() || !node.text().trim().is_empty();
    node.text().trim().eq_ignore_ascii_case("Y") || node.descendants().any(says)
}

/// Returns whether an event of that role shows that the person is dead.
const fn is_of_death(role: Role) -> bool {
    matches!(role, Role::Death | Role::Burial | Role::Cremation)
}

/// The event with the years that its date contains, if the date cannot be read. Hebrew years are often written
/// without their thousands, and are read as days before our era.
fn with_years_of_text(event: EventData, text: &str) -> EventData {
    let is_hebrew_without_thousands =
        event.dated().calendar == Calendar::Hebrew && event.range.latest < FIRST_DAY_OF_YEARS;
    if !event.range.is_any() && !is_hebrew_without_thousands {
        return event;
    }
    match TextYears::of(text) {
        TextYears::Within(range) => event.with_unreadable_date(range),
        TextYears::Doubtful => event.with_unreadable_date(DayRange::ANY),
        TextYears::None => event,
    }
}

/// The ties that producers write under a link between a child and a family.
fn ties_beneath(node: Node<'_>) -> Ties {
    let tie = |tag| node.substructure(tag).map_or(Tie::Unknown, |node| Tie::of(&node.text()));
    if node.substructures().next().is_none() {
        return Ties::default();
    }
    Ties { husband: tie(TIE_TO_FATHER), wife: tie(TIE_TO_MOTHER) }
}

fn sex(text: &str) -> Sex {
    match text.trim() {
        "M" | "m" => Sex::Male,
        "F" | "f" => Sex::Female,
        _ => Sex::Unknown,
    }
}

/// Returns whether a name has a letter outside the slashes around the surname.
fn has_given_name(name: &str) -> bool {
    name.split('/').step_by(2).any(|part| part.chars().any(char::is_alphabetic))
}

/// Adds a name without slashes and needless blanks.
fn push_name(names: &mut String, name: &str) {
    let start = names.len();
    let mut add = |word: &str| {
        if !word.is_empty() {
            if names.len() > start {
                names.push(' ');
            }
            names.push_str(word);
        }
    };
    // Nearly all names only have ASCII spaces, which are faster to find.
    if name.is_ascii() {
        name.split([' ', '/', '\t', '\n', '\x0B', '\x0C', '\r']).for_each(&mut add);
    } else {
        name.split(|c: char| c == '/' || c.is_whitespace()).for_each(&mut add);
    }
}
