//! Output for people and for programs.

pub(crate) mod diff;
pub(crate) mod findings;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod meaning;
mod sanitise;
pub(crate) mod schema;
pub(crate) mod tree;
pub(crate) mod value;
pub(crate) mod why;

pub(crate) use sanitise::sanitise;

/// `number` with a comma after every three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `number` of what `noun` names in the singular, such as `1 line`, `24,911 lines`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::{counted, grouped};

    #[test]
    fn numbers_are_grouped_by_three() {
        let texts = [0, 7, 999, 1000, 24911, 123_456_789].map(grouped);
        assert_eq!(texts, ["0", "7", "999", "1,000", "24,911", "123,456,789"]);
        let texts = [0, 1, 2].map(|number| counted(number, "line"));
        assert_eq!(texts, ["0 lines", "1 line", "2 lines"]);
    }
}
