//! Charts of how cost grows: seconds by size, both on logarithmic axes, on which what is linear is a straight line, as steep as
//! the dotted one, whatever it costs.

use svg::Document;
use svg::node::element::{Circle, Group, Line, Polyline, Style, Title};

use crate::growth::{Chart, Panel};
use crate::svg_parts::{rounded, text};

const WIDTH: f64 = 860.0;
const COLUMNS: usize = 3;
const PANEL_HEIGHT: f64 = 250.0;
const HEAD_HEIGHT: f64 = 34.0;
/// Around the axes of a panel: its title, the labels of the axes.
const LEFT: f64 = 52.0;
const RIGHT: f64 = 26.0;
const TOP: f64 = 28.0;
const BOTTOM: f64 = 30.0;

/// Colours that are read on white as well as on black, as those of `chart.rs`.
const STYLE: &str = "
text { font: 13px system-ui, sans-serif; fill: #6e7781 }
.small { font-size: 11px }
.axis { stroke: #6e7781; stroke-opacity: .25 }
.linear { stroke: #6e7781; stroke-opacity: .7; stroke-dasharray: 2 4 }
polyline { fill: none; stroke-width: 2 }
";
/// A colour for each series, in the order in which they come.
const COLOURS: [&str; 5] = ["#388bd4", "#d98324", "#4b9e5f", "#a371d0", "#c9545c"];

/// The chart as an SVG document.
pub(crate) fn chart(chart: &Chart) -> String {
    let rows = chart.panels.len().div_ceil(COLUMNS);
    let height = HEAD_HEIGHT + PANEL_HEIGHT * rows as f64;
    let names = names(chart);
    let mut document = Document::new()
        .set("viewBox", (0, 0, WIDTH, height))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .add(Title::new(format!("Seconds by {}", chart.unit)))
        .add(Style::new(STYLE))
        .add(legend(&names));
    let scales = Scales::of(chart);
    let columns = chart.panels.len().clamp(1, COLUMNS);
    let width = WIDTH / columns as f64;
    for (index, panel) in chart.panels.iter().enumerate() {
        let (column, row) = (index % columns, index / columns);
        let place = Place {
            left: width * column as f64 + LEFT,
            right: width * (column + 1) as f64 - RIGHT,
            top: HEAD_HEIGHT + PANEL_HEIGHT * row as f64 + TOP,
            bottom: HEAD_HEIGHT + PANEL_HEIGHT * (row + 1) as f64 - BOTTOM,
            scales,
        };
        document = document.add(panel_of(panel, &names, &place, &chart.unit));
    }
    format!("{document}\n")
}

/// Who is measured, each once.
fn names(chart: &Chart) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for series in chart.panels.iter().flat_map(|panel| &panel.series) {
        if !names.contains(&series.name.as_str()) {
            names.push(&series.name);
        }
    }
    names
}

/// Powers of ten from the one below all numbers to the one above them. All panels share them, so that they can be compared.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scales {
    size: (i32, i32),
    seconds: (i32, i32),
}

impl Scales {
    fn of(chart: &Chart) -> Scales {
        let points = || chart.panels.iter().flat_map(|panel| &panel.series).flat_map(|s| &s.points);
        let around = |numbers: &mut dyn Iterator<Item = f64>| {
            let (min, max) = numbers.fold((f64::MAX, f64::MIN_POSITIVE), |(min, max), number| {
                (min.min(number), max.max(number))
            });
            // What should be a power of ten is a little more or less, as a file of about 1 KB is.
            let (low, high) =
                ((min.log10() + 0.1).floor() as i32, (max.log10() - 0.1).ceil() as i32);
            (low, high.max(low + 1))
        };
        Scales {
            size: around(&mut points().map(|(size, _)| *size)),
            seconds: around(&mut points().map(|(_, seconds)| *seconds)),
        }
    }
}

/// Where a panel has its axes.
struct Place {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    scales: Scales,
}

impl Place {
    fn x(&self, size: f64) -> f64 {
        let (low, high) = self.scales.size;
        rounded(self.left + (self.right - self.left) * share(size, low, high))
    }

    fn y(&self, seconds: f64) -> f64 {
        let (low, high) = self.scales.seconds;
        rounded(self.bottom - (self.bottom - self.top) * share(seconds, low, high))
    }
}

/// How far a number is on the way between two powers of ten.
fn share(number: f64, low: i32, high: i32) -> f64 {
    (number.log10() - f64::from(low)) / f64::from(high - low)
}

fn legend(names: &[&str]) -> Group {
    let mut legend = Group::new();
    let mut x = LEFT;
    for (name, colour) in names.iter().zip(COLOURS.iter().cycle()) {
        let line = Line::new().set("x1", x).set("x2", x + 18.0).set("y1", 16.0).set("y2", 16.0);
        legend = legend.add(line.set("stroke", *colour).set("stroke-width", 2)).add(text(
            name,
            x + 24.0,
            20.0,
        ));
        x += 48.0 + 7.5 * name.chars().count() as f64;
    }
    let line = Line::new().set("x1", x).set("x2", x + 18.0).set("y1", 16.0).set("y2", 16.0);
    legend.add(line.set("class", "linear")).add(text("in proportion to the size", x + 24.0, 20.0))
}

fn panel_of(panel: &Panel, names: &[&str], place: &Place, unit: &str) -> Group {
    let mut group = Group::new().add(text(&panel.title, place.left, place.top - 10.0));
    let (low, high) = place.scales.size;
    for exponent in low..=high {
        let x = place.x(10_f64.powi(exponent));
        group = group.add(axis(x, x, place.top, place.bottom));
        // Where each second one is labelled, they do not touch.
        if high - low <= 4 || (exponent - low) % 2 == 0 {
            let label = text(&size_label(exponent, unit), x, place.bottom + 16.0);
            group = group.add(label.set("class", "small").set("text-anchor", "middle"));
        }
    }
    let (low, high) = place.scales.seconds;
    for exponent in low..=high {
        let y = place.y(10_f64.powi(exponent));
        group = group.add(axis(place.left, place.right, y, y));
        let label = text(&seconds_label(exponent), place.left - 6.0, y + 4.0);
        group = group.add(label.set("class", "small").set("text-anchor", "end"));
    }
    group = group.add(linear(place));
    for series in &panel.series {
        let index = names.iter().position(|name| *name == series.name).unwrap_or_default();
        let colour = COLOURS[index % COLOURS.len()];
        let points: Vec<(f64, f64)> = series
            .points
            .iter()
            .map(|(size, seconds)| (place.x(*size), place.y(*seconds)))
            .collect();
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x},{y}")).collect();
        group = group.add(Polyline::new().set("points", line.join(" ")).set("stroke", colour));
        for (x, y) in points {
            group = group
                .add(Circle::new().set("cx", x).set("cy", y).set("r", 2.5).set("fill", colour));
        }
    }
    group
}

fn axis(x1: f64, x2: f64, y1: f64, y2: f64) -> Line {
    Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2).set("class", "axis")
}

/// From the lower right corner as far up as the axes reach, ten times as high where it is ten times as far right.
fn linear(place: &Place) -> Line {
    let (size, seconds) = (place.scales.size, place.scales.seconds);
    let powers = (size.1 - size.0).min(seconds.1 - seconds.0);
    let point = |power: i32| {
        (place.x(10_f64.powi(size.1 - powers + power)), place.y(10_f64.powi(seconds.0 + power)))
    };
    let ((x1, y1), (x2, y2)) = (point(0), point(powers));
    Line::new().set("x1", x1).set("x2", x2).set("y1", y1).set("y2", y2).set("class", "linear")
}

/// `100 B`, `10 KB`, `1 MB`; or `1,000` of files.
fn size_label(exponent: i32, unit: &str) -> String {
    let (number, prefix) = (10_u64.pow(exponent.rem_euclid(3) as u32), exponent.div_euclid(3));
    match (unit, prefix) {
        ("bytes", 0) => format!("{number} B"),
        ("bytes", 1) => format!("{number} KB"),
        ("bytes", 2) => format!("{number} MB"),
        ("bytes", _) => format!("1e{exponent} B"),
        (_, 0) => format!("{number}"),
        (_, 1) => format!("{number},000"),
        _ => format!("1e{exponent}"),
    }
}

/// `100 ns`, `1 ms`, `10 s`.
fn seconds_label(exponent: i32) -> String {
    let (number, prefix) = (10_u64.pow(exponent.rem_euclid(3) as u32), exponent.div_euclid(3));
    match prefix {
        -3 => format!("{number} ns"),
        -2 => format!("{number} µs"),
        -1 => format!("{number} ms"),
        0 => format!("{number} s"),
        _ => format!("1e{exponent} s"),
    }
}

#[cfg(test)]
mod tests {
    use svg::parser::Event;

    use super::*;
    use crate::growth::{charts, tests::row};

    fn drawn(rows: &[String]) -> (Chart, String) {
        let mut charts = charts(&format!("[{}]", rows.join(","))).unwrap().unwrap();
        let drawn = chart(&charts[0]);
        (charts.remove(0), drawn)
    }

    /// The points of each line.
    fn lines(drawn: &str) -> Vec<Vec<(f64, f64)>> {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let points = |text: &str| {
            let pair =
                |point: &str| point.split_once(',').map(|(x, y)| (number(x), number(y))).unwrap();
            text.split(' ').map(pair).collect()
        };
        svg::read(drawn)
            .unwrap()
            .filter_map(|event| match event {
                Event::Tag("polyline", _, attributes) => Some(points(&attributes["points"])),
                _ => None,
            })
            .collect()
    }

    #[test]
    fn what_is_linear_is_as_steep_as_the_dotted_line() {
        let (chart, drawn) = drawn(&[
            row("codec", "ints", "ours", 100.0, 1e-6),
            row("codec", "ints", "ours", 10_000.0, 1e-4),
            row("codec", "ints", "ours", 1e6, 1e-2),
        ]);
        assert_eq!(Scales::of(&chart), Scales { size: (2, 6), seconds: (-6, -2) });
        let [line] = &lines(&drawn)[..] else { panic!("there is one line") };
        let slope = |(x1, y1): (f64, f64), (x2, y2): (f64, f64)| (y2 - y1) / (x2 - x1);
        assert!((slope(line[0], line[1]) - slope(line[1], line[2])).abs() < 0.01);
        let place =
            Place { left: 0.0, right: 400.0, top: 0.0, bottom: 200.0, scales: Scales::of(&chart) };
        assert_eq!(
            (place.x(100.0), place.x(1e6), place.y(1e-6), place.y(1e-2)),
            (0.0, 400.0, 200.0, 0.0)
        );
    }

    #[test]
    fn each_panel_has_the_lines_of_its_own() {
        let (_, drawn) = drawn(&[
            row("codec", "a < b", "ours", 100.0, 1e-6),
            row("codec", "a < b", "Godot", 100.0, 1e-5),
            row("codec", "other", "Godot", 100.0, 1e-5),
        ]);
        assert_eq!(lines(&drawn).len(), 3);
        assert!(drawn.contains("a &lt; b"), "{drawn}");
    }

    #[test]
    fn labels() {
        assert_eq!(
            [2, 4, 8].map(|exponent| size_label(exponent, "bytes")),
            ["100 B", "10 KB", "100 MB"]
        );
        assert_eq!(
            [1, 3, 4].map(|exponent| size_label(exponent, "files")),
            ["10", "1,000", "10,000"]
        );
        assert_eq!(
            [-7, -5, -3, 0, 1].map(seconds_label),
            ["100 ns", "10 µs", "1 ms", "1 s", "10 s"]
        );
    }
}
