//! Which objects may be made of bytes.

use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, NodePathRef, ObjectSink, Refusal, RefusalKind,
    Sink, StringKind, StringsSink, Text,
};

use crate::decode::DecodeOptions;
use crate::dialect::{Dialect, DialectDecoder};
use crate::error::DecodeError;

/// The classes of which objects may be made, and the scripts that may be loaded for them.
///
/// An entry is a name, or the start of one with a `*` behind it: `res://items/*` allows every script
/// in that folder, and `*` allows all. A path with `..` in it is allowed by its full name only.
///
/// ```
/// use godot_variant_codec::variant::{Object, Value};
/// use godot_variant_codec::{AllowedObjects, DecodeOptions, Dialect, encode};
///
/// let object = Object::Full { class: "Node".into(), properties: vec![] };
/// let bytes = encode(&Value::Object(Box::new(object)))?;
/// let check = |allowed: AllowedObjects| {
///     allowed.check(&bytes, 0, &Dialect::GODOT_4, DecodeOptions::default())
/// };
/// assert!(check(AllowedObjects::new(["Node"], [])).is_ok());
/// assert_eq!(check(AllowedObjects::default()).unwrap_err().kind().code(), "class_not_allowed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AllowedObjects {
    classes: Vec<Box<str>>,
    scripts: Vec<Box<str>>,
}

impl AllowedObjects {
    /// A list of classes, and one of paths of scripts.
    pub fn new<'a>(
        classes: impl IntoIterator<Item = &'a str>,
        scripts: impl IntoIterator<Item = &'a str>,
    ) -> AllowedObjects {
        AllowedObjects {
            classes: classes.into_iter().map(Box::from).collect(),
            scripts: scripts.into_iter().map(Box::from).collect(),
        }
    }

    /// Reads the value at `start` of `bytes` and looks at every class and script in it.
    ///
    /// To be called before a sink that makes objects sees the bytes: so nothing is made, and no code
    /// of a script runs, unless all of it is allowed.
    ///
    /// # Errors
    /// The first thing that is wrong with the bytes, or not allowed. `options.allow_objects` is taken
    /// to be true.
    pub fn check(
        &self,
        bytes: &[u8],
        start: usize,
        dialect: &Dialect,
        options: DecodeOptions,
    ) -> Result<(), DecodeError> {
        let options = DecodeOptions { allow_objects: true, ..options };
        let guard = Guard { allowed: self, is_script: false };
        DialectDecoder::at(bytes, start, dialect, options).decode_into(guard)
    }

    fn allows_all(&self) -> bool {
        self.classes.iter().any(|class| **class == *"*")
    }

    fn check_class(&self, class: &str) -> Result<(), Refusal> {
        if listed(&self.classes, class) {
            return Ok(());
        }
        Err(Refusal::new(RefusalKind::ClassNotAllowed { class: class.to_owned() }))
    }

    fn check_script(&self, path: &str) -> Result<(), Refusal> {
        if listed(&self.scripts, path) {
            return Ok(());
        }
        Err(Refusal::new(RefusalKind::ScriptNotAllowed { path: path.to_owned() }))
    }
}

fn listed(list: &[Box<str>], name: &str) -> bool {
    list.iter().any(|entry| match entry.strip_suffix('*') {
        Some("") => true,
        Some(start) => name.starts_with(start) && !name.contains(".."),
        None => **entry == *name,
    })
}

/// A sink that keeps nothing and refuses what is not allowed.
#[derive(Clone, Copy)]
struct Guard<'l> {
    allowed: &'l AllowedObjects,
    /// The value is the property `script` of an object.
    is_script: bool,
}

impl<'l> Guard<'l> {
    fn inner(self) -> Guard<'l> {
        Guard { is_script: false, ..self }
    }

    fn check_element_type(self, ty: ContainerTypeRef<'_>) -> Result<(), Refusal> {
        match ty {
            ContainerTypeRef::Script(path) => self.allowed.check_script(path),
            // The name of a class is only remembered.
            ContainerTypeRef::Any | ContainerTypeRef::Builtin(_) | ContainerTypeRef::Class(_) => {
                Ok(())
            }
        }
    }
}

impl<'l> Sink for Guard<'l> {
    type Array = Guard<'l>;
    type Dictionary = Guard<'l>;
    type Object = Guard<'l>;
    type Strings = Guard<'l>;

    fn string(self, _kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        if self.is_script {
            return self.allowed.check_script(&text.to_boxed_str());
        }
        Ok(())
    }

    fn object(self, class: Text<'_>, _property_count: usize) -> Result<Self::Object, Refusal> {
        self.allowed.check_class(&class.to_boxed_str())?;
        Ok(self.inner())
    }

    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        _count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        self.check_element_type(key_type)?;
        self.check_element_type(value_type)?;
        Ok(self.inner())
    }

    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        _count: usize,
    ) -> Result<Self::Array, Refusal> {
        self.check_element_type(element_type)?;
        Ok(self.inner())
    }

    fn packed_strings(self, _count: usize) -> Result<Self::Strings, Refusal> {
        Ok(self)
    }

    crate::unread::pass_plain_values! {}

    fn node_path(self, _: NodePathRef<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn signal(self, _: Text<'_>, _: u64) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<'l> ArraySink for Guard<'l> {
    type Element<'a>
        = Guard<'l>
    where
        Self: 'a;

    fn element(&mut self) -> Guard<'l> {
        *self
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<'l> DictionarySink for Guard<'l> {
    type Key<'a>
        = Guard<'l>
    where
        Self: 'a;
    type Value<'a>
        = Guard<'l>
    where
        Self: 'a;

    fn key(&mut self) -> Guard<'l> {
        *self
    }

    fn value(&mut self) -> Guard<'l> {
        *self
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<'l> ObjectSink for Guard<'l> {
    type Value<'a>
        = Guard<'l>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Guard<'l>, Refusal> {
        let name = name.to_boxed_str();
        // Godot saves no `resource_path`. Set, it makes `load()` return this object instead of the file.
        if &*name == "resource_path" && !self.allowed.allows_all() {
            return Err(Refusal::new(RefusalKind::PropertyNotAllowed { name: "resource_path" }));
        }
        let is_script = &*name == "script";
        Ok(Guard { is_script, ..*self })
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl StringsSink for Guard<'_> {
    fn push(&mut self, _: Text<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}
