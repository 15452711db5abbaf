//! Thresholds for questions about facts.

use std::ops::RangeInclusive;

/// The thresholds for questions about facts, in years unless the name says days.
///
/// ```
/// use elf_lineage::Thresholds;
///
/// let mut thresholds = Thresholds::default();
/// thresholds.set("oldest-mother", 50)?;
/// assert_eq!(thresholds.oldest_mother, 50);
/// assert_eq!(
///     thresholds.set("oldest-mother", 500).unwrap_err().to_string(),
///     "expected `oldest-mother` from 0 to 200, but found 500"
/// );
/// assert!(thresholds.set("oldest-aunt", 50).is_err());
/// # Ok::<(), elf_lineage::ThresholdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Thresholds {
    /// The maximum number of days from the death of a father to the birth of a child.
    pub days_after_father_death: u32,
    /// The minimum age of a mother at the birth of a child.
    pub youngest_mother: u32,
    /// The minimum age of a father at the birth of a child.
    pub youngest_father: u32,
    /// The maximum age of a mother at the birth of a child.
    pub oldest_mother: u32,
    /// The maximum age of a father at the birth of a child.
    pub oldest_father: u32,
    /// The maximum age of a person.
    pub longest_life: u32,
    /// The minimum age at a marriage.
    pub youngest_partner: u32,
    /// The maximum number of days between the births of twins.
    pub days_of_twins: u32,
    /// The minimum number of days between the births of children of one mother who are not twins.
    pub days_between_siblings: u32,
    /// The number of years by which a date with ABT, CAL or EST is extended at both ends.
    pub years_of_approximation: u32,
    /// The maximum difference in years between a stated age and the dates.
    pub years_beside_age: u32,
}

/// A threshold: its name, maximum and meaning.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Threshold {
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    /// The maximum; the minimum is 0.
    pub most: u32,
    /// The meaning, as a phrase.
    pub meaning: &'static str,
    field: fn(&mut Thresholds) -> &mut u32,
}

/// The reason why a threshold cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ThresholdError {
    /// There is no threshold with this name.
    #[error("expected one of {}, but found `{found}`", list_names())]
    Unknown {
        /// The name that was given.
        found: Box<str>,
    },
    /// The number is out of range.
    #[error("expected `{name}` from {} to {}, but found {found}", range.start(), range.end())]
    OutOfRange {
        /// The name of the threshold.
        name: &'static str,
        /// The numbers that the threshold allows.
        range: RangeInclusive<u32>,
        /// The number that was given.
        found: i64,
    },
}

fn list_names() -> String {
    let names: Vec<String> = Thresholds::ALL.iter().map(|one| format!("`{}`", one.name)).collect();
    names.join(", ")
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            days_after_father_death: 294,
            youngest_mother: 12,
            youngest_father: 12,
            oldest_mother: 55,
            oldest_father: 80,
            longest_life: 110,
            youngest_partner: 12,
            days_of_twins: 2,
            days_between_siblings: 210,
            years_of_approximation: 5,
            years_beside_age: 1,
        }
    }
}

const fn threshold(
    name: &'static str,
    most: u32,
    meaning: &'static str,
    field: fn(&mut Thresholds) -> &mut u32,
) -> Threshold {
    Threshold { name, most, meaning, field }
}

impl Thresholds {
    /// All thresholds, in the order of the fields.
    pub const ALL: [Threshold; 11] = [
        threshold(
            "days-after-father-death",
            1_000,
            "the maximum number of days between the death of a father and the birth of a child",
            |all| &mut all.days_after_father_death,
        ),
        threshold(
            "youngest-mother",
            50,
            "the minimum age of a mother at the birth of a child, in years",
            |all| &mut all.youngest_mother,
        ),
        threshold(
            "youngest-father",
            50,
            "the minimum age of a father at the birth of a child, in years",
            |all| &mut all.youngest_father,
        ),
        threshold(
            "oldest-mother",
            200,
            "the maximum age of a mother at the birth of a child, in years",
            |all| &mut all.oldest_mother,
        ),
        threshold(
            "oldest-father",
            200,
            "the maximum age of a father at the birth of a child, in years",
            |all| &mut all.oldest_father,
        ),
        threshold("longest-life", 1_000, "the maximum age that a person reaches, in years", |all| {
            &mut all.longest_life
        }),
        threshold("youngest-partner", 50, "the minimum age at a marriage, in years", |all| {
            &mut all.youngest_partner
        }),
        threshold("days-of-twins", 300, "the maximum number of days between the births of twins", |all| {
            &mut all.days_of_twins
        }),
        threshold(
            "days-between-siblings",
            1_000,
            "the minimum number of days between the births of other children of one mother",
            |all| &mut all.days_between_siblings,
        ),
        threshold(
            "years-of-approximation",
            100,
            "years added on either side of a date with ABT, CAL or EST",
            |all| &mut all.years_of_approximation,
        ),
        threshold(
            "years-beside-age",
            100,
            "the maximum difference between a stated age and the dates, in years",
            |all| &mut all.years_beside_age,
        ),
    ];

    /// Sets a threshold by its name.
    ///
    /// # Errors
    ///
    /// Returns [`ThresholdError::Unknown`] if no threshold has this name, and
    /// [`ThresholdError::OutOfRange`] if the threshold does not allow the number.
    pub fn set(&mut self, name: &str, number: i64) -> Result<(), ThresholdError> {
        let known = Thresholds::ALL.iter().find(|one| one.name == name);
        let Some(Threshold { name, most, field, .. }) = known else {
            return Err(ThresholdError::Unknown { found: name.into() });
        };
        match u32::try_from(number).ok().filter(|number| number <= most) {
            Some(number) => *field(self) = number,
            None => return Err(ThresholdError::OutOfRange { name, range: 0..=*most, found: number }),
        }
        Ok(())
    }

    /// Returns the value of a threshold by name.
    pub fn get(mut self, name: &str) -> Option<u32> {
        let known = Thresholds::ALL.iter().find(|one| one.name == name)?;
        Some(*(known.field)(&mut self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_threshold_is_set_by_its_own_name() {
        for (number, one) in (1_u32..).zip(Thresholds::ALL) {
            let mut all = Thresholds::default();
            let before = Thresholds::ALL.map(|other| all.get(other.name));
            all.set(one.name, number.into()).expect("within its range");
            let changed = Thresholds::ALL.map(|other| all.get(other.name));
            let differing: Vec<usize> = (0..before.len()).filter(|&at| before[at] != changed[at]).collect();
            assert!(differing.iter().all(|&at| at + 1 == number as usize), "{}", one.name);
            assert_eq!(all.get(one.name), Some(number));
            assert!(all.set(one.name, i64::from(one.most) + 1).is_err());
            assert!(all.set(one.name, -1).is_err());
        }
    }

    #[test]
    fn the_documentation_lists_them_as_they_are() {
        let rows: Vec<String> = Thresholds::ALL
            .iter()
            .map(|one| {
                let default = Thresholds::default().get(one.name).unwrap_or_default();
                format!("| `{}` | {default} | {} |", one.name, one.meaning)
            })
            .collect();
        let text = include_str!("../../../docs/facts.md");
        let listed: Vec<&str> =
            text.lines().skip_while(|line| !line.starts_with("| name ")).skip(2).collect();
        assert_eq!(listed, rows);
    }
}
