//! Support for Serde. Dates and ages are serialised as text in their grammar.

use crate::{Age, DatePeriod, DateValue};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::borrow::Cow;

macro_rules! as_text {
    ($type:ident) => {
        impl Serialize for $type<'_> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type<'static> {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type<'static>, D::Error> {
                let text = Cow::<'de, str>::deserialize(deserializer)?;
                $type::parse(&text).map($type::into_owned).map_err(de::Error::custom)
            }
        }
    };
}

as_text!(Age);
as_text!(DatePeriod);
as_text!(DateValue);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bound, Days};

    #[test]
    fn values_come_back_from_json() {
        for text in ["1850", "ABT @#DJULIAN@ 3 MAR 1701/02", "BET 1900 AND 31 FEB 1901", "(about harvest)"] {
            let value = DateValue::parse(text).expect("a date");
            let json = serde_json::to_string(&value).expect("JSON");
            assert_eq!(serde_json::from_str::<DateValue<'static>>(&json).expect("a date"), value, "{json}");
        }
        for text in ["CHILD", "<2y0m", "52y 3d"] {
            let age = Age::parse(text).expect("an age");
            let json = serde_json::to_string(&age).expect("JSON");
            assert_eq!(serde_json::from_str::<Age<'static>>(&json).expect("an age"), age, "{json}");
        }
        let period: DatePeriod<'static> = serde_json::from_str("\"FROM 1900 TO 1910\"").expect("a period");
        assert_eq!(period, DatePeriod::parse("FROM 1900 TO 1910").expect("a period"));
        assert!(serde_json::from_str::<DateValue<'static>>("\"12/05/1850\"").is_err());
    }

    #[test]
    fn days_are_numbers_or_words() {
        let days = |text| DateValue::parse(text).expect("a date").days();
        let json = |text| serde_json::to_value(days(text)).expect("JSON");
        assert_eq!(
            json("BEF 20 JUN 1881"),
            serde_json::json!({ "earliest": "open", "latest": { "day": 2_408_252 } })
        );
        assert_eq!(json("TO 1900")["earliest"], "unknown");
        let back: Days = serde_json::from_value(json("1881")).expect("days");
        assert_eq!(back, days("1881"));
        assert_ne!(back.earliest, Bound::Open);
    }
}
