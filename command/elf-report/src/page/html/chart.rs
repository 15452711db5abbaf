//! The picture of events by decade: a bar chart in SVG, with a title, a description and a legend.

use crate::page::decades::{Decades, EventGroup, decade_name};
use crate::{counted, grouped};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// The maximum number of bars. If there are more decades, each bar stands for several of them.
const BARS: i64 = 110;

/// The size of the picture and its margins, in SVG units.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 46.0;
const RIGHT: f64 = 6.0;
const TOP: f64 = 10.0;
const BOTTOM: f64 = 24.0;

/// The minimum space for a label under the bars.
const LABEL: f64 = 46.0;

/// The maximum space for a bar.
const WIDEST: f64 = 44.0;

/// The bars of a picture. There is at least one.
pub(super) struct Figure {
    /// The first year of the first bar.
    first: i64,
    /// The number of years that a bar stands for.
    years: i64,
    /// The number of events of each bar, by group.
    counts: Vec<[u64; 4]>,
}

/// A bar: one or more decades, and its events by group.
#[derive(Clone, Copy)]
struct Bar<'f> {
    /// The first year.
    year: i64,
    counts: &'f [u64; 4],
}

impl Bar<'_> {
    fn events(self) -> u64 {
        self.counts.iter().sum()
    }
}

impl Figure {
    /// Groups decades into bars. `None` if there are no decades.
    pub(super) fn of(decades: &Decades) -> Option<Figure> {
        let (first, _) = decades.counts().next()?;
        let (last, _) = decades.counts().next_back()?;
        let steps = [10, 20, 50, 100, 200, 500, 1000];
        let bars = |years: i64| last.div_euclid(years) - first.div_euclid(years) + 1;
        let years = steps.into_iter().find(|&years| bars(years) <= BARS).unwrap_or(1000);
        let mut counts: BTreeMap<i64, [u64; 4]> = BTreeMap::new();
        for (decade, more) in decades.counts() {
            let bar = counts.entry(decade.div_euclid(years)).or_default();
            bar.iter_mut().zip(more).for_each(|(count, more)| *count += more);
        }
        let (first, last) = (first.div_euclid(years), last.div_euclid(years));
        // A bar without an entry has no events.
        let counts = (first..=last).map(|bar| counts.get(&bar).copied().unwrap_or([0; 4])).collect();
        Some(Figure { first: first * years, years, counts })
    }

    fn events(&self) -> u64 {
        self.bars().map(Bar::events).sum()
    }

    fn highest(&self) -> u64 {
        self.bars().map(Bar::events).fold(0, u64::max)
    }

    fn bars(&self) -> impl Iterator<Item = Bar<'_>> {
        (0..)
            .map(|at| self.first + at * self.years)
            .zip(&self.counts)
            .map(|(year, counts)| Bar { year, counts })
    }

    /// Returns the name of the bar that starts with a year.
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

/// Draws the picture. The identifiers of its elements start with `id`.
pub(super) fn draw_chart(figure: &Figure, id: &str) -> Markup {
    let (title, about) = (format!("{id}-title"), format!("{id}-about"));
    html! {
        figure {
            figcaption {
                (draw_legend())
                @if figure.years != 10 { p { "Each bar stands for " (figure.years) " years." } }
            }
            "\n"
            div.scroll tabindex="0" role="group" aria-label="Picture" {
                svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-labelledby={ (title) " " (about) } {
                    title id=(title) {
                        @if figure.years == 10 { "Events by decade" } @else { "Events by " (figure.years) " years" }
                    }
                    desc id=(about) { (describe_figure(figure)) }
                    (draw_scale_lines(figure))
                    (draw_bars(figure))
                }
            }
        }
        "\n"
    }
}

fn draw_legend() -> Markup {
    html! {
        ul.legend {
            @for group in EventGroup::ALL {
                li {
                    svg viewBox="0 0 10 10" aria-hidden="true" {
                        rect class=(class(group)) width="10" height="10" {}
                    }
                    (group.name())
                }
            }
        }
    }
}

/// Describes the picture in words, for screen readers.
fn describe_figure(figure: &Figure) -> String {
    let last = figure.first + (figure.counts.len() as i64 - 1) * figure.years;
    let (mut busiest, mut most) = (figure.first, 0);
    for bar in figure.bars().filter(|bar| bar.events() > 0) {
        if bar.events() > most {
            (busiest, most) = (bar.year, bar.events());
        }
    }
    format!(
        "{} from the {} to the {}; most in the {}: {}. A table with all numbers follows.",
        counted(figure.events(), "event"),
        figure.name(figure.first),
        figure.name(last),
        figure.name(busiest),
        grouped(most)
    )
}

/// Draws the horizontal lines behind the bars, with their numbers.
fn draw_scale_lines(figure: &Figure) -> Markup {
    let scale = Scale::up_to(figure.highest());
    html! {
        @for count in scale.lines() {
            @let y = scale.height_of(count);
            line.axis x1=(format_length(LEFT)) x2=(format_length(WIDTH - RIGHT)) y1=(format_length(y)) y2=(format_length(y)) {}
            text x=(format_length(LEFT - 6.0)) y=(format_length(y + 4.0)) text-anchor="end" { (grouped(count)) }
        }
    }
}

/// Draws the bars, with years under some of them.
fn draw_bars(figure: &Figure) -> Markup {
    let scale = Scale::up_to(figure.highest());
    let room = ((WIDTH - LEFT - RIGHT) / figure.counts.len() as f64).min(WIDEST);
    let label_years = years_between_labels(figure, room);
    html! {
        @for (at, bar) in figure.bars().enumerate() {
            @let x = LEFT + at as f64 * room;
            @if bar.year.rem_euclid(label_years) == 0 { (draw_label(bar.year, x + room / 2.0)) }
            @if bar.events() > 0 { (draw_stacked_bar(&figure.name(bar.year), bar, x, room, scale)) }
        }
    }
}

/// Draws the year under a bar that is centered at `middle`.
fn draw_label(year: i64, middle: f64) -> Markup {
    // Right-align a label that would be cut off.
    let (x, anchor) =
        if middle + label_width(year) / 2.0 > WIDTH { (WIDTH, "end") } else { (middle, "middle") };
    html! {
        text x=(format_length(x)) y=(format_length(HEIGHT - 8.0)) text-anchor=(anchor) {
            @if year < 0 { (1 - year) " B.C." } @else { (year) }
        }
    }
}

/// Draws a bar as stacked rectangles, one for each group.
fn draw_stacked_bar(name: &str, bar: Bar<'_>, x: f64, room: f64, scale: Scale) -> Markup {
    let width = room * 0.84;
    let mut below = 0;
    let mut parts = Vec::new();
    let mut words = Vec::new();
    for group in EventGroup::ALL {
        let count = bar.counts[group.index()];
        if count > 0 {
            parts.push((group, scale.height_of(below), scale.height_of(below + count)));
            words.push(format!("{} {}", grouped(count), group.name()));
            below += count;
        }
    }
    html! {
        g {
            title { (name) ": " (words.join(", ")) }
            @for (group, bottom, top) in parts {
                rect class=(class(group)) x=(format_length(x + (room - width) / 2.0)) y=(format_length(top))
                    width=(format_length(width)) height=(format_length(bottom - top)) {}
            }
        }
        "\n"
    }
}

/// Returns the width of the label of a year.
const fn label_width(year: i64) -> f64 {
    if year < 0 { 2.0 * LABEL } else { LABEL }
}

/// Returns the number of years between two labels.
fn years_between_labels(figure: &Figure, room: f64) -> i64 {
    let steps = [10, 20, 50, 100, 200, 500, 1000, 2000];
    let label = label_width(figure.first);
    let fits = |years: i64| years % figure.years == 0 && room * (years / figure.years) as f64 >= label;
    steps.into_iter().find(|&years| fits(years)).unwrap_or(5000)
}

/// The vertical scale, from 0 to `top`, with a line at each `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Scale {
    step: u64,
    top: u64,
}

impl Scale {
    /// Creates a scale that reaches `highest`, with at most five steps of a round number.
    fn up_to(highest: u64) -> Scale {
        const LINES: u64 = 5;
        let mut step = 1_u64;
        let mut power = 1_u64;
        for factor in [2, 5, 10].into_iter().cycle() {
            if step.saturating_mul(LINES) >= highest {
                break;
            }
            step = power.saturating_mul(factor);
            if factor == 10 {
                power = step;
            }
        }
        Scale { step, top: step.saturating_mul(highest.div_ceil(step).max(1)) }
    }

    fn lines(self) -> impl Iterator<Item = u64> {
        (0..=self.top / self.step).map(move |line| line * self.step)
    }

    /// Returns the position of a number, from the top of the picture.
    fn height_of(self, count: u64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count as f64 / self.top as f64
    }
}

/// Formats a length with one decimal.
fn format_length(length: f64) -> String {
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
        let scales = [0, 1, 5, 6, 11, 26, 51, 480, 1_000_000].map(Scale::up_to);
        let expected =
            [(1, 1), (1, 1), (1, 5), (2, 6), (5, 15), (10, 30), (20, 60), (100, 500), (200_000, 1_000_000)];
        assert_eq!(scales, expected.map(|(step, top)| Scale { step, top }));
        let Scale { step, top } = Scale::up_to(u64::MAX);
        assert!(step <= top);
    }
}
