//! How cost grows, from the rows of `scripts/bench.sh growth`.

use serde::Deserialize;

/// The suite of the rows.
pub(crate) const SUITE: &str = "growth";

/// As the bench writes it (scripts/bench/growth.sh, godot_project/bench/growth_bench.gd).
#[derive(Debug, Deserialize)]
struct Row {
    suite: String,
    /// Which chart: `codec`, `tscn`, `project`.
    chart: String,
    panel: String,
    /// Who was measured.
    series: String,
    /// Of the input, in what `unit` says.
    size: f64,
    unit: String,
    seconds: f64,
}

/// One image.
#[derive(Debug, PartialEq)]
pub(crate) struct Chart {
    pub(crate) name: String,
    /// What sizes are counted in: `bytes` or `files`.
    pub(crate) unit: String,
    pub(crate) panels: Vec<Panel>,
}

/// A pair of axes.
#[derive(Debug, PartialEq)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) series: Vec<Series>,
}

/// A line.
#[derive(Debug, PartialEq)]
pub(crate) struct Series {
    pub(crate) name: String,
    /// Size and seconds, by size.
    pub(crate) points: Vec<(f64, f64)>,
}

/// The charts of the rows, if they are of this suite. All keep the order in which they first come.
pub(crate) fn charts(json: &str) -> Option<Result<Vec<Chart>, String>> {
    let rows: Vec<Row> = serde_json::from_str(json).ok()?;
    (!rows.is_empty() && rows.iter().all(|row| row.suite == SUITE)).then(|| group(&rows))
}

fn group(rows: &[Row]) -> Result<Vec<Chart>, String> {
    let mut charts: Vec<Chart> = Vec::new();
    for row in rows {
        // Neither has a place on a logarithmic axis.
        let is_valid = |number: f64| number.is_finite() && number > 0.0;
        if !is_valid(row.size) || !is_valid(row.seconds) {
            let Row { chart, panel, series, size, seconds, .. } = row;
            return Err(format!(
                "{chart}, {panel}, {series}: size {size} and seconds {seconds} must be above 0"
            ));
        }
        let chart = found(
            &mut charts,
            |chart| chart.name == row.chart,
            || Chart { name: row.chart.clone(), unit: row.unit.clone(), panels: Vec::new() },
        );
        let panel = found(
            &mut chart.panels,
            |panel| panel.title == row.panel,
            || Panel { title: row.panel.clone(), series: Vec::new() },
        );
        let series = found(
            &mut panel.series,
            |series| series.name == row.series,
            || Series { name: row.series.clone(), points: Vec::new() },
        );
        series.points.push((row.size, row.seconds));
        series.points.sort_by(|one, other| one.0.total_cmp(&other.0));
    }
    Ok(charts)
}

/// The one that is wanted, made if it is not there.
fn found<T>(all: &mut Vec<T>, is_wanted: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> &mut T {
    let index = all.iter().position(is_wanted).unwrap_or_else(|| {
        all.push(make());
        all.len() - 1
    });
    &mut all[index]
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn row(chart: &str, panel: &str, series: &str, size: f64, seconds: f64) -> String {
        format!(
            r#"{{"suite": "growth", "chart": "{chart}", "panel": "{panel}", "series": "{series}", "size": {size},
                "unit": "bytes", "seconds": {seconds}}}"#
        )
    }

    #[test]
    fn rows_become_lines_by_size() {
        let rows = [
            row("codec", "ints", "ours", 1000.0, 0.2),
            row("codec", "ints", "Godot", 100.0, 0.3),
            row("codec", "ints", "ours", 100.0, 0.1),
            row("tscn", "nodes", "parse", 100.0, 0.1),
        ];
        let charts = charts(&format!("[{}]", rows.join(","))).unwrap().unwrap();
        let names: Vec<_> =
            charts.iter().map(|chart| (&chart.name[..], chart.panels.len())).collect();
        assert_eq!(names, [("codec", 1), ("tscn", 1)]);
        let ours = &charts[0].panels[0].series[0];
        assert_eq!(
            (&ours.name[..], &ours.points[..]),
            ("ours", &[(100.0, 0.1), (1000.0, 0.2)][..])
        );
    }

    #[test]
    fn what_has_no_logarithm_is_said() {
        let rows = format!("[{}]", row("codec", "ints", "ours", 100.0, 0.0));
        let message = charts(&rows).unwrap().unwrap_err();
        assert_eq!(message, "codec, ints, ours: size 100 and seconds 0 must be above 0");
    }

    #[test]
    fn rows_of_others_are_none() {
        assert!(charts(r#"[{"suite": "codec"}]"#).is_none());
        assert!(charts("[]").is_none());
    }
}
