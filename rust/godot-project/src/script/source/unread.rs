//! Text that the grammar does not understand, word by word: nothing that is found here is certain.

use godot_tscn::Span;

use crate::script::source::prepare::{Lexer, Token, TokenKind};
use crate::script::source::{
    Name, NodePathUse, Role, ScriptSource, StringLiteral, StringPlace, literal,
};

impl ScriptSource<'_> {
    /// Adds the words and text literals of a part.
    pub(super) fn read_words(&mut self, part: Span, class: u32) {
        self.unread.push(part);
        let tokens: Vec<Token> =
            Lexer::new(&self.text, part.start as usize, part.end as usize).collect();
        for token in tokens {
            match token.kind {
                TokenKind::Sign => self.add_path_at(token.span, part),
                TokenKind::Word => self.add_word(token.span, class),
                TokenKind::String { is_closed: true, .. } => self.add_string(token.span, class),
                TokenKind::String { .. } | TokenKind::Comment => {}
            }
        }
    }

    fn add_word(&mut self, span: Span, class: u32) {
        let is_number = self.text_of(span).starts_with(|first: char| first.is_ascii_digit());
        if !is_number {
            let role = Role::Unread;
            self.names.push(Name { span, role, is_called: false, class, is_certain: false });
        }
    }

    fn add_string(&mut self, span: Span, class: u32) {
        let Some((kind, is_raw, content)) = literal::pieces(&self.text, span) else { return };
        let text = literal::decoded(self.text_of(content), is_raw);
        let place = StringPlace::Value;
        self.strings.push(StringLiteral {
            span,
            content,
            text,
            kind,
            is_raw,
            place,
            class,
            is_certain: false,
        });
    }

    /// A text that begins with `$` or `%` may be a path, and its words are names all the same.
    fn add_path_at(&mut self, sign: Span, part: Span) {
        let source = self.text_of(sign);
        if !matches!(source, "$" | "%") {
            return;
        }
        let rest = self.text_of(Span::new(sign.end, part.end));
        let is_quoted = rest.starts_with(['"', '\'']);
        let end = if is_quoted {
            let token = Lexer::new(&self.text, sign.end as usize, part.end as usize).next();
            token.map_or(sign.end, |token| token.span.end)
        } else {
            let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '/' | '%');
            let length = rest.find(|c| !is_of_path(c)).unwrap_or(rest.len());
            sign.end + length as u32
        };
        if end > sign.end {
            let span = Span::new(sign.start, end);
            self.node_paths.push(NodePathUse { is_certain: false, ..self.node_path(span) });
        }
    }
}
