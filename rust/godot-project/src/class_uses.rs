//! The classes that a text names, and where.

use godot_tscn::{Field, Section, TagKind};
use hashbrown::HashMap;

use crate::SceneContext;
use crate::settings::lossy;

/// A class, with all sections of a text that say that they are of it.
#[derive(Debug)]
pub struct ClassUse<'c> {
    /// The name of the class.
    pub class: String,
    /// In the order of the text, each with the field that names the class.
    pub places: Vec<(Section<'c>, Field<'c>)>,
}

/// By class, so that each is judged once: large scenes have many nodes of few.
pub(crate) fn of<'c>(context: &SceneContext<'c>) -> Vec<ClassUse<'c>> {
    let mut uses: Vec<ClassUse<'c>> = Vec::new();
    let mut index_of = HashMap::new();
    for section in context.document.sections() {
        let has_class = matches!(
            section.kind_of_name(),
            TagKind::Node | TagKind::SubResource | TagKind::GdResource
        );
        let Some(field) = section.field("type").filter(|_| has_class) else { continue };
        let Some(class) = field.text() else { continue };
        let index = *index_of.entry(class).or_insert_with_key(|class| {
            uses.push(ClassUse { class: lossy(class), places: Vec::new() });
            uses.len() - 1
        });
        uses[index].places.push((section, field));
    }
    uses
}
