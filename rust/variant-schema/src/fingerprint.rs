//! A number for a layout.

use std::fmt::Write;

use crate::layout::{Class, Count, Field, Float, Integer, Node, PackedForm};

/// FNV-1a, 64 bits, of the text that describes a layout.
pub(crate) fn of(root: &Node, classes: &[Class]) -> u64 {
    let mut text = String::from("1;");
    node(root, &mut text);
    for class in classes {
        quoted(&class.name, &mut text);
        fields(&class.fields, &mut text);
    }
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    text.bytes().fold(0xCBF2_9CE4_8422_2325, step)
}

fn node(node_: &Node, text: &mut String) {
    match node_ {
        Node::Bool => text.push('b'),
        Node::Integer(form) => integer(*form, text),
        Node::Constant { numbers, other } => {
            write(text, format_args!("e{}", numbers.len()));
            numbers.iter().for_each(|number| write(text, format_args!(",{number}")));
            integer(*other, text);
        }
        Node::Float(form) => float(*form, text),
        Node::Text { ty, max_length } => {
            write(text, format_args!("t{}", ty.id()));
            length(*max_length, text);
        }
        Node::OneOf { ty, texts } => {
            write(text, format_args!("o{}:{}", ty.id(), texts.len()));
            texts.iter().for_each(|one| quoted(one, text));
        }
        Node::Reals { ty, form } => {
            write(text, format_args!("c{}", ty.id()));
            float(*form, text);
        }
        Node::Ints { ty, form } => {
            write(text, format_args!("c{}", ty.id()));
            integer(*form, text);
        }
        Node::Color(form) => {
            text.push_str("c20");
            float(*form, text);
        }
        Node::Rotation { bits } => write(text, format_args!("q{bits}")),
        Node::Packed { ty, form, count: of } => {
            write(text, format_args!("p{}", ty.variant_type().id()));
            count(*of, text);
            match form {
                PackedForm::Bytes => text.push('.'),
                PackedForm::Integers(form) => integer(*form, text),
                PackedForm::Floats(form) => float(*form, text),
            }
        }
        Node::Strings { count: of, max_length } => {
            text.push_str("p34");
            count(*of, text);
            length(*max_length, text);
        }
        Node::Array { item, count: of } => {
            text.push('a');
            count(*of, text);
            node(item, text);
        }
        Node::Tuple(items) => {
            write(text, format_args!("u{}", items.len()));
            items.iter().for_each(|item| node(item, text));
        }
        Node::Map { key, value, count: of } => {
            text.push('m');
            count(*of, text);
            node(key, text);
            node(value, text);
        }
        Node::Optional(item) => {
            text.push('?');
            node(item, text);
        }
        Node::Record(of) => fields(of, text),
        Node::Object(index) => write(text, format_args!("#{index}")),
    }
}

fn fields(fields: &[Field], text: &mut String) {
    write(text, format_args!("r{}", fields.len()));
    for field in fields {
        quoted(&field.name, text);
        node(&field.node, text);
    }
}

fn integer(form: Integer, text: &mut String) {
    match form {
        Integer::Range { min, max } => write(text, format_args!("i{min}..{max}")),
        Integer::Signed { min, max } => write(text, format_args!("s{min}..{max}")),
        Integer::Unsigned { max } => write(text, format_args!("n{max}")),
    }
}

fn float(form: Float, text: &mut String) {
    match form {
        Float::F32 => text.push_str("f4"),
        Float::F64 => text.push_str("f8"),
        Float::Steps(steps) => {
            let parts = [steps.min, steps.max, steps.step].map(f64::to_bits);
            write(text, format_args!("l{:x},{:x},{:x}", parts[0], parts[1], parts[2]));
        }
        Float::Angle { bits } => write(text, format_args!("g{bits}")),
    }
}

fn count(count: Count, text: &mut String) {
    match count {
        Count::Fixed(size) => write(text, format_args!("={size},")),
        Count::UpTo(most) => write(text, format_args!("<{most},")),
        Count::Any => text.push('*'),
    }
}

fn length(most: Option<usize>, text: &mut String) {
    count(most.map_or(Count::Any, Count::UpTo), text);
}

/// A text and its length, so that no two lists of texts look the same.
fn quoted(of: &str, text: &mut String) {
    write(text, format_args!("{}\"{of}\"", of.len()));
}

fn write(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // A String takes everything.
    let _ = text.write_fmt(arguments);
}
