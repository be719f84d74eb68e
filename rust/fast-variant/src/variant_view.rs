//! `VariantView`: a value that is read in place, as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

mod lookup;

use std::sync::{Mutex, MutexGuard, PoisonError};

use godot::builtin::{AnyArray, AnyDictionary, PackedByteArray, VarArray, VarDictionary, Variant};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_variant::Segment;
use godot_variant_codec::{
    DecodeError, DecodeOptions, Dialect, ElementIndex, ValueRef, check_collisions, encode,
};

use crate::decode_options::CallOptions;
use crate::default_argument::DefaultArgument;
use crate::engine;
use crate::fast_variant_result::FastVariantResult;
use lookup::Found;

/// A value that is read in place from encoded bytes. Created by [method FastVariant.view].
///
/// [method FastVariant.decode] decodes the whole value; a view decodes only the requested parts and skips the rest. Use it to read a few fields of something large, such as a replay, a save game or a snapshot from the network.
///
/// ```gdscript
/// var view := FastVariant.view(bytes)
/// for index in view.size():
///     if view.get_path([index, "hp"], 0.0) > 0.0:
///         print(view.get_path([index, "name"]))
/// if not view.is_valid():
///     push_warning(view.get_failure().message)
/// ```
///
/// What a view gives is what decoding everything would give, with two differences, both for bytes that Godot never writes: a key that occurs twice in a [Dictionary] is counted by [method size] and iterated twice (the last value is the one found), and a value of another type than its typed container declares is given as written. The container itself is broken then.
///
/// A view checks what it walks over, and nothing else. The limits that [method FastVariant.view] was given hold for the whole value in bytes, for each container that is walked, for each text that is read, and for everything that is decoded. It never logs an error: a broken value is given as [code]null[/code] or the default, and then [method is_valid] is [code]false[/code] and [method get_failure] says what is wrong. Objects with properties are refused, as by [method FastVariant.decode].
///
/// Elements of an [Array] are found in time that grows with the bytes in front of them; the view remembers where every 64th element starts, in at most a thirty-second of the size of the bytes, so that a loop over all of them is as fast as it should be. Looking up a key walks over all entries of the [Dictionary]: to look up many keys of a large one, decode it.
///
/// A view must be used by one thread at a time.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct VariantView {
    /// Shared with all that have it; the engine copies it when someone else changes it.
    bytes: PackedByteArray,
    /// Where the value starts.
    start: usize,
    options: DecodeOptions,
    /// The way from the outermost value to this one.
    path: Vec<Segment>,
    state: Mutex<State>,
}

/// What calls leave behind.
#[derive(Default)]
struct State {
    index: ElementIndex,
    /// The first broken thing that was met.
    failure: Option<DecodeError>,
    /// What is wrong with the call, so that there is nothing to see: the code and a sentence.
    misuse: Option<(&'static str, String)>,
}

#[godot_api]
impl VariantView {
    /// Returns the value's type, one of [enum Variant.Type], without decoding it. For a [Dictionary] this is [constant TYPE_DICTIONARY], for bytes that are not a valid value [constant TYPE_NIL].
    #[func]
    fn get_type(&self) -> i64 {
        let ty = self.noted(|view| Ok(view.value()?.variant_type()));
        ty.map_or(0, |ty| i64::from(ty.id()))
    }

    /// Returns the number of elements of an [Array] or a packed array, or of entries of a [Dictionary], and 0 for any other type. The elements are not looked at.
    #[func]
    fn size(&self) -> i64 {
        let len = self.noted(|view| view.value()?.len());
        len.flatten().map_or(0, |len| len as i64)
    }

    /// Returns the keys of a [Dictionary], in order and each once, and an empty array for any other type. Values are stepped over.
    #[func]
    fn keys(&self) -> VarArray {
        self.noted(VariantView::decoded_keys).unwrap_or_default()
    }

    /// Returns whether the value holds something under [param key]: a key of a [Dictionary], or an index of an [Array] or a packed array, where negative ones count from the end.
    #[func]
    fn has(&self, key: Variant) -> bool {
        let found = self.noted(|view| Ok(view.find([key])?.is_some()));
        found.unwrap_or_default()
    }

    /// Returns the decoded value under [param key]: the key of an entry of a [Dictionary], or the index of an element of an [Array] or a packed array, where negative ones count from the end.
    ///
    /// Keys are compared as by [Dictionary]: a [String] finds a [StringName] of the same text, but an [int] does not find a [float]. Returns [param default] if the key or index does not exist, if the value is of another type, or if it is broken.
    // Not `get`, which would hide the method of `Object`.
    #[func]
    fn get_value(
        &self,
        key: Variant,
        #[opt(default = DefaultArgument::null())] default: DefaultArgument,
    ) -> Variant {
        self.noted(|view| view.find_decoded([key])).flatten().unwrap_or(default.0)
    }

    /// Returns the decoded value that is reached by [param path], a list of keys and indices as [method get_value] takes them, e.g. [code][3, "pos"][/code]. An empty path leads to the value itself.
    ///
    /// Returns [param default] if a step leads to nothing, or to something that is broken.
    #[func]
    fn get_path(
        &self,
        path: AnyArray,
        #[opt(default = DefaultArgument::null())] default: DefaultArgument,
    ) -> Variant {
        let steps = path.iter_shared();
        self.noted(|view| view.find_decoded(steps)).flatten().unwrap_or(default.0)
    }

    /// Returns a view of the value under [param key] (see [method get_value]) without decoding it, or [code]null[/code] if it does not exist.
    ///
    /// The view shares the bytes with this one. An element of a packed array does not stand in the bytes as a value of its own: its view holds a copy.
    #[func]
    fn at(&self, key: Variant) -> Option<Gd<VariantView>> {
        self.noted(|view| view.find_view([key])).flatten()
    }

    /// Returns a view of the value that is reached by [param path] (see [method get_path]) without decoding it, or [code]null[/code] if it does not exist.
    #[func]
    fn at_path(&self, path: AnyArray) -> Option<Gd<VariantView>> {
        let steps = path.iter_shared();
        self.noted(|view| view.find_view(steps)).flatten()
    }

    /// Decodes the whole value, with the same result as [method FastVariant.decode]. Returns [code]null[/code] if it is broken.
    #[func]
    fn to_variant(&self) -> Variant {
        self.noted(VariantView::decoded_whole).unwrap_or_default()
    }

    /// Returns whether nothing broken was met so far, by calls of this view. What was not walked over may still be broken; [method to_variant] walks over everything.
    #[func]
    fn is_valid(&self) -> bool {
        self.noted(VariantView::value);
        let state = self.state();
        state.failure.is_none() && state.misuse.is_none()
    }

    /// Returns the first broken thing that was met by calls of this view, with its kind, its place in the bytes and its path from the outermost value, or [code]null[/code] if there was none.
    #[func]
    fn get_failure(&self) -> Option<Gd<FastVariantResult>> {
        self.noted(VariantView::value);
        let state = self.state();
        match &state.misuse {
            Some((code, message)) => Some(FastVariantResult::misuse(code, message, 0)),
            None => state.failure.as_ref().map(FastVariantResult::failed),
        }
    }

    #[func]
    fn _iter_init(&self, mut iter: VarArray) -> bool {
        iter.set(0, &0i64.to_variant());
        self.noted(|view| view.find_number(0)).flatten().is_some()
    }

    #[func]
    fn _iter_next(&self, mut iter: VarArray) -> bool {
        let number = iter.at(0).try_to::<i64>().map_or(0, |number| number.saturating_add(1));
        iter.set(0, &number.to_variant());
        self.noted(|view| view.find_number(number)).flatten().is_some()
    }

    #[func]
    fn _iter_get(&self, iter: Variant) -> Variant {
        let number = iter.try_to::<i64>().unwrap_or(-1);
        let found = self
            .noted(|view| view.find_number(number)?.map(|found| view.decoded(found)).transpose());
        found.flatten().unwrap_or_default()
    }
}

impl VariantView {
    /// A view of the outermost value.
    pub(crate) fn of(bytes: PackedByteArray, options: &AnyDictionary) -> Gd<VariantView> {
        let options = CallOptions::parse_whole(options).and_then(|options| {
            options.check_for_view()?;
            Ok((options.start(&bytes)?, options.decode))
        });
        match options {
            Ok((start, options)) => {
                let opened = ValueRef::with_options(bytes.as_slice(), start, options).map(drop);
                match opened {
                    Ok(()) => VariantView::new(bytes, start, options, Vec::new(), State::default()),
                    Err(error) => {
                        // Nothing of it is shown.
                        let state = State { failure: Some(error), ..State::default() };
                        VariantView::new(PackedByteArray::new(), 0, options, Vec::new(), state)
                    }
                }
            }
            Err(message) => VariantView::refused("invalid_option", message),
        }
    }

    /// A view of nothing, because the call cannot be served.
    pub(crate) fn refused(code: &'static str, message: String) -> Gd<VariantView> {
        let state = State { misuse: Some((code, message)), ..State::default() };
        let (bytes, options) = (PackedByteArray::new(), DecodeOptions::default());
        VariantView::new(bytes, 0, options, Vec::new(), state)
    }

    fn new(
        bytes: PackedByteArray,
        start: usize,
        options: DecodeOptions,
        path: Vec<Segment>,
        state: State,
    ) -> Gd<VariantView> {
        let state = Mutex::new(state);
        Gd::from_object(VariantView { bytes, start, options, path, state })
    }

    fn value(&self) -> Result<ValueRef<'_>, DecodeError> {
        let bytes = self.bytes.as_slice();
        ValueRef::at_depth(bytes, self.start, self.options, self.path.len())
    }

    /// What the steps lead to, one after the other, and the path to it from here.
    fn find(&self, steps: impl IntoIterator<Item = Variant>) -> Result<Place<'_>, DecodeError> {
        let (mut found, mut path) = (Found::Encoded(self.value()?), Vec::new());
        for step in steps {
            // An element of a packed array holds nothing.
            let Found::Encoded(container) = found else { return Ok(None) };
            let next = match path.is_empty() {
                true => lookup::by_key(container, &step, &mut self.state().index),
                false => lookup::by_key(container, &step, &mut ElementIndex::default()),
            };
            let Some((next, segment)) = next.map_err(|error| inside(error, &path))? else {
                return Ok(None);
            };
            found = next;
            path.push(segment);
        }
        Ok(Some((found, path)))
    }

    fn find_decoded(
        &self,
        steps: impl IntoIterator<Item = Variant>,
    ) -> Result<Option<Variant>, DecodeError> {
        let Some((found, path)) = self.find(steps)? else { return Ok(None) };
        self.decoded(found).map(Some).map_err(|error| inside(error, &path))
    }

    fn find_view(
        &self,
        steps: impl IntoIterator<Item = Variant>,
    ) -> Result<Option<Gd<VariantView>>, DecodeError> {
        Ok(self.find(steps)?.map(|(found, path)| match found {
            Found::Encoded(value) => {
                let path = self.path.iter().cloned().chain(path).collect();
                let (bytes, start) = (self.bytes.clone(), value.offset());
                VariantView::new(bytes, start, self.options, path, State::default())
            }
            // Small, so that it cannot be refused.
            Found::Element(value) => {
                let bytes = encode(&value).unwrap_or_default().into();
                let options = DecodeOptions::default();
                VariantView::new(bytes, 0, options, Vec::new(), State::default())
            }
        }))
    }

    /// What a loop comes to when it has come past `number` others.
    fn find_number(&self, number: i64) -> Result<Option<Found<'_>>, DecodeError> {
        let Ok(number) = usize::try_from(number) else { return Ok(None) };
        lookup::by_number(self.value()?, number, &mut self.state().index)
    }

    fn decoded_whole(&self) -> Result<Variant, DecodeError> {
        if self.path.is_empty() {
            self.check(self.start)?;
            return Ok(engine::decode(&self.bytes, self.start, self.options, true)?.0);
        }
        self.decoded(Found::Encoded(self.value()?))
    }

    fn decoded_keys(&self) -> Result<VarArray, DecodeError> {
        self.check(self.start)?;
        // A repeated key is one key.
        let mut keys = VarDictionary::new();
        for (number, entry) in self.value()?.entries()?.into_iter().flatten().enumerate() {
            let key = engine::decode_view(&entry?.0)
                .map_err(|error| error.at(Segment::EntryKey(number)))?;
            keys.set(&key, &Variant::nil());
        }
        Ok(keys.keys_array())
    }

    fn decoded(&self, found: Found<'_>) -> Result<Variant, DecodeError> {
        match found {
            Found::Encoded(value) => {
                self.check(value.offset())?;
                engine::decode_view(&value)
            }
            Found::Element(value) => Ok(engine::variant_of(&value).unwrap_or_default()),
        }
    }

    /// Looks at the keys and the names of the value at `start`, before the engine gets them.
    fn check(&self, start: usize) -> Result<(), DecodeError> {
        check_collisions(self.bytes.as_slice(), start, &Dialect::GODOT_4, self.options)
    }

    /// The result of `read`; what is broken is kept for [`VariantView::get_failure`].
    fn noted<'v, T>(
        &'v self,
        read: impl FnOnce(&'v VariantView) -> Result<T, DecodeError>,
    ) -> Option<T> {
        match read(self) {
            Ok(value) => Some(value),
            Err(error) => {
                let error = inside(error, &self.path);
                self.state().failure.get_or_insert(error);
                None
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was found, if anything, and the path to it.
type Place<'v> = Option<(Found<'v>, Vec<Segment>)>;

/// The same error, for a value inside `path`.
fn inside(error: DecodeError, path: &[Segment]) -> DecodeError {
    path.iter().rev().fold(error, |error, segment| error.at(segment.clone()))
}
