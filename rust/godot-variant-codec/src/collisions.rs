//! Keys and names that were made to collide in the engine's hash tables: to put n of them in takes n²
//! steps, so a megabyte takes seconds.

mod hash;
mod table;

use std::cell::RefCell;

use godot_variant::{
    ArraySink, ContainerTypeRef, DictionarySink, MAX_RECURSION_DEPTH, NodePathRef, ObjectSink,
    Place, Refusal, RefusalKind, Sink, Source, StringKind, StringsSink, Text, Value, VariantType,
};

use crate::decode::DecodeOptions;
use crate::dialect::{Dialect, DialectDecoder};
use crate::error::DecodeError;
use crate::framing::rpc::Arguments;
use hash::Paths;
use table::{Names, Table};

/// Reads the value at `start` of `bytes` and counts the steps that the engine needs for the keys of its
/// dictionaries and for its names, as far as `options.limits.max_collisions` goes.
///
/// To be called before a sink that makes values of the engine's sees the bytes. A
/// [`Value`] needs none of this: its dictionaries are hashed with a secret.
///
/// ```
/// use godot_variant_codec::variant::{Dictionary, Value};
/// use godot_variant_codec::{DecodeOptions, Dialect, Limits, check_collisions, encode};
///
/// // "a~" and "b]" have one hash, and so have all texts of the same number of them.
/// let key = |n: u32| {
///     let parts = (0..10).map(|bit| if n >> bit & 1 == 0 { "a~" } else { "b]" });
///     Value::String(parts.collect::<String>().into())
/// };
/// let value: Dictionary = (0..1000).map(|n| (key(n), Value::Nil)).collect();
/// let bytes = encode(&Value::from(value))?;
/// let options = DecodeOptions { limits: Limits::STRICT, ..DecodeOptions::default() };
/// let error = check_collisions(&bytes, 0, &Dialect::GODOT_4, options).unwrap_err();
/// assert_eq!(error.kind().code(), "too_many_collisions");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first thing that is wrong with the bytes, or the first dictionary or name that passes the limit.
pub fn check_collisions(
    bytes: &[u8],
    start: usize,
    dialect: &Dialect,
    options: DecodeOptions,
) -> Result<(), DecodeError> {
    let max = options.limits.max_collisions;
    if max == usize::MAX {
        return Ok(());
    }
    let names = RefCell::new(Names::new(max));
    let watch = Watch { names: &names, max };
    DialectDecoder::at(bytes, start, dialect, options).decode_into(watch)
}

/// Does the same as [`check_collisions`] for the arguments of a call, and counts the names of all arguments together.
///
/// # Errors
/// The first thing that is wrong with an argument, or the first dictionary or name that passes the limit.
pub fn check_argument_collisions(
    arguments: &Arguments<'_>,
    count: usize,
    options: DecodeOptions,
) -> Result<(), DecodeError> {
    let max = options.limits.max_collisions;
    if max == usize::MAX {
        return Ok(());
    }
    let names = RefCell::new(Names::new(max));
    let watch = Watch { names: &names, max };
    arguments.decode_each(count, options, |argument| argument.read(watch))
}

/// Counts the same as [`check_collisions`] for values that do not come from bytes, and the names of all values together.
#[derive(Debug)]
pub struct CollisionCounter {
    names: RefCell<Names>,
    max: usize,
}

impl CollisionCounter {
    /// A counter with the limit [`Limits::max_collisions`](crate::Limits::max_collisions).
    pub fn new(max: usize) -> CollisionCounter {
        CollisionCounter { names: RefCell::new(Names::new(max)), max }
    }

    /// Counts the keys and names of a value.
    ///
    /// # Errors
    /// The first dictionary or name that passes the limit, or what the source refuses.
    pub fn value(&self, source: &impl Source) -> Result<(), Refusal> {
        if self.max == usize::MAX { Ok(()) } else { source.emit(self.watch()) }
    }

    /// Counts a name.
    ///
    /// # Errors
    /// That it passes the limit.
    pub fn name(&self, name: Text<'_>) -> Result<(), Refusal> {
        if self.max == usize::MAX {
            return Ok(());
        }
        self.watch().text(VariantType::StringName, name)
    }

    /// For the keys of a dictionary.
    pub fn keys(&self) -> KeyCounter {
        KeyCounter { hashes: Vec::new(), table: None, max: self.max }
    }

    fn watch(&self) -> Watch<'_> {
        Watch { names: &self.names, max: self.max }
    }
}

/// Counts the keys of a dictionary that are texts.
#[derive(Debug)]
pub struct KeyCounter {
    /// The first keys, which are never too many.
    hashes: Vec<u32>,
    table: Option<Table>,
    max: usize,
}

impl KeyCounter {
    /// This number of keys takes fewer steps than are free.
    const FEW: usize = 90;

    /// Counts a key and returns whether the limit allows it. A repeated key counts each time.
    #[inline]
    pub fn add(&mut self, key: Text<'_>) -> bool {
        if self.max == usize::MAX {
            return true;
        }
        let hash = match key {
            Text::Ascii(bytes) => hash::of_units(bytes.iter().map(|&byte| byte.into())),
            Text::Utf8(text) => hash::of_text(text),
            Text::Utf32(units) => hash::of_units(units.iter().copied()),
        };
        if self.hashes.len() < Self::FEW {
            self.hashes.push(hash);
            return true;
        }
        let table = self.table.get_or_insert_with(|| {
            let mut table = Table::new(self.max);
            self.hashes.iter().for_each(|&hash| table.add(hash));
            table
        });
        table.add(hash);
        table.is_within()
    }
}

/// A sink that keeps nothing but hashes.
#[derive(Clone, Copy)]
struct Watch<'n> {
    names: &'n RefCell<Names>,
    max: usize,
}

impl Watch<'_> {
    fn name(self, what: VariantType, name: &str) -> Result<(), Refusal> {
        match self.names.borrow_mut().add(name, hash::of_text(name)) {
            true => Ok(()),
            false => Err(self.too_many(what)),
        }
    }

    fn text(self, what: VariantType, text: Text<'_>) -> Result<(), Refusal> {
        match text {
            Text::Utf8(name) => self.name(what, name),
            text => self.name(what, &text.to_boxed_str()),
        }
    }

    /// The names in a key.
    fn names_in(self, key: &Value) -> Result<(), Refusal> {
        let what = key.variant_type();
        match key {
            Value::StringName(name) => self.name(what, name),
            Value::NodePath(path) => {
                let names = path.names.iter().chain(&path.subnames);
                names.map(|name| &**name).try_for_each(|name| self.name(what, name))?;
                hash::joined(path).iter().try_for_each(|name| self.name(what, name))
            }
            Value::Signal(signal) => self.name(what, &signal.name),
            Value::Array(array) => array.elements.iter().try_for_each(|e| self.names_in(e)),
            Value::Dictionary(dictionary) => dictionary.iter().try_for_each(|(key, value)| {
                self.names_in(key)?;
                self.names_in(value)
            }),
            _ => Ok(()),
        }
    }

    #[cold]
    fn too_many(self, what: VariantType) -> Refusal {
        Refusal::new(RefusalKind::TooManyCollisions { what, max: self.max })
    }
}

impl<'n> Sink for Watch<'n> {
    type Array = Watch<'n>;
    type Dictionary = Keys<'n>;
    type Object = Watch<'n>;
    type Strings = Watch<'n>;

    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        match kind {
            StringKind::String => Ok(()),
            StringKind::StringName => self.text(VariantType::StringName, text),
        }
    }

    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        let names = path.names.iter().chain(path.subnames);
        names.copied().try_for_each(|name| self.text(VariantType::NodePath, name))
    }

    fn signal(self, name: Text<'_>, _: u64) -> Result<(), Refusal> {
        self.text(VariantType::Signal, name)
    }

    fn object(self, class: Text<'_>, _: usize) -> Result<Self::Object, Refusal> {
        self.text(VariantType::Object, class)?;
        Ok(self)
    }

    fn dictionary(
        self,
        _: ContainerTypeRef<'_>,
        _: ContainerTypeRef<'_>,
        _: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let table = Table::new(self.max);
        let key = Value::Nil;
        Ok(Keys { watch: self, table, joined: None, key, has_key: false, refusal: None })
    }

    fn array(self, _: ContainerTypeRef<'_>, _: usize) -> Result<Self::Array, Refusal> {
        Ok(self)
    }

    fn packed_strings(self, _: usize) -> Result<Self::Strings, Refusal> {
        Ok(self)
    }

    crate::unread::pass_plain_values! {}
}

impl<'n> ArraySink for Watch<'n> {
    type Element<'a>
        = Watch<'n>
    where
        Self: 'a;

    fn element(&mut self) -> Watch<'n> {
        *self
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl<'n> ObjectSink for Watch<'n> {
    type Value<'a>
        = Watch<'n>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Watch<'n>, Refusal> {
        self.text(VariantType::Object, name)?;
        Ok(*self)
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

impl StringsSink for Watch<'_> {
    fn push(&mut self, _: Text<'_>) -> Result<(), Refusal> {
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// The keys of a dictionary. One key is held until its value comes.
struct Keys<'n> {
    watch: Watch<'n>,
    /// With [`Paths::ByName`].
    table: Table,
    /// With [`Paths::Joined`], if that makes a difference.
    joined: Option<Table>,
    key: Value,
    has_key: bool,
    /// What is wrong with a name in a key: to be told with the dictionary.
    refusal: Option<Refusal>,
}

impl Keys<'_> {
    fn take_key(&mut self) {
        if !std::mem::take(&mut self.has_key) {
            return;
        }
        let key = std::mem::take(&mut self.key);
        let hash = hash::hash(&key, Paths::ByName);
        if self.joined.is_none() && hash::has_path(&key) {
            self.joined = Some(self.table.clone());
        }
        self.table.add(hash);
        if let Some(joined) = &mut self.joined {
            joined.add(hash::hash(&key, Paths::Joined));
        }
        if self.refusal.is_none() {
            self.refusal = self.watch.names_in(&key).err();
        }
    }
}

impl<'n> DictionarySink for Keys<'n> {
    type Key<'a>
        = Place<'a>
    where
        Self: 'a;
    type Value<'a>
        = Watch<'n>
    where
        Self: 'a;

    fn key(&mut self) -> Place<'_> {
        self.has_key = true;
        Place::new(&mut self.key, MAX_RECURSION_DEPTH)
    }

    /// The place for the value of the key just given.
    fn value(&mut self) -> Watch<'n> {
        self.take_key();
        self.watch
    }

    fn end(self) -> Result<(), Refusal> {
        match self.refusal {
            Some(refusal) => Err(refusal),
            None if !self.table.is_within() || self.joined.is_some_and(|it| !it.is_within()) => {
                Err(self.watch.too_many(VariantType::Dictionary))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use godot_variant::Dictionary;

    use super::*;
    use crate::{Limits, encode};

    fn code(value: &Value) -> Option<&'static str> {
        let bytes = encode(value).unwrap();
        let limits = Limits { max_collisions: Limits::STRICT.max_collisions, ..Limits::ENGINE };
        let options = DecodeOptions { limits, ..DecodeOptions::default() };
        check_collisions(&bytes, 0, &Dialect::GODOT_4, options).err().map(|e| e.kind().code())
    }

    /// Texts of one hash.
    fn text(n: u32) -> Box<str> {
        (0..15).map(|bit| if n >> bit & 1 == 0 { "a~" } else { "b]" }).collect::<String>().into()
    }

    fn keys(key: impl Fn(u32) -> Value) -> Value {
        (0..20_000).map(|n| (key(n), Value::Nil)).collect::<Dictionary>().into()
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn what_was_made_to_collide_is_refused() {
        let too_many = Some("too_many_collisions");
        assert_eq!(hash::of_text(&text(0)), hash::of_text(&text(12345)));
        assert_eq!(code(&keys(|n| Value::String(text(n)))), too_many);
        assert_eq!(code(&keys(|n| Value::StringName(text(n)))), too_many);
        assert_eq!(
            code(&Value::Array(Box::new(vec![keys(|n| Value::String(text(n)))].into()))),
            too_many
        );
        // Keys that have one hash each, in keys.
        let inside = |n| Value::from(godot_variant::Array::from(vec![Value::String(text(n))]));
        assert_eq!(code(&keys(inside)), too_many);
        let names: godot_variant::Array = (0..20_000).map(|n| Value::StringName(text(n))).collect();
        assert_eq!(code(&names.into()), too_many);
        let texts: godot_variant::Array = (0..20_000).map(|n| Value::String(text(n))).collect();
        assert_eq!(code(&texts.into()), None, "nobody looks for an element");
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn values_at_hand() {
        let max = Limits::STRICT.max_collisions;
        let counter = CollisionCounter::new(max);
        let error = counter.value(&keys(|n| Value::String(text(n)))).unwrap_err();
        assert_eq!(error.kind().code(), "too_many_collisions");
        counter.value(&keys(|n| Value::Int(n.into()))).unwrap();
        let mut names = (0..20_000).map(text);
        assert!(names.any(|name| counter.name(Text::Ascii(name.as_bytes())).is_err()));
        let (mut made, mut usual) = (counter.keys(), counter.keys());
        assert!(!(0..20_000).all(|n| made.add(Text::Utf8(&text(n)))));
        assert!((0..20_000).all(|n| usual.add(Text::Utf8(&format!("key{n}")))));
        assert!((0..KeyCounter::FEW as u32).all(|n| counter.keys().add(Text::Utf8(&text(n)))));
        let free = CollisionCounter::new(usize::MAX);
        free.value(&keys(|n| Value::String(text(n)))).unwrap();
        assert!((0..20_000).all(|n| free.name(Text::Utf8(&text(n))).is_ok()));
    }

    /// One text as names of a path, split in another way for each number.
    fn split(n: u32) -> Value {
        let parts = (0..15).map(|bit| if n >> bit & 1 == 0 { "a/" } else { "a\n" });
        let text: String = parts.collect();
        let names = text.trim_end_matches(['/', '\n']).split('\n').map(Into::into).collect();
        Value::NodePath(Box::new(godot_variant::NodePath {
            names,
            ..godot_variant::NodePath::default()
        }))
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn paths_that_are_split_in_other_ways_collide_since_godot_4_6() {
        assert_eq!(hash::hash(&split(1), Paths::Joined), hash::hash(&split(6), Paths::Joined));
        assert_ne!(hash::hash(&split(1), Paths::ByName), hash::hash(&split(6), Paths::ByName));
        let too_many = Some("too_many_collisions");
        assert_eq!(code(&keys(split)), too_many);
        let inside = |n| Value::from(godot_variant::Array::from(vec![split(n)]));
        assert_eq!(code(&keys(inside)), too_many);
    }

    /// What `hash()` says in Godot 4.6.3.
    #[test]
    fn hashes_of_paths_are_the_engines() {
        for (absolute, names, subnames, expected) in [
            (false, "", "", 0),
            (false, "a", "", 3_608_900_604),
            (false, "a b", "", 1_780_534_522),
            (true, "root A", "position x", 3_251_203_665),
            (false, "", "x", 539_322_306),
            (false, ".. B", "", 1_219_438_320),
            (false, "é 😀", "", 1_899_718_569),
        ] {
            let parts = |text: &str| text.split_terminator(' ').map(Into::into).collect();
            let (names, subnames) = (parts(names), parts(subnames));
            let path = godot_variant::NodePath { absolute, names, subnames };
            let path = Value::NodePath(Box::new(path));
            assert_eq!(hash::hash(&path, Paths::Joined), expected, "{path:?}");
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "tens of thousands of keys take hours")]
    fn what_games_send_is_taken() {
        assert_eq!(code(&keys(|n| Value::Int(n.into()))), None);
        assert_eq!(code(&keys(|n| Value::Int(i64::from(n) << 20))), None);
        assert_eq!(code(&keys(|n| Value::Float(n.into()))), None);
        assert_eq!(code(&keys(|n| Value::from(format!("player_{n}").as_str()))), None);
        assert_eq!(code(&keys(|n| Value::from(format!("{n:06}").as_str()))), None);
        assert_eq!(code(&keys(|n| Value::StringName(format!("n{n:06}").into()))), None);
        assert_eq!(code(&keys(|n| Value::Vector2i([n as i32 % 200, n as i32 / 200]))), None);
        assert_eq!(code(&keys(|n| Value::Vector3([n as f32, 0.0, -1.0]))), None);
        let names: godot_variant::Array =
            (0..60_000).map(|_| Value::StringName("same".into())).collect();
        assert_eq!(code(&names.into()), None);
    }
}
