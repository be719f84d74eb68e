//! The key `rule` of a configuration as it is written, each part with its place.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

/// A table of the list `rule`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawRule {
    pub(super) code: Spanned<String>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) message: Spanned<String>,
    pub(super) help: Option<Spanned<String>>,
    pub(super) severity: Option<Spanned<String>>,
    pub(super) paths: Option<OneOrMore>,
    pub(super) ignore: Option<OneOrMore>,
    pub(super) nodes: Option<Spanned<RawConditions>>,
    pub(super) resources: Option<Spanned<RawConditions>>,
    pub(super) except: Option<Spanned<RawConditions>>,
    pub(super) must: Option<Spanned<RawConditions>>,
    pub(super) must_not: Option<Spanned<RawConditions>>,
}

/// Conditions of nodes, resources and files. Which of them fit is checked later.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct RawConditions {
    pub(super) class: Option<OneOrMore>,
    pub(super) script: Option<Spanned<YesOrPatterns>>,
    pub(super) instance_of: Option<Spanned<YesOrPatterns>>,
    pub(super) group: Option<OneOrMore>,
    pub(super) name: Option<Spanned<String>>,
    pub(super) same_name_as: Option<Spanned<String>>,
    pub(super) unique_name: Option<Spanned<bool>>,
    pub(super) root: Option<Spanned<bool>>,
    pub(super) depth: Option<Spanned<RawRange>>,
    pub(super) kind: Option<OneOrMore>,
    pub(super) path: Option<OneOrMore>,
    pub(super) properties: Option<Spanned<BTreeMap<Spanned<String>, RawTest>>>,
    pub(super) connection: Option<Spanned<RawConnection>>,
    pub(super) child: Option<Spanned<Box<Self>>>,
    pub(super) descendant: Option<Spanned<Box<Self>>>,
    pub(super) parent: Option<Spanned<Box<Self>>>,
    pub(super) ancestor: Option<Spanned<Box<Self>>>,
    pub(super) sibling: Option<Spanned<Box<Self>>>,
    pub(super) node: Option<Spanned<Box<Self>>>,
    pub(super) resource: Option<Spanned<Box<Self>>>,
    pub(super) min: Option<Spanned<u32>>,
    pub(super) max: Option<Spanned<u32>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawConnection {
    pub(super) signal: Option<OneOrMore>,
    pub(super) method: Option<OneOrMore>,
    pub(super) min: Option<Spanned<u32>>,
    pub(super) max: Option<Spanned<u32>>,
}

/// What a value of a property must be.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct RawTests {
    pub(super) equals: Option<Literal>,
    pub(super) one_of: Option<Spanned<Vec<Literal>>>,
    pub(super) set: Option<bool>,
    pub(super) min: Option<Spanned<f64>>,
    pub(super) max: Option<Spanned<f64>>,
    pub(super) matches: Option<Spanned<String>>,
    pub(super) path: Option<OneOrMore>,
    pub(super) class: Option<OneOrMore>,
}

/// A value, or a list of values, or a table of tests.
#[derive(Debug)]
pub(super) enum RawTest {
    OneOf(Vec<Literal>),
    Tests(Box<RawTests>),
}

/// A value as TOML has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Literal {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

/// A number, or a table with the least and the largest one.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawRange {
    pub(super) min: u32,
    pub(super) max: Option<u32>,
}

/// `true`, `false`, or patterns.
#[derive(Debug)]
pub(super) enum YesOrPatterns {
    Is(bool),
    Patterns(OneOrMore),
}

/// A text, or a list of texts.
#[derive(Debug)]
pub(super) struct OneOrMore {
    pub(super) span: Range<usize>,
    pub(super) texts: Vec<Spanned<String>>,
}

impl<'de> Deserialize<'de> for OneOrMore {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<Texts>::deserialize(deserializer)?;
        let span = found.span();
        let texts = match found.into_inner() {
            Texts::One(text) => vec![Spanned::new(span.clone(), text)],
            Texts::More(texts) => texts,
        };
        Ok(Self { span, texts })
    }
}

enum Texts {
    One(String),
    More(Vec<Spanned<String>>),
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfTexts;
        impl<'de> Visitor<'de> for OfTexts {
            type Value = Texts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string in quotes, or a list of them")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Texts, E> {
                Ok(Texts::One(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Texts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(Texts::More(texts))
            }
        }
        deserializer.deserialize_any(OfTexts)
    }
}

impl<'de> Deserialize<'de> for YesOrPatterns {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = Spanned::<YesOrTexts>::deserialize(deserializer)?;
        let span = found.span();
        let texts = match found.into_inner() {
            YesOrTexts::Is(is) => return Ok(Self::Is(is)),
            YesOrTexts::Texts(Texts::One(text)) => vec![Spanned::new(span.clone(), text)],
            YesOrTexts::Texts(Texts::More(texts)) => texts,
        };
        Ok(Self::Patterns(OneOrMore { span, texts }))
    }
}

enum YesOrTexts {
    Is(bool),
    Texts(Texts),
}

impl<'de> Deserialize<'de> for YesOrTexts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfBoth;
        impl<'de> Visitor<'de> for OfBoth {
            type Value = YesOrTexts;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false`, a path pattern, or a list of path patterns")
            }

            fn visit_bool<E: Error>(self, is: bool) -> Result<YesOrTexts, E> {
                Ok(YesOrTexts::Is(is))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<YesOrTexts, E> {
                Ok(YesOrTexts::Texts(Texts::One(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<YesOrTexts, A::Error> {
                let mut texts = Vec::new();
                while let Some(text) = list.next_element()? {
                    texts.push(text);
                }
                Ok(YesOrTexts::Texts(Texts::More(texts)))
            }
        }
        deserializer.deserialize_any(OfBoth)
    }
}

impl<'de> Deserialize<'de> for RawRange {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Default, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Ends {
            min: u32,
            max: Option<u32>,
        }
        struct OfRange;
        impl<'de> Visitor<'de> for OfRange {
            type Value = RawRange;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, or a table with `min` and `max`")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<RawRange, E> {
                let number = u32::try_from(number).map_err(|_| {
                    E::custom(format!("`{number}` is not a valid depth; expected 0 or more"))
                })?;
                Ok(RawRange { min: number, max: Some(number) })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawRange, A::Error> {
                let Ends { min, max } = Ends::deserialize(MapAccessDeserializer::new(map))?;
                Ok(RawRange { min, max })
            }
        }
        deserializer.deserialize_any(OfRange)
    }
}

impl<'de> Deserialize<'de> for RawTest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfTest;
        impl<'de> Visitor<'de> for OfTest {
            type Value = RawTest;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, a list of values, or a table such as `{ min = 1 }`")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<RawTest, E> {
                Ok(RawTest::OneOf(vec![Literal::Bool(value)]))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<RawTest, E> {
                Ok(RawTest::OneOf(vec![Literal::Int(value)]))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<RawTest, E> {
                Ok(RawTest::OneOf(vec![Literal::Float(value)]))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<RawTest, E> {
                Ok(RawTest::OneOf(vec![Literal::Text(value.to_owned())]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<RawTest, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    values.push(value);
                }
                Ok(RawTest::OneOf(values))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RawTest, A::Error> {
                RawTests::deserialize(MapAccessDeserializer::new(map))
                    .map(|tests| RawTest::Tests(Box::new(tests)))
            }
        }
        deserializer.deserialize_any(OfTest)
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OfValue;
        impl Visitor<'_> for OfValue {
            type Value = Literal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`true`, `false`, a number, or a string in quotes")
            }

            fn visit_bool<E: Error>(self, value: bool) -> Result<Literal, E> {
                Ok(Literal::Bool(value))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Literal, E> {
                Ok(Literal::Int(value))
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Literal, E> {
                Ok(Literal::Float(value))
            }

            fn visit_str<E: Error>(self, value: &str) -> Result<Literal, E> {
                Ok(Literal::Text(value.to_owned()))
            }
        }
        deserializer.deserialize_any(OfValue)
    }
}
