//! The chart `docs/bench-codec.svg`: for each workload how much faster we are than the engine, on a
//! logarithmic scale, so that twice as fast and twice as slow are equally long.

use svg::Document;
use svg::node::element::{Group, Line, Rectangle, Style, Text, Title};

use super::format;
use super::rows::{Measured, Range, Run, Workload};

const WIDTH: f64 = 860.0;
/// Left of the bars: the names.
const NAMES_WIDTH: f64 = 250.0;
/// Right of the bars: the ratio of the longest.
const RATIOS_WIDTH: f64 = 110.0;
const HEAD_HEIGHT: f64 = 74.0;
const ROW_HEIGHT: f64 = 34.0;
const BAR_HEIGHT: f64 = 12.0;
const FOOT_HEIGHT: f64 = 16.0;
/// A tie is seen as well.
const MIN_BAR_WIDTH: f64 = 2.0;

/// Colours that are read on white as well as on black: what shows an image in a README knows the
/// theme of the page, and the image does not.
const STYLE: &str = "
text { font: 13px system-ui, sans-serif; fill: #6e7781 }
.small { font-size: 11px }
.axis { stroke: #6e7781; stroke-opacity: .3 }
.even { stroke: #6e7781; stroke-width: 2 }
.encode { fill: #388bd4 }
.decode { fill: #d98324 }
";

/// The chart as an SVG document.
pub(crate) fn chart(run: &Run) -> String {
    let lines = run.lines();
    let scale = Scale::of(&lines);
    let height = HEAD_HEIGHT + ROW_HEIGHT * lines.len() as f64 + FOOT_HEIGHT;
    let mut document = Document::new()
        .set("viewBox", (0, 0, WIDTH, height))
        .set("width", WIDTH)
        .set("height", height)
        .set("role", "img")
        .add(Title::new("Speed of FastVariant against the engine"))
        .add(Style::new(STYLE))
        .add(legend(run));
    for exponent in scale.min..=scale.max {
        document = document.add(tick(exponent, scale, height));
    }
    for (index, line) in lines.iter().enumerate() {
        document = document.add(row(line, HEAD_HEIGHT + ROW_HEIGHT * index as f64, scale));
    }
    format!("{document}\n")
}

/// Powers of two, from the one left of all bars to the one right of them.
#[derive(Debug, Clone, Copy)]
struct Scale {
    min: i32,
    max: i32,
}

impl Scale {
    fn of(lines: &[Workload]) -> Scale {
        let mut scale = Scale { min: -1, max: 1 };
        for Measured { ratio, .. } in
            lines.iter().flat_map(|line| [line.encode, line.decode]).flatten()
        {
            scale.min = scale.min.min(ratio.min.log2().floor() as i32);
            scale.max = scale.max.max(ratio.max.log2().ceil() as i32);
        }
        scale
    }

    /// The position of a ratio.
    fn x(self, ratio: f64) -> f64 {
        let room = WIDTH - NAMES_WIDTH - RATIOS_WIDTH;
        let share = (ratio.log2() - f64::from(self.min)) / f64::from(self.max - self.min);
        rounded(NAMES_WIDTH + room * share)
    }
}

fn legend(run: &Run) -> Group {
    let title = "Times as fast as var_to_bytes() and bytes_to_var()";
    let under = format!("Godot {}, {} cores, exported release build", run.godot, run.cores);
    Group::new()
        .add(text(title, 8.0, 20.0))
        .add(text(&under, 8.0, 38.0).set("class", "small"))
        .add(swatch("encode", WIDTH - 190.0))
        .add(swatch("decode", WIDTH - 100.0))
}

fn swatch(direction: &str, x: f64) -> Group {
    let square = Rectangle::new().set("x", x).set("y", 10).set("width", 12).set("height", 12);
    Group::new().add(square.set("class", direction)).add(text(direction, x + 18.0, 20.0))
}

fn tick(exponent: i32, scale: Scale, height: f64) -> Group {
    let x = scale.x(f64::from(exponent).exp2());
    let label = match exponent {
        0.. => format!("{}x", 1_u64 << exponent),
        _ => format!("1/{}x", 1_u64 << -exponent),
    };
    let line = Line::new()
        .set("x1", x)
        .set("x2", x)
        .set("y1", HEAD_HEIGHT - 8.0)
        .set("y2", height - FOOT_HEIGHT)
        .set("class", if exponent == 0 { "even" } else { "axis" });
    let label = text(&label, x, HEAD_HEIGHT - 14.0).set("class", "small");
    Group::new().add(line).add(label.set("text-anchor", "middle"))
}

fn row(line: &Workload, y: f64, scale: Scale) -> Group {
    let name = text(&line.name, NAMES_WIDTH - 12.0, y + BAR_HEIGHT + 5.0);
    let mut row = Group::new().add(name.set("text-anchor", "end"));
    let directions = [("encode", line.encode), ("decode", line.decode)];
    for (index, (direction, measured)) in directions.into_iter().enumerate() {
        if let Some(measured) = measured {
            row = row.add(bar(
                direction,
                measured.ratio,
                y + (BAR_HEIGHT + 2.0) * index as f64,
                scale,
            ));
        }
    }
    row
}

/// From 1 to the ratio; where several workloads share a line, to both ends of their ratios.
fn bar(direction: &str, ratio: Range, y: f64, scale: Scale) -> Group {
    let (left, right) = (scale.x(ratio.min.min(1.0)), scale.x(ratio.max.max(1.0)));
    let bar = Rectangle::new()
        .set("x", left)
        .set("y", y)
        .set("width", rounded((right - left).max(MIN_BAR_WIDTH)))
        .set("height", BAR_HEIGHT)
        .set("class", direction);
    let label = text(&format::ratios(ratio), right + 6.0, y + BAR_HEIGHT - 2.0);
    Group::new().add(bar).add(label.set("class", "small"))
}

/// A text that starts at this place.
fn text(content: &str, x: f64, y: f64) -> Text {
    Text::new(content).set("x", x).set("y", y)
}

/// A tenth of a pixel is enough, and keeps the file readable.
fn rounded(x: f64) -> f64 {
    (x * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use svg::parser::Event;

    use super::*;
    use crate::report::rows::ALONE;

    fn run(rows: &[(&str, &str, f64)]) -> Run {
        let rows: Vec<String> = rows
            .iter()
            .map(|(workload, direction, other_us)| {
                format!(
                    r#"{{"build": "release", "workload": "{workload}", "direction": "{direction}",
                        "bytes": 8, "ours_us": 1, "other": "engine", "other_us": {other_us},
                        "ours_freed_us": 1, "other_freed_us": {other_us}}}"#
                )
            })
            .collect();
        Run::parse(&format!("[{}]", rows.join(",")), ALONE).unwrap()
    }

    /// Left and right end of each bar.
    fn bars(chart: &str) -> Vec<(f64, f64)> {
        let number = |attribute: &str| attribute.parse::<f64>().unwrap();
        svg::read(chart)
            .unwrap()
            .filter_map(|event| match event {
                Event::Tag("rect", _, attributes) if number(&attributes["y"]) >= HEAD_HEIGHT => {
                    let left = number(&attributes["x"]);
                    Some((left, left + number(&attributes["width"])))
                }
                _ => None,
            })
            .collect()
    }

    #[test]
    fn faster_and_slower_stand_on_either_side_of_one() {
        let run = run(&[("a", "encode", 4.0), ("a", "decode", 0.25), ("b", "encode", 1.0)]);
        let scale = Scale::of(&run.lines());
        assert_eq!((scale.min, scale.max), (-2, 2));
        let (one, room) = (scale.x(1.0), scale.x(4.0) - scale.x(1.0));
        let expected = [(one, one + room), (one - room, one), (one, one + MIN_BAR_WIDTH)];
        assert_eq!(bars(&chart(&run)), expected);
    }

    #[test]
    fn names_are_text_and_escaped() {
        let chart = chart(&run(&[("dictionary 100k String -> int", "encode", 2.0)]));
        assert!(chart.contains("dictionary 100k String -&gt; int"), "{chart}");
        assert!(chart.contains(">2.0x<") || chart.contains("\n2.0x\n"), "{chart}");
    }

    #[test]
    fn the_same_rows_make_the_same_chart() {
        let rows = [("a", "encode", 4.0), ("PackedByteArray 4 KB", "decode", 0.7)];
        assert_eq!(chart(&run(&rows)), chart(&run(&rows)));
    }
}
