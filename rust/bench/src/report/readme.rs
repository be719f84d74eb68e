//! A README with a part that is generated.

/// Marks around a generated part; Markdown does not show them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks {
    begin: &'static str,
    end: &'static str,
}

/// Around the table of the codec.
pub(crate) const CODEC: Marks = Marks {
    begin: "<!-- made by scripts/bench.sh --readme: begin -->",
    end: "<!-- made by scripts/bench.sh --readme: end -->",
};

/// Around the table of the codec beside other programs.
pub(crate) const LOADS: Marks = Marks {
    begin: "<!-- made by scripts/bench.sh --readme, of loads: begin -->",
    end: "<!-- made by scripts/bench.sh --readme, of loads: end -->",
};

/// Around the table of text scenes.
pub(crate) const TEXT: Marks = Marks {
    begin: "<!-- made by scripts/bench.sh --readme, of tscn: begin -->",
    end: "<!-- made by scripts/bench.sh --readme, of tscn: end -->",
};

/// Why a README cannot be rewritten.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub(crate) enum Error {
    #[error("it must have the line `{0}` exactly once")]
    Mark(&'static str),
    #[error("`{0}` comes before `{1}`")]
    Order(&'static str, &'static str),
}

/// `readme` with `table` between the marks.
pub(crate) fn with_table(readme: &str, marks: Marks, table: &str) -> Result<String, Error> {
    let begin = position(readme, marks.begin)? + marks.begin.len();
    let end = position(readme, marks.end)?;
    if end < begin {
        return Err(Error::Order(marks.end, marks.begin));
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

    const BEGIN: &str = CODEC.begin;
    const END: &str = CODEC.end;

    fn with_table(readme: &str, table: &str) -> Result<String, Error> {
        super::with_table(readme, CODEC, table)
    }

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
        assert_eq!(with_table(&format!("{END}{BEGIN}"), ""), Err(Error::Order(END, BEGIN)));
    }
}
