//! `propose_fact`: a new event or attribute of a person or a family.

use super::propose::{ProposalAnswer, propose};
use super::{AssistantTool, Effect};
use crate::answer::{Describer, PersonBrief};
use crate::error::ToolError;
use crate::proposals::ChangeKind;
use crate::session::Session;
use crate::snapshot::Snapshot;
use crate::text::{at_signs, bare, field};
use crate::twin::{TOUCHES_HIDDEN, TwinEditor};
use elf_edit::Value;
use elf_schema::{Counterpart, Counterparts, Definition, Node, Origin, Role};
use elf_tagged::Target;
use elf_values::DateValue;
use schemars::JsonSchema;
use serde::Deserialize;

pub(crate) struct ProposeFact;

#[derive(Debug, Deserialize, JsonSchema)]
pub(crate) struct FactArgs {
    /// The name of the file; not needed if there is only one.
    #[serde(default)]
    file: Option<String>,
    /// Why the fact is added, with the evidence. It is kept in the journal.
    reason: String,
    /// The identifier of the person or the family, such as `@I1@`. Marriages, divorces and the like are facts of a family.
    record: String,
    /// The kind: a word such as `birth`, `baptism`, `death`, `burial`, `marriage`, `occupation`, `residence`, or the tag of a
    /// fact such as `CENS`.
    kind: String,
    /// What the fact is, in words, such as `Military service`. Needed for the kinds `event` and `fact`.
    #[serde(default, rename = "type")]
    words: Option<String>,
    /// The date as GEDCOM writes it, such as `3 MAR 1850`, `ABT 1850` or `BET 1850 AND 1855`.
    #[serde(default)]
    date: Option<String>,
    #[serde(default)]
    place: Option<String>,
    /// The payload of an attribute, such as the occupation. Events have none.
    #[serde(default)]
    value: Option<String>,
    /// The cause of an event, such as that of a death.
    #[serde(default)]
    cause: Option<String>,
    #[serde(default)]
    note: Option<String>,
    /// The identifier of a source record, such as `@S1@`.
    #[serde(default)]
    source: Option<String>,
    /// Where in the source, such as `folio 12`.
    #[serde(default)]
    page: Option<String>,
}

impl AssistantTool for ProposeFact {
    const NAME: &'static str = "propose_fact";
    const TITLE: &'static str = "Propose a new fact";
    const ABOUT: &'static str = "Proposes to add an event or an attribute to a person or a family, with date, place, note and \
        source. Returns the new lines and the findings that they would cause, and changes nothing. Once a proposal is \
        applied, the others on its file are outdated. So apply one before you propose the next, or put several changes \
        into one proposal with `propose_edits`.";
    const EFFECT: Effect = Effect::Proposes;
    type Args = FactArgs;
    type Answer = ProposalAnswer;

    fn run(session: &mut Session, args: FactArgs) -> Result<ProposalAnswer, ToolError> {
        propose(session, args.file.as_deref(), ChangeKind::Fact, &args.reason, |snapshot| {
            let mut editor = TwinEditor::new(snapshot);
            args.apply(snapshot, &mut editor)?;
            editor.finish()
        })
    }
}

/// The words for the kinds of facts, and their tags.
const KINDS: [(&str, &str); 28] = [
    ("adoption", "ADOP"),
    ("annulment", "ANUL"),
    ("baptism", "BAPM"),
    ("birth", "BIRT"),
    ("burial", "BURI"),
    ("census", "CENS"),
    ("christening", "CHR"),
    ("confirmation", "CONF"),
    ("cremation", "CREM"),
    ("death", "DEAT"),
    ("divorce", "DIV"),
    ("education", "EDUC"),
    ("emigration", "EMIG"),
    ("engagement", "ENGA"),
    ("event", "EVEN"),
    ("fact", "FACT"),
    ("graduation", "GRAD"),
    ("immigration", "IMMI"),
    ("marriage", "MARR"),
    ("marriage banns", "MARB"),
    ("nationality", "NATI"),
    ("naturalization", "NATU"),
    ("occupation", "OCCU"),
    ("probate", "PROB"),
    ("religion", "RELI"),
    ("residence", "RESI"),
    ("retirement", "RETI"),
    ("will", "WILL"),
];

/// The tags of attributes, which say nothing without a payload.
const ATTRIBUTES: [&str; 13] =
    ["CAST", "DSCR", "EDUC", "FACT", "IDNO", "NATI", "NCHI", "NMR", "OCCU", "PROP", "RELI", "SSN", "TITL"];

/// What a standard says about a fact in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FactRule {
    /// An event, of which `Y` says that it happened.
    Event,
    /// Another fact, or one that no standard has.
    Other,
}

/// The records that can have a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    Person,
    Family,
}

/// What the standards and programs know about a tag.
#[derive(Debug, Default)]
struct TagUses {
    in_person: Option<FactRule>,
    in_family: Option<FactRule>,
}

impl TagUses {
    /// Finds the uses of a tag. What a program does with a tag of a standard does not count: some write marriages with
    /// people.
    fn of(snapshot: &Snapshot, tag: &str) -> TagUses {
        let schema = snapshot.typed.schema();
        let counterparts = Counterparts::of(schema);
        let definitions: Vec<Definition<'_>> =
            schema.definitions().filter(|definition| definition.tag() == tag).collect();
        let mut uses = TagUses::default();
        for of_programs in [false, true] {
            for definition in &definitions {
                let is_of_program = matches!(definition.provenance().origin, Origin::Vendor(_));
                if is_of_program != of_programs {
                    continue;
                }
                let above = schema.type_of(definition.superstructure());
                let above = above.and_then(|of| counterparts.of_type(of)).unwrap_or(Counterpart::NONE);
                let of = schema.type_of(definition.structure_type());
                let rule = rule_of_role(tag, counterparts.find(above, tag, of, || None).role());
                match above.role() {
                    Some(Role::Person) => uses.in_person = uses.in_person.or(rule),
                    Some(Role::Family) => uses.in_family = uses.in_family.or(rule),
                    _ => {}
                }
            }
            if !of_programs && (uses.in_person.is_some() || uses.in_family.is_some()) {
                break;
            }
        }
        uses
    }

    fn rule_in(&self, owner: Owner) -> Option<FactRule> {
        match owner {
            Owner::Person => self.in_person,
            Owner::Family => self.in_family,
        }
    }
}

/// The rule for a tag with a role; `None` if the tag is not a fact.
fn rule_of_role(tag: &str, role: Option<Role>) -> Option<FactRule> {
    if ATTRIBUTES.contains(&tag) {
        return Some(FactRule::Other);
    }
    let role = role.filter(|role| role.is_event())?;
    let is_attribute =
        matches!(role, Role::GenericAttribute | Role::OtherAttribute | Role::Property | Role::Title);
    // Ordinances have other payloads, and the generic events and residences are described.
    let has_no_yes = is_attribute
        || tag.starts_with('_')
        || matches!(tag, "EVEN" | "RESI")
        || matches!(role, Role::Ordinance | Role::FamilyOrdinance);
    Some(if has_no_yes { FactRule::Other } else { FactRule::Event })
}

/// Finds out what a standard says about a tag in a record. Fails if such a record cannot have the tag as a fact.
fn rule_of_fact(snapshot: &Snapshot, identifier: &str, kind: &str, tag: &str) -> Result<FactRule, ToolError> {
    let Target::One(record) = snapshot.typed.document().resolve(identifier) else {
        return Err(ToolError::new(format!(
            "{}: no record has the identifier {}",
            snapshot.name,
            at_signs(identifier)
        )));
    };
    let owner = match (snapshot.person(identifier), snapshot.family(identifier)) {
        (Ok(person), _) if snapshot.is_hidden(person.id()) => return Err(ToolError::new(TOUCHES_HIDDEN)),
        (Ok(_), _) => Owner::Person,
        (_, Ok(_)) => Owner::Family,
        _ => {
            return Err(ToolError::new(format!(
                "`{tag}` does not belong in {}: only people and families have facts",
                record_with_tag(record)
            )));
        }
    };
    let uses = TagUses::of(snapshot, tag);
    match (uses.rule_in(owner), owner) {
        (Some(rule), _) => Ok(rule),
        (None, Owner::Person) if uses.in_family.is_some() => Err(ToolError::new(format!(
            "`{tag}` does not belong in {}: it is a fact of a family. {}",
            record_with_tag(record),
            families_of(snapshot, identifier)
        ))),
        (None, Owner::Family) if uses.in_person.is_some() => Err(ToolError::new(format!(
            "`{tag}` does not belong in {}: it is a fact of a person. {}",
            record_with_tag(record),
            members_of(snapshot, identifier)
        ))),
        // A tag of a program that nobody else knows.
        (None, _)
            if tag.starts_with('_') && !snapshot.typed.schema().definitions().any(|one| one.tag() == tag) =>
        {
            Ok(FactRule::Other)
        }
        (None, _) => Err(unknown_kind(kind)),
    }
}

/// Names the families in which a person is a partner.
fn families_of(snapshot: &Snapshot, identifier: &str) -> String {
    /// The most families that are named.
    const MOST: usize = 5;
    let view = snapshot.view();
    let Ok(person) = snapshot.person(identifier) else { return String::new() };
    let families: Vec<String> = person
        .families_as_partner()
        .take(MOST)
        .map(|family| {
            let partners = family.partners().filter(|(one, _)| one.id() != person.id());
            let partners: Vec<String> = partners
                .take(MOST)
                .map(|(one, _)| name_with_id(&PersonBrief::of(snapshot, &view, one)))
                .collect();
            let id = family
                .identifier()
                .map_or_else(|| "a family without an identifier".to_owned(), |id| at_signs(&id));
            match &*partners {
                [] => format!("{id} without a partner"),
                partners => format!("{id} with {}", partners.join(" and ")),
            }
        })
        .collect();
    match &*families {
        [] => {
            format!("{} is not a partner in any family: `propose_edits` can insert one", at_signs(identifier))
        }
        families => format!("Set `record` to a family of {}: {}", at_signs(identifier), families.join("; ")),
    }
}

/// Names the partners of a family.
fn members_of(snapshot: &Snapshot, identifier: &str) -> String {
    let view = snapshot.view();
    let family = snapshot.family(identifier).ok().and_then(|id| snapshot.lineage.family(id));
    let partners = family.into_iter().flat_map(elf_lineage::Family::partners);
    let partners: Vec<String> =
        partners.map(|(one, _)| name_with_id(&PersonBrief::of(snapshot, &view, one))).collect();
    match &*partners {
        [] => "`family` lists its children".to_owned(),
        partners => format!(
            "Set `record` to a person: the partners are {}, and `family` lists the children",
            partners.join(" and ")
        ),
    }
}

fn name_with_id(person: &PersonBrief) -> String {
    format!("{} {}", person.id.as_deref().unwrap_or("somebody without an identifier"), person.name)
}

/// A record in words, such as `an INDI record`.
fn record_with_tag(record: Node<'_>) -> String {
    let tag = field(record.tag());
    let article = if tag.starts_with(['A', 'E', 'I', 'O', 'U']) { "an" } else { "a" };
    format!("{article} {tag} record")
}

impl FactArgs {
    fn apply(&self, snapshot: &Snapshot, editor: &mut TwinEditor<'_>) -> Result<(), ToolError> {
        let tag = tag_of(&self.kind)?;
        let rule = rule_of_fact(snapshot, bare(&self.record), &self.kind, tag)?;
        let text = |value: &Option<String>| {
            value.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let [words, date, place, value, cause, note, page] =
            [&self.words, &self.date, &self.place, &self.value, &self.cause, &self.note, &self.page]
                .map(text);
        if let Some(date) = date.as_deref().filter(|date| DateValue::parse(date).is_err()) {
            return Err(ToolError::new(format!(
                "`{date}` is not a date: expected one such as `3 MAR 1850`, `ABT 1850`, `BET 1850 AND 1855`, or words in \
                 parentheses; `explain` with `date` says what is wrong"
            )));
        }
        if ATTRIBUTES.contains(&tag) && value.is_none() {
            return Err(ToolError::new(format!("`{tag}` needs a `value`")));
        }
        if matches!(tag, "EVEN" | "FACT") && words.is_none() {
            return Err(ToolError::new(format!(
                "`{tag}` needs a `type`, which says what it is, such as `Military service`"
            )));
        }
        if page.is_some() && self.source.is_none() {
            return Err(ToolError::new("`page` needs a `source`"));
        }
        if let Some(value) = value.as_deref().filter(|value| rule == FactRule::Event && *value != "Y") {
            return Err(ToolError::new(format!(
                "`{tag}` is an event, so its only `value` is `Y`, but found `{}`: put the text into `type`, `cause` or `note`",
                field(value)
            )));
        }
        let is_bare =
            [&words, &date, &place, &cause, &note].into_iter().all(Option::is_none) && self.source.is_none();
        if is_bare && rule == FactRule::Event {
            self.refuse_second(snapshot, tag)?;
        }
        let payload = match (value, rule) {
            (Some(value), _) => Value::Text(value),
            (None, FactRule::Event) if is_bare => Value::Text("Y".to_owned()),
            (None, FactRule::Other) if is_bare => {
                return Err(ToolError::new(format!(
                    "`{tag}` needs a date, a place, a value, a note or a source"
                )));
            }
            (None, _) => Value::None,
        };
        let record = format!("@{}@", bare(&self.record));
        let fact = editor.insert(Some(&record), None, tag, &payload)?;
        let parts = [("TYPE", words), ("DATE", date), ("PLAC", place), ("CAUS", cause), ("NOTE", note)];
        for (tag, text) in parts {
            if let Some(text) = text {
                editor.insert_under(Some(fact), None, tag, &Value::Text(text))?;
            }
        }
        if let Some(source) = &self.source {
            let pointer = Value::Pointer(bare(source).to_owned());
            editor.check_new_value(&pointer)?;
            if let Some(tag) = snapshot.tag_of_record(source).filter(|tag| *tag != "SOUR") {
                return Err(ToolError::new(format!(
                    "`source` is {}, a record with the tag {}, but expected a source, which has the tag SOUR",
                    at_signs(bare(source)),
                    field(tag)
                )));
            }
            let citation = editor.insert_under(Some(fact), None, "SOUR", &pointer)?;
            if let Some(page) = page {
                editor.insert_under(Some(citation), None, "PAGE", &Value::Text(page))?;
            }
        }
        Ok(())
    }

    /// Refuses an event of which nothing is known if the record already has one that is shown.
    fn refuse_second(&self, snapshot: &Snapshot, tag: &str) -> Result<(), ToolError> {
        let Target::One(record) = snapshot.typed.document().resolve(bare(&self.record)) else {
            return Ok(());
        };
        let mut describer = Describer::new(snapshot);
        let Some(known) = record.substructures().find(|node| node.tag() == tag) else { return Ok(()) };
        let line = describer.citer.line(known);
        let origin = snapshot.lines.find_origin(line);
        if !origin.is_same {
            return Ok(());
        }
        let path = describer.path(known);
        Err(ToolError::new(format!(
            "{} already has `{tag}` at line {}, and a second one without any data says nothing more: use `propose_edits` to add \
             to `{path}`",
            at_signs(bare(&self.record)),
            origin.line
        )))
    }
}

/// The tag of a kind of fact.
fn tag_of(kind: &str) -> Result<&str, ToolError> {
    let kind = kind.trim();
    let known = KINDS.into_iter().find(|(word, tag)| word.eq_ignore_ascii_case(kind) || *tag == kind);
    if let Some((_, tag)) = known {
        return Ok(tag);
    }
    let is_tag = kind.len() >= 3
        && kind.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_');
    if is_tag { Ok(kind) } else { Err(unknown_kind(kind)) }
}

fn unknown_kind(kind: &str) -> ToolError {
    let words: Vec<&str> = KINDS.into_iter().map(|(word, _)| word).collect();
    ToolError::new(format!(
        "unknown kind `{}`: expected the tag of an event or an attribute, or one of {}",
        field(kind),
        words.join(", ")
    ))
}
