//! Spoils texts in ways that do not change what Godot reads.

use std::ops::Range;

use godot_tscn::{Section, TagKind, Token, TokenKind};

/// xorshift64: the same texts in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for index in (1..items.len()).rev() {
            items.swap(index, self.below(index + 1));
        }
    }

    /// White space, perhaps none.
    fn blanks(&mut self, line_end: &str) -> String {
        let pieces = ["", "", " ", "  ", "\t", line_end, line_end];
        (0..self.below(4)).map(|_| pieces[self.below(pieces.len())]).collect()
    }
}

/// The text with other white space between its tokens.
///
/// Line ends stay where they end a property or tag: the parser needs them to tell a forgotten
/// quote from a string with several lines.
pub(crate) fn spacing(text: &[u8], random: &mut Random) -> Vec<u8> {
    let line_end = if random.below(2) == 0 { "\r\n" } else { "\n" };
    let mut out = random.blanks(line_end).into_bytes();
    for token in godot_tscn::tokens(text) {
        let bytes = token.span.of(text);
        if token.kind != TokenKind::Whitespace {
            out.extend_from_slice(bytes);
        } else if bytes.contains(&b'\n') {
            out.extend_from_slice(line_end.as_bytes());
        } else {
            out.push(b' ');
        }
        out.extend_from_slice(random.blanks(line_end).as_bytes());
    }
    out
}

/// The text with the fields of each tag in another order.
pub(crate) fn fields(text: &[u8], random: &mut Random) -> Vec<u8> {
    let document = godot_tscn::parse(text);
    let mut pieces = Vec::new();
    for section in document.sections() {
        let ranges: Vec<_> = section.fields().map(|field| field.span().range()).collect();
        pieces.push(ranges);
    }
    shuffled(text, pieces, random)
}

/// The text with its `ext_resource`s in another order.
pub(crate) fn ext_resources(text: &[u8], random: &mut Random) -> Vec<u8> {
    let document = godot_tscn::parse(text);
    let is_ext = |section: &Section<'_>| section.kind() == TagKind::ExtResource;
    let tags = document.sections().filter(is_ext).map(|section| section.tag_span().range());
    shuffled(text, vec![tags.collect()], random)
}

/// The text with the entries of each innermost dictionary in another order, if its keys are of types
/// that the engine can sort.
pub(crate) fn dictionaries(text: &[u8], random: &mut Random) -> Vec<u8> {
    let tokens: Vec<Token> =
        godot_tscn::tokens(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let mut dictionaries = Vec::new();
    for (open, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::CurlyBracketOpen {
            continue;
        }
        let is_brace = |other: &Token| {
            matches!(other.kind, TokenKind::CurlyBracketOpen | TokenKind::CurlyBracketClose)
        };
        let content = &tokens[open + 1..];
        let end = content.iter().position(is_brace).unwrap_or(content.len());
        if content.get(end).is_some_and(|end| end.kind == TokenKind::CurlyBracketClose) {
            dictionaries.push(entries(&content[..end]).unwrap_or_default());
        }
    }
    shuffled(text, dictionaries, random)
}

/// Where the entries between the brackets are, told apart by the commas outside of other brackets.
fn entries(tokens: &[Token]) -> Option<Vec<Range<usize>>> {
    use TokenKind::*;
    let mut depth = 0;
    let is_comma = |token: &Token| {
        match token.kind {
            BracketOpen | ParenthesisOpen => depth += 1,
            BracketClose | ParenthesisClose => depth -= 1,
            _ => {}
        }
        depth == 0 && token.kind == Comma
    };
    let entries = tokens.split(is_comma).filter(|entry| !entry.is_empty());
    let range = |entry: &[Token]| {
        let is_sortable = matches!(entry[0].kind, String | StringName | Number);
        is_sortable.then(|| entry[0].span.start as usize..entry[entry.len() - 1].span.end as usize)
    };
    entries.map(range).collect()
}

/// The text with the pieces of each list in another order, in the places of those pieces.
fn shuffled(text: &[u8], lists: Vec<Vec<Range<usize>>>, random: &mut Random) -> Vec<u8> {
    let (mut out, mut end) = (Vec::with_capacity(text.len()), 0);
    for pieces in lists {
        let mut order = pieces.clone();
        random.shuffle(&mut order);
        for (place, piece) in pieces.iter().zip(order) {
            out.extend_from_slice(&text[end..place.start]);
            out.extend_from_slice(&text[piece]);
            end = place.end;
        }
    }
    out.extend_from_slice(&text[end..]);
    out
}

/// The text with numbers in other forms. The form of ids and of numbers in tags stays.
pub(crate) fn numbers(text: &[u8], random: &mut Random) -> Vec<u8> {
    let document = godot_tscn::parse(text);
    let tokens = godot_tscn::tokens(text);
    let (mut out, mut previous) = (Vec::with_capacity(text.len()), [TokenKind::Eof; 2]);
    let mut name: &[u8] = b"";
    for token in tokens {
        let bytes = token.span.of(text);
        let section = document.section_at(token.span.start);
        let is_in_tag = section.is_some_and(|section| section.tag_span().contains(token.span));
        let is_id = previous == [TokenKind::Identifier, TokenKind::ParenthesisOpen]
            && (name == b"ExtResource" || name == b"SubResource");
        if token.kind == TokenKind::Number && !is_in_tag && !is_id {
            out.extend_from_slice(&number(bytes, random));
        } else {
            out.extend_from_slice(bytes);
        }
        if !token.kind.is_trivia() {
            previous = [previous[1], token.kind];
            if token.kind == TokenKind::Identifier {
                name = bytes;
            }
        }
    }
    out
}

/// The number with zeros that mean nothing, or with another exponent. Numbers with so many digits that
/// one more changes what Godot reads stay, and so does what the versions write differently: exponents
/// with three digits, and large numbers without one.
fn number(text: &[u8], random: &mut Random) -> Vec<u8> {
    let exponent = text.iter().rev().position(|byte| b"+-".contains(byte)).unwrap_or(0);
    let whole = text.iter().position(|byte| b".e".contains(byte)).unwrap_or(0);
    if text.len() > 14 || exponent == 3 || whole > 6 {
        return text.to_vec();
    }
    let is_float = text.iter().any(|byte| b".eE".contains(byte));
    let has_exponent = text.iter().any(|byte| b"eE".contains(byte));
    match random.below(3) {
        0 => text.to_vec(),
        1 if is_float && !has_exponent => [text, b"0"].concat(),
        _ if is_float && !has_exponent => [text, b"e0"].concat(),
        _ if has_exponent => text.to_ascii_uppercase(),
        _ => match text {
            [b'-', digits @ ..] => [b"-00", digits].concat(),
            digits => [b"0", digits].concat(),
        },
    }
}
