//! The picture of events by decade: bars in SVG, with a title, a description and a legend.

use super::sections::decade_name;
use crate::page::decades::{Decades, EventGroup};
use crate::page::markup::Markup;
use crate::{counted, grouped};
use std::io;

/// The most bars of a picture: of a longer time each stands for several decades.
const BARS: i64 = 110;

/// The size of the picture and its margins, in units of its own.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 6.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;

/// The least room for a label under the bars.
const LABEL: f64 = 46.0;

/// The widest room for a bar.
const WIDEST: f64 = 44.0;

/// The bars of a picture.
struct Bars {
    /// The first year of the first bar.
    first: i64,
    /// The number of years of a bar.
    years: i64,
    counts: Vec<[u64; 4]>,
}

impl Bars {
    fn of(decades: &Decades) -> Option<Bars> {
        let (first, _) = decades.counts().next()?;
        let (last, _) = decades.counts().next_back()?;
        let steps = [10, 20, 50, 100, 200, 500, 1000];
        let bars = |years: i64| last.div_euclid(years) - first.div_euclid(years) + 1;
        let years = steps.into_iter().find(|&years| bars(years) <= BARS).unwrap_or(1000);
        let start = first.div_euclid(years);
        let mut counts = vec![[0; 4]; usize::try_from(bars(years)).unwrap_or_default()];
        for (decade, more) in decades.counts() {
            let at = usize::try_from(decade.div_euclid(years) - start).unwrap_or_default();
            if let Some(bar) = counts.get_mut(at) {
                bar.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            }
        }
        Some(Bars { first: start * years, years, counts })
    }

    fn highest(&self) -> u64 {
        self.counts.iter().map(|bar| bar.iter().sum()).max().unwrap_or_default()
    }

    /// The first years of the bars, each with its counts.
    fn all(&self) -> impl Iterator<Item = (i64, &[u64; 4])> {
        (0..).map(|at| self.first + at * self.years).zip(&self.counts)
    }

    /// Names a bar: a decade, or a run of years.
    fn name(&self, year: i64) -> String {
        if self.years == 10 {
            return decade_name(year);
        }
        match (year, year + self.years - 1) {
            (0.., last) => format!("{year}–{last}"),
            (_, last @ 1..) => format!("{} B.C.–{last}", 1 - year),
            (_, last) => format!("{}–{} B.C.", 1 - year, 1 - last),
        }
    }
}

/// Writes the picture of so many events, with elements whose identifiers begin with `id`.
pub(super) fn figure(markup: &mut Markup<'_>, id: &str, decades: &Decades, all: u64) -> io::Result<()> {
    let Some(bars) = Bars::of(decades) else { return Ok(()) };
    markup.open("figure", &[])?;
    markup.open("figcaption", &[])?;
    legend(markup)?;
    if bars.years != 10 {
        markup.element("p", &[], &format!("Each bar stands for {} years.", bars.years))?;
    }
    markup.close_line()?;
    let (title, about) = (format!("{id}-title"), format!("{id}-about"));
    let labels = format!("{title} {about}");
    let scroll = [("class", "scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Picture")];
    markup.open("div", &scroll)?;
    let size = format!("0 0 {WIDTH} {HEIGHT}");
    let attributes =
        [("class", "chart"), ("viewBox", &*size), ("role", "img"), ("aria-labelledby", &*labels)];
    markup.open("svg", &attributes)?;
    let name = if bars.years == 10 {
        "Events by decade".to_owned()
    } else {
        format!("Events by {} years", bars.years)
    };
    markup.element("title", &[("id", &title)], &name)?;
    markup.element("desc", &[("id", &about)], &description(&bars, all))?;
    draw(markup, &bars)?;
    markup.close()?;
    markup.close()?;
    markup.close_line()
}

fn legend(markup: &mut Markup<'_>) -> io::Result<()> {
    markup.open("ul", &[("class", "legend")])?;
    for group in EventGroup::ALL {
        markup.open("li", &[])?;
        markup.open("svg", &[("viewBox", "0 0 10 10"), ("aria-hidden", "true")])?;
        markup.element("rect", &[("class", class(group)), ("width", "10"), ("height", "10")], "")?;
        markup.close()?;
        markup.text(group.name())?;
        markup.close()?;
    }
    markup.close()
}

/// The words for those who do not see the picture.
fn description(bars: &Bars, all: u64) -> String {
    let last = bars.first + (bars.counts.len() as i64 - 1) * bars.years;
    let most = bars.all().max_by_key(|(year, counts)| (counts.iter().sum::<u64>(), -year));
    let most = most.map(|(year, counts)| (bars.name(year), counts.iter().sum::<u64>()));
    let (name, count) = most.unwrap_or_default();
    format!(
        "{} from the {} to the {}; most in the {name}: {}. A table with all numbers follows.",
        counted(all, "event"),
        bars.name(bars.first),
        bars.name(last),
        grouped(count)
    )
}

fn draw(markup: &mut Markup<'_>, bars: &Bars) -> io::Result<()> {
    let (step, top) = scale(bars.highest());
    let height = HEIGHT - TOP - BOTTOM;
    let level = |count: u64| HEIGHT - BOTTOM - height * count as f64 / top as f64;
    for count in (0..=top).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        let (y, text_y) = (short(level(count)), short(level(count) + 4.0));
        let (left, right) = (short(LEFT), short(WIDTH - RIGHT));
        markup.element(
            "line",
            &[("class", "axis"), ("x1", &left), ("x2", &right), ("y1", &y), ("y2", &y)],
            "",
        )?;
        let at = short(LEFT - 6.0);
        markup.element("text", &[("x", &at), ("y", &text_y), ("text-anchor", "end")], &grouped(count))?;
    }
    let room = ((WIDTH - LEFT - RIGHT) / bars.counts.len() as f64).min(WIDEST);
    let width = room * 0.84;
    let each = labelled_each(bars, room);
    for (at, (year, counts)) in bars.all().enumerate() {
        let x = LEFT + at as f64 * room;
        if year.rem_euclid(each) == 0 {
            let label = if year < 0 { format!("{} B.C.", 1 - year) } else { year.to_string() };
            let middle = x + room / 2.0;
            // One that would be cut off ends where the picture does.
            let (at, anchor) = match middle + room_of(year) / 2.0 > WIDTH {
                true => (WIDTH, "end"),
                false => (middle, "middle"),
            };
            let (at, base) = (short(at), short(HEIGHT - 8.0));
            markup.element("text", &[("x", &at), ("y", &base), ("text-anchor", anchor)], &label)?;
        }
        if counts.iter().sum::<u64>() > 0 {
            bar(markup, &bars.name(year), counts, (x + (room - width) / 2.0, width), &level)?;
        }
    }
    Ok(())
}

fn bar(
    markup: &mut Markup<'_>,
    name: &str,
    counts: &[u64; 4],
    (x, width): (f64, f64),
    level: &dyn Fn(u64) -> f64,
) -> io::Result<()> {
    let of_groups = || EventGroup::ALL.into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let words: Vec<String> =
        of_groups().map(|(group, count)| format!("{} {}", grouped(*count), group.name())).collect();
    markup.open("g", &[])?;
    markup.element("title", &[], &format!("{name}: {}", words.join(", ")))?;
    let mut below = 0;
    for (group, count) in of_groups() {
        let (from, to) = (level(below), level(below + count));
        below += count;
        let (x, y, width, height) = (short(x), short(to), short(width), short(from - to));
        let place =
            [("class", class(group)), ("x", &*x), ("y", &*y), ("width", &*width), ("height", &*height)];
        markup.element("rect", &place, "")?;
    }
    markup.close_line()
}

/// The room that the label of a year takes.
const fn room_of(year: i64) -> f64 {
    if year < 0 { 2.0 * LABEL } else { LABEL }
}

/// The number of years between two labels.
fn labelled_each(bars: &Bars, room: f64) -> i64 {
    let steps = [10, 20, 50, 100, 200, 500, 1000, 2000];
    let label = room_of(bars.first);
    let fits = |years: i64| years % bars.years == 0 && room * (years / bars.years) as f64 >= label;
    steps.into_iter().find(|&years| fits(years)).unwrap_or(5000)
}

/// The step of the lines behind the bars, and the number at the highest.
fn scale(highest: u64) -> (u64, u64) {
    const LINES: u64 = 5;
    let mut step = 1_u64;
    let mut factors = [2, 5, 10].into_iter().cycle();
    let mut power = 1_u64;
    while step.saturating_mul(LINES) < highest {
        let factor = factors.next().unwrap_or(10);
        step = power.saturating_mul(factor);
        if factor == 10 {
            power = step;
        }
    }
    (step, step.saturating_mul(highest.div_ceil(step).max(1)))
}

/// A length with one digit behind the point.
fn short(length: f64) -> String {
    format!("{length:.1}")
}

const fn class(group: EventGroup) -> &'static str {
    match group {
        EventGroup::Births => "births",
        EventGroup::Marriages => "marriages",
        EventGroup::Deaths => "deaths",
        EventGroup::Others => "others",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_at_round_numbers() {
        let scales = [0, 1, 5, 6, 11, 26, 51, 480, 1_000_000].map(scale);
        let expected =
            [(1, 1), (1, 1), (1, 5), (2, 6), (5, 15), (10, 30), (20, 60), (100, 500), (200_000, 1_000_000)];
        assert_eq!(scales, expected);
        let (step, top) = scale(u64::MAX);
        assert!(step <= top);
    }
}
