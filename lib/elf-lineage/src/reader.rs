//! Reads the people and families of a run from its typed structures.

use crate::QuestionOptions;
use crate::ages::{AgeOwner, AgeSpan, StatedAge};
use crate::days::{DateRange, DayRange};
use crate::deaths::{DeathEvidence, find_death_evidence};
use crate::event_data::EventData;
use crate::event_names::{EventName, fact_noun, is_named_by_words, needs_name};
use crate::identifiers::XrefKey;
use crate::lists::to_u32;
use crate::living::FIRST_DAY_OF_YEARS;
use crate::names::{PersonName, is_empty_name};
use crate::notices::{is_notice_of_privacy, restricts_readers};
use crate::run::{
    FamilyData, Link, LinkRole, Member, PartnerRole, PersonData, RepeatedMember, RunLineage, Sex, Sourcing,
    Tie, Ties,
};
use crate::spot::{LinePosition, RecordPosition};
use crate::text_years::TextYears;
use crate::unclear::unclear_line;
use crate::view::RoleNode;
use elf_base::Excerpt;
use elf_schema::elf_tagged::{Header, LinePlaces};
use elf_schema::{Counterpart, Counterparts, Node, Role, Schema, TypedDocument};
use elf_values::Calendar;
use std::borrow::Cow;
use std::collections::HashSet;

/// Tags that many producers write under CHIL or FAMC for the ties to father and mother.
const TIE_TO_FATHER: &str = "_FREL";
const TIE_TO_MOTHER: &str = "_MREL";

/// Reads the people and families of runs. A reader knows the roles of the types of one schema.
/// Several threads can share it.
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
    /// Whether to read only the links between people and families.
    links_only: bool,
    /// Whether to store full names.
    whole_names: bool,
    /// Whether to mark records with lines that may belong to another record.
    marks_unclear: bool,
    /// The tags of restriction notices other than RESN.
    restriction_tags: HashSet<String>,
    /// The questions that will be asked, if the graph is used for nothing else.
    question_options: Option<QuestionOptions>,
}

/// The tag of a source in every standard.
const SOURCE: &str = "SOUR";

/// A line of a family that names a partner or a child.
struct FamilyMemberLine<'d> {
    member: Member,
    person: XrefKey,
    node: Node<'d>,
}

/// The state of reading one run.
struct RunReading<'r, 'd> {
    counterparts: &'r Counterparts,
    links_only: bool,
    whole_names: bool,
    marks_unclear: bool,
    restriction_tags: &'r HashSet<String>,
    question_options: Option<QuestionOptions>,
    typed: &'d TypedDocument<'d>,
    lines: LinePlaces<'d>,
    header: &'d Header,
    /// The position of the current record.
    record: RecordPosition,
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
            question_options: None,
        }
    }

    /// Reads structures with these tags as restriction notices: see
    /// [`restriction_tags`](crate::restriction_tags).
    #[must_use]
    pub fn with_restriction_tags<'t>(mut self, tags: impl IntoIterator<Item = &'t str>) -> LineageReader {
        self.restriction_tags = tags.into_iter().map(str::to_owned).collect();
        self
    }

    /// Stores full names, for display, instead of their first 40 characters.
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
    pub fn for_questions(mut self, options: QuestionOptions) -> LineageReader {
        self.question_options = Some(options);
        self
    }

    /// Returns the counterpart of a structure of a whole document. `above` is the counterpart of
    /// its superstructure.
    pub(crate) fn find_counterpart(
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
        let mut reading = RunReading {
            counterparts: &self.counterparts,
            links_only: self.links_only,
            whole_names: self.whole_names,
            marks_unclear: self.marks_unclear,
            restriction_tags: &self.restriction_tags,
            question_options: self.question_options,
            typed,
            lines: document.line_places(),
            header: document.header(),
            record: RecordPosition::default(),
            made: RunLineage::default(),
        };
        for record in document.records().filter(|record| !record.is_inserted()) {
            let counterpart = reading.find_counterpart(Counterpart::DOCUMENT, record);
            match counterpart.role() {
                Some(Role::Person) => reading.read_person(record, counterpart),
                Some(Role::Family) => reading.read_family(record, counterpart),
                _ => {}
            }
        }
        reading.made
    }
}

impl<'d> RunReading<'_, 'd> {
    fn find_counterpart(&self, above: Counterpart, node: Node<'_>) -> Counterpart {
        let of = self.typed.type_id(node);
        // Nearly always the type is enough, and the tag need not be read.
        let by_type = of.and_then(|of| self.counterparts.of_type(of));
        by_type.unwrap_or_else(|| self.counterparts.find(above, node.tag(), of, || self.typed.type_of(node)))
    }

    /// Returns the substructures of a structure, each with its role. `above` is the counterpart of the structure.
    fn substructures(&self, node: Node<'d>, above: Counterpart) -> impl Iterator<Item = RoleNode<'d>> {
        node.substructures().map(move |node| RoleNode::new(node, self.find_counterpart(above, node)))
    }

    fn is_unclear(&self, record: Node<'d>) -> bool {
        self.marks_unclear && unclear_line(record).is_some()
    }

    fn read_person(&mut self, record: Node<'d>, above: Counterpart) {
        self.record = RecordPosition::of(self.lines.place(record, record.line_span()));
        let mut person = PersonData {
            key: self.made.long.key(record.xref().unwrap_or_default()),
            spot: self.record,
            name_end: 0,
            first_event: to_u32(self.made.events.len()),
            sex: Sex::default(),
            is_private: false,
            is_unclear: self.is_unclear(record),
            has_given_name: false,
            sourcing: self.find_sourcing(record),
        };
        let mut name: Option<Node<'d>> = None;
        let mut has_sex = false;
        for node in record.substructures() {
            let found = self.find_counterpart(above, node);
            match found.role() {
                Some(Role::Name) if name.is_none() && !found.is_inherited() => name = Some(node),
                Some(Role::Sex) if !has_sex => {
                    has_sex = true;
                    person.sex = parse_sex(&node.text());
                }
                Some(Role::Restriction) => person.is_private |= restricts_readers(&node.text()),
                // A notice of privacy with an extension tag has no role, so it is recognised here.
                None if is_notice_of_privacy(node) => person.is_private = true,
                None if self.restriction_tags.contains(node.tag()) => {
                    person.is_private |= restricts_readers(&node.text());
                }
                Some(Role::FamilyAsChild) => self.add_link_as_child(node, found),
                Some(Role::FamilyAsSpouse) => self.add_link_of_person(node, LinkRole::AsSpouse),
                Some(role) if role.is_event_of_person() => self.read_person_event(node, found, role),
                _ => {}
            }
        }
        if let Some((name, has_given_name)) = self.find_name(record, above, name) {
            let kept = if self.whole_names { &*name } else { &*Excerpt::short(&name) };
            push_name(&mut self.made.names, kept);
            person.has_given_name = has_given_name;
        }
        self.made.events.sort_from(person.first_event as usize);
        person.name_end = to_u32(self.made.names.len());
        self.made.persons.push(person);
    }

    /// Returns the first name of a person that is not empty, and whether the name has a given name. `name` is the first
    /// NAME.
    fn find_name(
        &self,
        record: Node<'d>,
        above: Counterpart,
        name: Option<Node<'d>>,
    ) -> Option<(Cow<'d, str>, bool)> {
        if self.links_only {
            return None;
        }
        // Nearly all people have a NAME with a payload, which takes less time to read than the parts of all names.
        if let Some(text) = name.map(Node::text).filter(|text| !is_empty_name(text)) {
            let has_given_name = has_given_name(&text);
            return Some((text, has_given_name));
        }
        let names = PersonName::all_of(RoleNode::new(record, above), |part| {
            self.substructures(part.node, part.counterpart)
        });
        let first = names.into_iter().next()?;
        Some((first.text.into(), first.given.chars().any(char::is_alphabetic)))
    }

    fn read_family(&mut self, record: Node<'d>, above: Counterpart) {
        self.record = RecordPosition::of(self.lines.place(record, record.line_span()));
        let family = FamilyData {
            key: self.made.long.key(record.xref().unwrap_or_default()),
            spot: self.record,
            first_event: to_u32(self.made.family_events.len()),
            is_unclear: self.is_unclear(record),
        };
        let number = to_u32(self.made.families.len());
        let mut members: Vec<FamilyMemberLine<'d>> = Vec::new();
        for node in record.substructures() {
            let found = self.find_counterpart(above, node);
            let kind = match found.role() {
                Some(Role::Husband) => LinkRole::Partner(PartnerRole::Husband),
                Some(Role::Wife) => LinkRole::Partner(PartnerRole::Wife),
                Some(Role::Partner) => LinkRole::Partner(PartnerRole::Partner),
                Some(Role::Child) => LinkRole::Child(read_ties_under(node)),
                Some(role) if role.is_event_of_family() && self.links_only => continue,
                Some(role) if role.is_event_of_family() => {
                    let event = self.read_event(node, found, role);
                    if self.is_event_needed(event) {
                        self.made.family_events.push(event);
                    }
                    continue;
                }
                _ => continue,
            };
            let member = if matches!(kind, LinkRole::Child(_)) { Member::Child } else { Member::Partner };
            let person = self.add_link(number, node, kind);
            members.extend(person.map(|person| FamilyMemberLine { member, person, node }));
        }
        self.add_repeated_members(number, members);
        self.made.families.push(family);
    }

    /// Adds the lines of a family that name a person for the second time or later.
    fn add_repeated_members(&mut self, family: u32, mut members: Vec<FamilyMemberLine<'d>>) {
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
                        spot: LinePosition::of(
                            self.lines.place(next.node, next.node.line_span()),
                            self.record,
                        ),
                    })
                }
                _ => None,
            })
            .collect();
        repeated.sort_by_key(|one| one.spot.line);
        self.made.repeated.append(&mut repeated);
    }

    /// Looks for a source anywhere in the record of a person, if a question needs it.
    fn find_sourcing(&self, record: Node<'d>) -> Sourcing {
        match self.question_options.is_some_and(|options| options.optional.no_source) {
            false => Sourcing::Unknown,
            true if record.descendants().any(|node| node.tag() == SOURCE) => Sourcing::Sourced,
            true => Sourcing::Unsourced,
        }
    }

    /// Adds a link of the current person.
    fn add_link_of_person(&mut self, node: Node<'d>, kind: LinkRole) {
        _ = self.add_link(to_u32(self.made.persons.len()), node, kind);
    }

    /// Adds a link, and returns the identifier of its target. Returns `None` if the structure does
    /// not contain a pointer.
    fn add_link(&mut self, from: u32, node: Node<'d>, kind: LinkRole) -> Option<XrefKey> {
        let pointer = node.pointer().filter(|pointer| !self.header.is_void(pointer))?;
        let to = self.made.long.key(pointer);
        self.made.links.push(Link { from, kind, to });
        Some(to)
    }

    fn add_link_as_child(&mut self, node: Node<'d>, above: Counterpart) {
        // Some programs write the ties to father and mother under this link, others under CHIL.
        let mut ties = read_ties_under(node);
        for part in self.substructures(node, above) {
            match part.role() {
                Some(Role::Pedigree) => ties = ties.merge_with(Ties::of_pedigree(&part.node.text())),
                Some(Role::LinkStatus) if part.node.text().trim().eq_ignore_ascii_case("disproven") => {
                    ties = ties.merge_with(Ties::both(Tie::Disproven));
                }
                _ => {}
            }
        }
        self.add_link_of_person(node, LinkRole::AsChild(ties));
    }

    fn read_person_event(&mut self, node: Node<'d>, above: Counterpart, role: Role) {
        if !self.links_only {
            let event = self.read_event(node, above, role);
            if self.is_event_needed(event) {
                self.made.events.push(event);
            }
        }
        match role {
            Role::Birth => {
                let families: Vec<Node<'d>> = self
                    .substructures(node, above)
                    .filter(|part| part.role() == Some(Role::BirthFamily))
                    .map(|part| part.node)
                    .collect();
                for family in families {
                    self.add_link_of_person(family, LinkRole::AsChild(Ties::both(Tie::Birth)));
                }
            }
            Role::Adoption => self.add_adoption_links(node, above),
            _ => {}
        }
    }

    /// Returns whether an event is needed. Some events are needed even without a date: other births
    /// or deaths are mentioned, a burial shows a death, and an undated marriage or divorce may have
    /// been on any day.
    fn is_event_needed(&self, event: EventData) -> bool {
        let counts_undated = matches!(
            event.role,
            Role::Birth | Role::Death | Role::Burial | Role::Cremation | Role::Marriage | Role::Divorce
        );
        self.question_options.is_none() || !event.range.is_any() || counts_undated
    }

    /// Adds the links of an adoption.
    fn add_adoption_links(&mut self, node: Node<'d>, above: Counterpart) {
        let mut links = Vec::new();
        for part in self.substructures(node, above) {
            let RoleNode { node: family, counterpart } = part;
            if part.role() != Some(Role::AdoptiveFamily) || family.pointer().is_none() {
                continue;
            }
            let mut by = self.substructures(family, counterpart);
            let by = by.find(|part| part.role() == Some(Role::AdoptedBy));
            let by = by.map(|part| part.node.text().trim().to_ascii_uppercase());
            let ties = match by.as_deref() {
                Some("HUSB") => Ties::new(Tie::Adopted, Tie::Unknown),
                Some("WIFE") => Ties::new(Tie::Unknown, Tie::Adopted),
                _ => Ties::both(Tie::Adopted),
            };
            links.push((family, ties));
        }
        if links.is_empty() {
            let from = to_u32(self.made.persons.len());
            let to = XrefKey::NONE;
            self.made.links.push(Link { from, kind: LinkRole::AdoptedSomewhere, to });
        }
        for (family, ties) in links {
            self.add_link_of_person(family, LinkRole::AsChild(ties));
        }
    }

    /// Reads an event with its first date.
    fn read_event(&mut self, node: Node<'d>, above: Counterpart, role: Role) -> EventData {
        let mut date: Option<Node<'d>> = None;
        let mut has_several_dates = false;
        let mut ages: [Option<(AgeOwner, Node<'d>)>; 2] = [None; 2];
        let [first, second] = &mut ages;
        for RoleNode { node, counterpart } in self.substructures(node, above) {
            match counterpart.role() {
                Some(Role::Date) if date.is_none() => date = Some(node),
                Some(Role::Date) => has_several_dates = true,
                Some(Role::Age) if first.is_none() => *first = Some((AgeOwner::Person, node)),
                Some(Role::AgeOfHusband) => {
                    *first = self.find_age_of_partner(node, counterpart, AgeOwner::Husband);
                }
                Some(Role::AgeOfWife) => {
                    *second = self.find_age_of_partner(node, counterpart, AgeOwner::Wife);
                }
                _ => {}
            }
        }
        let dated = date.map_or(DateRange::NONE, |date| {
            DateRange::parse(&date.text(), date.document().rules().schema.dates)
        });
        let line = date.unwrap_or(node);
        let place = self.lines.place(line, line.line_span());
        let evidence = match self.question_options.is_none() && shows_death(role) {
            true => find_death_evidence(node, role, |below| {
                self.find_counterpart(above, below).role() == Some(Role::Date)
            }),
            false => DeathEvidence::default(),
        };
        let is_stated = match shows_death(role) {
            true => !evidence.is_denied && (evidence.is_stated || !dated.range.is_any()),
            false => is_stated(node),
        };
        let is_stated = self.question_options.is_none() && is_stated;
        let event = EventData::new(role, dated, LinePosition::of(place, self.record), is_stated);
        let event = event.with_death_evidence(evidence);
        let event = match date.filter(|_| self.marks_unclear && (role == Role::Birth || shows_death(role))) {
            Some(date) => with_years_of_text(event, &date.text()),
            None => event,
        };
        let event = if has_several_dates { event.with_several_dates() } else { event };
        let event =
            if needs_name(role) { event.with_name(self.name_event(node, above, role)) } else { event };
        for (of, age) in ages.into_iter().flatten() {
            self.add_age(of, age, event);
        }
        event
    }

    fn find_age_of_partner(
        &self,
        node: Node<'d>,
        above: Counterpart,
        of: AgeOwner,
    ) -> Option<(AgeOwner, Node<'d>)> {
        let mut parts = self.substructures(node, above);
        parts.find(|part| part.role() == Some(Role::Age)).map(|part| (of, part.node))
    }

    /// Adds an age that an event states, if it can be compared with a date.
    fn add_age(&mut self, of: AgeOwner, node: Node<'d>, event: EventData) {
        // The age of a couple is not the age of a person.
        let is_of_family = event.role.is_event_of_family();
        if self.question_options.is_some_and(|options| !options.unlikely) {
            return;
        }
        if event.role == Role::Birth || event.range.is_any() || is_of_family == (of == AgeOwner::Person) {
            return;
        }
        let Some(span) = AgeSpan::parse(&node.text()) else { return };
        let record = if is_of_family { self.made.families.len() } else { self.made.persons.len() };
        let spot = LinePosition::of(self.lines.place(node, node.line_span()), self.record);
        self.made.ages.push(StatedAge { of, record: to_u32(record), event, spot, span });
    }

    /// Names an event whose role does not say what it is.
    fn name_event(&mut self, node: Node<'d>, above: Counterpart, role: Role) -> EventName {
        // The nouns of tags have numbers of their own and need not be stored.
        if let Some(name) = EventName::of_tag(node.tag()).filter(|_| !is_named_by_words(role)) {
            return name;
        }
        let mut parts = self.substructures(node, above);
        let words = parts.find(|part| part.role() == Some(Role::Type)).map(|part| part.node.text());
        drop(parts);
        let words = words.unwrap_or_default();
        if words.trim().is_empty() && is_named_by_words(role) {
            return EventName::default();
        }
        let noun = fact_noun(role, node.tag(), self.typed.type_of(node), &words);
        self.made.event_names.number_name(&noun)
    }
}

/// Returns whether a structure states its event. A denial, and a template that was not filled in,
/// state nothing.
fn is_stated(node: Node<'_>) -> bool {
    let says = |node: Node<'_>| node.pointer().is_some() || !node.text().trim().is_empty();
    node.text().trim().eq_ignore_ascii_case("Y") || node.descendants().any(says)
}

/// Returns whether an event with this role shows that the person is dead.
const fn shows_death(role: Role) -> bool {
    matches!(role, Role::Death | Role::Burial | Role::Cremation)
}

/// Adds the years in the text of an unreadable date to an event. A Hebrew date whose days are BC
/// counts as unreadable, because Hebrew years are often written without their thousands.
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

/// Reads the ties that producers write under a link between a child and a family.
fn read_ties_under(node: Node<'_>) -> Ties {
    let tie = |tag| {
        let word = node.substructure(tag)?.text();
        (!word.trim().is_empty()).then(|| Tie::of(&word))
    };
    if node.substructures().next().is_none() {
        return Ties::default();
    }
    Ties::named(tie(TIE_TO_FATHER), tie(TIE_TO_MOTHER))
}

fn parse_sex(text: &str) -> Sex {
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

/// Adds a name to `names`, without slashes and repeated spaces.
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
