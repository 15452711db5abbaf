//! The tasks with ged_io.

use crate::Failure;
use ged_io::types::date::Date;
use ged_io::types::event::Event;
use ged_io::{GedcomBuilder, GedcomWriter};

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
