//! A script and all that it extends.

use std::borrow::Cow;
use std::cell::OnceCell;

use hashbrown::HashMap;

use crate::project::FileId;
use crate::script::{Function, Script, Signal, Variable};

/// The parts of an object with a script: the script, its base scripts, and the class of Godot's at the end.
#[derive(Debug, Default)]
pub struct Chain<'p> {
    /// The script first, its base after it.
    pub scripts: Vec<Cow<'p, Script>>,
    /// The class at the end, if it is known.
    pub native: Option<String>,
    /// Whether all of it could be read.
    pub is_complete: bool,
    /// The file of the script; none for one inside a scene.
    pub file: Option<FileId>,
    variables: Names,
    signals: Names,
    functions: Names,
}

/// Where each name is declared first: the script, and the place in its list. Every property and connection of a scene asks,
/// and a script may have as many.
#[derive(Debug, Default)]
struct Names(OnceCell<HashMap<String, [usize; 2]>>);

/// So few declarations are gone through.
const FEW: usize = 32;

impl<'p> Chain<'p> {
    pub(crate) fn new(
        scripts: Vec<Cow<'p, Script>>,
        native: Option<String>,
        is_complete: bool,
    ) -> Self {
        Self { scripts, native, is_complete, ..Self::default() }
    }

    /// The variable that the object has under this name.
    pub fn variable(&self, name: &str) -> Option<&Variable> {
        self.variables.find(&self.scripts, |script| &script.variables, |found| &found.name, name)
    }

    /// The signal that the object has under this name.
    pub fn signal(&self, name: &str) -> Option<&Signal> {
        self.signals.find(&self.scripts, |script| &script.signals, |found| &found.name, name)
    }

    /// The function that the object has under this name.
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.find(&self.scripts, |script| &script.functions, |found| &found.name, name)
    }
}

impl Names {
    fn find<'s, T>(
        &self,
        scripts: &'s [Cow<'_, Script>],
        list: impl Fn(&'s Script) -> &'s [T],
        name_of: impl Fn(&T) -> &str,
        name: &str,
    ) -> Option<&'s T> {
        let lists = || scripts.iter().map(|script| list(script));
        if lists().map(<[T]>::len).sum::<usize>() <= FEW {
            return lists().flatten().find(|found| name_of(found) == name);
        }
        let places = self.0.get_or_init(|| {
            let mut places = HashMap::new();
            for (script, list) in lists().enumerate() {
                for (index, found) in list.iter().enumerate() {
                    places.entry_ref(name_of(found)).or_insert([script, index]);
                }
            }
            places
        });
        let [script, index] = *places.get(name)?;
        list(&scripts[script]).get(index)
    }
}
