//! A README with a part that is generated.

/// Marks around the generated part; Markdown does not show them.
const BEGIN: &str = "<!-- made by scripts/bench.sh --readme: begin -->";
const END: &str = "<!-- made by scripts/bench.sh --readme: end -->";

/// Why a README cannot be rewritten.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Error {
    #[error("the line `{0}` must stand in it once")]
    Mark(&'static str),
    #[error("`{END}` stands in front of `{BEGIN}`")]
    Order,
}

/// `readme` with `table` between the marks.
pub(crate) fn with_table(readme: &str, table: &str) -> Result<String, Error> {
    let begin = position(readme, BEGIN)? + BEGIN.len();
    let end = position(readme, END)?;
    if end < begin {
        return Err(Error::Order);
    }
    Ok(format!("{}\n{}\n{}", &readme[..begin], table.trim_end(), &readme[end..]))
}

fn position(readme: &str, mark: &'static str) -> Result<usize, Error> {
    let mut found = readme.match_indices(mark);
    match (found.next(), found.next()) {
        (Some((position, _)), None) => Ok(position),
        _ => Err(Error::Mark(mark)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let readme = format!("# Title\n{BEGIN}\nold\n{END}\nrest\n");
        let new = with_table(&readme, "| a |\n").unwrap();
        assert_eq!(new, format!("# Title\n{BEGIN}\n| a |\n{END}\nrest\n"));
        assert_eq!(with_table(&new, "| a |\n").unwrap(), new, "a second time");
    }

    #[test]
    fn missing_doubled_and_swapped_marks() {
        assert_eq!(with_table("text", ""), Err(Error::Mark(BEGIN)));
        assert_eq!(with_table(&format!("{BEGIN}{BEGIN}{END}"), ""), Err(Error::Mark(BEGIN)));
        assert_eq!(with_table(BEGIN, ""), Err(Error::Mark(END)));
        assert_eq!(with_table(&format!("{END}{BEGIN}"), ""), Err(Error::Order));
    }
}
