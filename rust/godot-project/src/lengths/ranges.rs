//! Values of a `Range`, such as a slider, that Godot cuts or rounds when it loads them.

use godot_tscn::{Property, Section, TagKind};

use super::{Effect, WrongLength};
use crate::SceneContext;

/// The numbers of a `Range`, which change each other when they are set (scene/gui/range.cpp, Godot 4.6.3).
struct Range {
    min: f64,
    max: f64,
    step: f64,
    page: f64,
    value: f64,
    is_rounded: bool,
    takes_more: bool,
    takes_less: bool,
}

/// The value of a new node that is another one when Godot has read the section.
pub(super) fn cut_value<'c>(
    context: &SceneContext<'c>,
    section: Section<'c>,
    class: &str,
) -> Option<WrongLength<'c>> {
    if section.kind() != TagKind::Node || section.field("type").is_none() {
        return None;
    }
    let mut range = Range::new(context, class)?;
    let mut wanted = range.value;
    let (mut given, mut changed) = (None, None);
    for property in section.properties() {
        let before = range.value;
        if !range.set(property)? {
            continue;
        }
        if *property.engine_key() == *b"value" {
            wanted = property.value_tree().root().number()?;
            (given, changed) = (Some(property), None);
        }
        let is_changed = if given.is_some() { wanted } else { before } != range.value;
        if is_changed {
            changed = changed.or(Some(property));
        }
    }
    let found = range.value;
    let is_same = (range.value - wanted).abs() <= 1e-6 * wanted.abs().max(1.0);
    let is_lost = !is_same && wanted.is_finite() && (given.is_some() || range.would_keep(wanted));
    let property = given.or(changed).filter(|_| is_lost)?;
    let (found, wanted) = (shown(found), shown(wanted));
    let problem = match given {
        Some(_) => format!("`value` is {wanted}, but the range of the node makes it {found}"),
        None => format!("the range of the node makes its `value` {found} instead of {wanted}"),
    };
    let effect = "the next save makes it permanent".to_owned();
    Some(WrongLength {
        property,
        span: property.value_span(),
        problem,
        effect: Effect::Other(effect),
    })
}

/// Without the digits that are only noise.
fn shown(number: f64) -> f64 {
    (number * 1e9).round() / 1e9
}

impl Range {
    /// As the constructor of a class makes it.
    fn new(context: &SceneContext<'_>, class: &str) -> Option<Self> {
        let classes = context.project.classes();
        let number = |name: &str| classes.default(class, name)?.parse().ok();
        let is = |name: &str| Some(classes.default(class, name)? == "true");
        Some(Self {
            min: number("min_value")?,
            max: number("max_value")?,
            step: number("step")?,
            page: number("page")?,
            value: number("value")?,
            is_rounded: is("rounded")?,
            takes_more: is("allow_greater")?,
            takes_less: is("allow_lesser")?,
        })
    }

    /// Sets a property, and returns whether the range has it. Nothing if its value is not a number or a condition.
    fn set(&mut self, property: Property<'_>) -> Option<bool> {
        let number = || property.value_tree().root().number();
        let is_true = || match property.source() {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        };
        match &*property.engine_key() {
            b"min_value" => {
                self.min = number()?;
                self.max = self.max.max(self.min);
                self.set_page(self.page);
                self.set_value(self.value);
            }
            b"max_value" => {
                let max = number()?.max(self.min);
                if max != self.max {
                    self.max = max;
                    self.set_page(self.page);
                    self.set_value(self.value);
                }
            }
            b"step" => self.step = number()?,
            b"page" => {
                let before = self.page;
                self.set_page(number()?);
                if self.page != before {
                    self.set_value(self.value);
                }
            }
            b"value" => self.set_value(number()?),
            b"rounded" => self.is_rounded = is_true()?,
            b"allow_greater" => self.takes_more = is_true()?,
            b"allow_lesser" => self.takes_less = is_true()?,
            _ => return Some(false),
        }
        Some(true)
    }

    /// Whether the range would take a value now.
    fn would_keep(mut self, value: f64) -> bool {
        self.set_value(value);
        self.value == value
    }

    fn set_page(&mut self, page: f64) {
        self.page = page.min(self.max - self.min).max(0.0);
    }

    fn set_value(&mut self, value: f64) {
        let mut value = value;
        if self.step > 0.0 {
            let steps = (value - self.min) / self.step + 0.5;
            // Noise in the last digits does not count.
            let nearest = steps.round();
            let steps = if (steps - nearest).abs() < 1e-9 { nearest } else { steps.floor() };
            value = steps * self.step + self.min;
        }
        if self.is_rounded {
            value = value.round();
        }
        if !self.takes_more && value > self.max - self.page {
            value = self.max - self.page;
        }
        if !self.takes_less && value < self.min {
            value = self.min;
        }
        self.value = value;
    }
}
