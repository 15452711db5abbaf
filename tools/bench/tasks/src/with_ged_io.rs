//! The tasks with ged_io.

use crate::Failure;
use ged_io::indexed::IndexedGedcomData;
use ged_io::types::date::Date;
use ged_io::types::event::Event;
use ged_io::types::individual::Individual;
use ged_io::types::individual::family_link::FamilyLinkType;
use ged_io::{GedcomBuilder, GedcomWriter};
use std::collections::{HashMap, VecDeque};

pub fn faults(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let read = GedcomBuilder::new().build_from_bytes(octets);
    Ok(read.err().iter().map(ToString::to_string).collect())
}

pub fn name(octets: &[u8], person: &str) -> Result<Option<String>, Failure> {
    let data = GedcomBuilder::new().build_from_bytes(octets)?;
    let person = data.find_individual(&format!("@{person}@"));
    Ok(person.and_then(|person| person.names.first()?.value.clone()))
}

pub fn husband(octets: &[u8], family: &str) -> Result<Option<String>, Failure> {
    let data = GedcomBuilder::new().build_from_bytes(octets)?;
    let Some(family) = data.find_family(&format!("@{family}@")) else { return Ok(None) };
    let husband = family.individual1.as_deref().and_then(|xref| data.find_individual(xref));
    Ok(husband.and_then(|husband| husband.names.first()?.value.clone()))
}

pub fn birth_changed(octets: &[u8], person: &str, date: &str) -> Result<Vec<u8>, Failure> {
    let mut data = GedcomBuilder::new().build_from_bytes(octets)?;
    let xref = format!("@{person}@");
    let mut people = data.individuals.iter_mut();
    let person = people.find(|person| person.xref.as_ref() == Some(&xref)).ok_or("no such person")?;
    let birth = person.events.iter_mut().find(|event| event.event == Event::Birth).ok_or("no birth")?;
    birth.date = Some(Date { value: Some(date.to_owned()), ..birth.date.clone().unwrap_or_default() });
    Ok(GedcomWriter::new().write_to_string(&data)?.into_bytes())
}

pub fn events(octets: &[u8]) -> Result<Vec<String>, Failure> {
    let data = GedcomBuilder::new().build_from_bytes(octets)?;
    let of_people = data.individuals.iter().flat_map(|person| &person.events);
    let of_families = data.families.iter().flat_map(|family| &family.events);
    let dates = of_people.chain(of_families).filter_map(|event| event.date.as_ref()?.value.clone());
    Ok(dates.collect())
}

pub fn kinship(octets: &[u8], one: &str, other: &str) -> Result<Vec<String>, Failure> {
    let data = IndexedGedcomData::from(GedcomBuilder::new().build_from_bytes(octets)?);
    let (ups, downs) = (ancestors(&data, one), ancestors(&data, other));
    let mut lines = Vec::new();
    for (xref, all_up) in &ups {
        let Some(all_down) = downs.get(xref) else { continue };
        let name = data.find_individual(xref).and_then(|person| person.names.first()?.value.clone());
        for (up, child) in all_up {
            // A line that meets lower down is reported for the ancestor where it meets.
            let lines_down = all_down.iter().filter(|(_, other)| child.is_none() || child != other);
            lines.extend(
                lines_down.map(|(down, _)| {
                    format!("{}: up {up}, down {down}", name.as_deref().unwrap_or_default())
                }),
            );
        }
    }
    lines.sort();
    lines.dedup();
    Ok(lines)
}

/// The generations up to each ancestor, with the child of the ancestor on each line.
fn ancestors(data: &IndexedGedcomData, of: &str) -> HashMap<String, Vec<(usize, Option<String>)>> {
    let mut found: HashMap<String, Vec<(usize, Option<String>)>> = HashMap::new();
    let mut waiting = VecDeque::from([(format!("@{of}@"), 0, None)]);
    while let Some((xref, generations, child)) = waiting.pop_front() {
        // A person can be their own ancestor in a damaged file.
        if generations > 60 {
            continue;
        }
        for family in data.get_families_as_child(&xref) {
            let parents = data.get_parents(family).into_iter().filter_map(|parent| parent.xref.clone());
            waiting.extend(parents.map(|parent| (parent, generations + 1, Some(xref.clone()))));
        }
        found.entry(xref).or_default().push((generations, child));
    }
    found
}

/// People and families only: pointers to sources, notes and media of the second file would lead to wrong records.
pub fn merged(one: &[u8], two: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut one = GedcomBuilder::new().build_from_bytes(one)?;
    let mut two = GedcomBuilder::new().build_from_bytes(two)?;
    let by_likeness: HashMap<(String, String), usize> =
        one.individuals.iter().enumerate().filter_map(|(at, person)| Some((likeness(person)?, at))).collect();
    let mut people: HashMap<String, String> = HashMap::new();
    let mut families: HashMap<String, String> = HashMap::new();
    for person in &two.individuals {
        let Some(xref) = person.xref.clone() else { continue };
        let same = likeness(person).and_then(|likeness| by_likeness.get(&likeness));
        let to = same.and_then(|&at| one.individuals[at].xref.clone());
        people.insert(xref, to.unwrap_or_else(|| format!("@I{}B@", people.len())));
    }
    for family in &mut two.families {
        let moved = |xref: &String| people.get(xref).cloned();
        family.individual1 = family.individual1.as_ref().and_then(moved);
        family.individual2 = family.individual2.as_ref().and_then(moved);
        family.children = family.children.iter().filter_map(moved).collect();
        let couple = (&family.individual1, &family.individual2);
        let same = one.families.iter().position(|one| (&one.individual1, &one.individual2) == couple);
        let to = same.and_then(|at| one.families[at].xref.clone());
        let to = to.unwrap_or_else(|| format!("@F{}B@", families.len()));
        families.extend(family.xref.replace(to.clone()).map(|from| (from, to)));
    }
    for mut person in two.individuals {
        person.xref = person.xref.and_then(|xref| people.get(&xref).cloned());
        person.families.iter_mut().for_each(|link| {
            link.xref = families.get(&link.xref).cloned().unwrap_or_default();
        });
        match one.individuals.iter_mut().find(|one| one.xref == person.xref) {
            Some(same) => combine(same, person),
            None => one.individuals.push(person),
        }
    }
    for family in two.families {
        match one.families.iter_mut().find(|one| one.xref == family.xref) {
            Some(same) => {
                let new = family.children.into_iter().filter(|child| !same.children.contains(child));
                let new: Vec<String> = new.collect();
                same.children.extend(new);
                same.events.extend(family.events);
            }
            None => one.families.push(family),
        }
    }
    Ok(GedcomWriter::new().write_to_string(&one)?.into_bytes())
}

/// Adds what a person has in the second file to the person in the first.
fn combine(same: &mut Individual, person: Individual) {
    for event in person.events {
        if !same.events.contains(&event) {
            same.events.push(event);
        }
    }
    for link in person.families {
        let kind = |one: &FamilyLinkType| matches!(one, FamilyLinkType::Child);
        let is_same = |one: &ged_io::types::individual::family_link::FamilyLink| {
            one.xref == link.xref && kind(&one.family_link_type) == kind(&link.family_link_type)
        };
        if !same.families.iter().any(is_same) {
            same.families.push(link);
        }
    }
}

/// The name, and the year of birth.
fn likeness(person: &Individual) -> Option<(String, String)> {
    let name = person.names.first()?.value.as_ref()?.to_lowercase();
    let birth = person.events.iter().find(|event| event.event == Event::Birth)?;
    let date = birth.date.as_ref()?.value.as_ref()?;
    Some((name, date.split(' ').next_back()?.to_owned()))
}
