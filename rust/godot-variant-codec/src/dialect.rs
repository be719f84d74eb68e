//! The generations of the format, as data.
//!
//! One `const` for each, and its entry in [`Dialect::ALL`]. [`encode_as`] and [`decode_as`] read the
//! table; Godot 4's newest step, which everybody uses, has an encoder and a decoder of its own that
//! know it by heart.
//!
//! To add a dialect: its `const` and its entry in `ALL`; its constant in `fast-variant/src/dialects.rs`, whose
//! number is its position in `ALL`; its golden bytes, each with its source, in a test.

mod content;
mod decode;
mod decode_content;
mod detect;
mod encode;
mod encode_sink;
mod godot_2;
mod node_path;
mod types;

pub use decode::{DialectDecoder, decode_as};
pub use detect::detect_dialects;
pub use encode::{DialectEncoder, EncodeOptions, encode_as};

use godot_variant::VariantType as V;

use crate::header;
use types::{DOCS_4_2_TYPES, GODOT_2_TYPES, GODOT_3_TYPES, GODOT_4_TYPES, WireType};

/// One generation of the format: which types it numbers how, and how it writes them.
///
/// | dialect | spoken by | known from |
/// |---|---|---|
/// | [`GODOT_4`](Self::GODOT_4) | Godot 4.4 and later | the engine |
/// | [`GODOT_4_3`](Self::GODOT_4_3) | Godot 4.3: no typed dictionaries | GH-98120 |
/// | [`GODOT_4_0`](Self::GODOT_4_0) | Godot 4.0 to 4.2: no typed arrays either, no `PackedVector4Array` | GH-78219 |
/// | [`GODOT_3`](Self::GODOT_3) | Godot 3.1 to 3.6 | the engine |
/// | [`GODOT_2`](Self::GODOT_2) | Godot 2.1 | its core/io/marshalls.cpp |
/// | [`DOCS_3_0`](Self::DOCS_3_0) | nobody: the page "Binary serialization API" of 3.x says so | the page's tables |
/// | [`DOCS_4_2`](Self::DOCS_4_2) | nobody: the same page of 4.2 says so | the page's tables |
///
/// Where a page contradicts itself, its tables win.
#[derive(Debug)]
pub struct Dialect {
    name: &'static str,
    /// The meaning of each type number.
    types: &'static [WireType],
    /// The bits of the header that are the type.
    type_mask: u32,
    int: NumberWidth,
    float: NumberWidth,
    reals: RealWidth,
    typed: TypedContainers,
    objects: ObjectForms,
    rids: RidForm,
    node_paths: NodePathForms,
    /// Whether each string of a `PackedStringArray` ends with a NUL that counts.
    strings_end_with_nul: bool,
    /// The bytes of the count of a `PackedInt64Array`.
    int64_count_len: usize,
    /// Whether two dictionaries of the same content are two keys: an engine that compares them by identity wrote them.
    dictionaries_differ: bool,
    /// Whether [`Encoder`](crate::Encoder) and [`Decoder`](crate::Decoder) speak it.
    native: bool,
}

/// How wide ints or floats are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NumberWidth {
    /// As wide as the value needs; a flag in the header tells.
    ByValue,
    /// Written with 32 bits; read by the flag.
    Written32,
    /// Always 64 bits, whatever the flags say.
    Always64,
}

/// How wide the components of vectors and transforms are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RealWidth {
    /// 32 bits, or 64 where a flag in the header tells. Colors always have 32 bits.
    ByFlag,
    /// Always 32 bits.
    Always32,
    /// 32 bits, or 64 where both sides have agreed on double precision, which no mark in the bytes
    /// shows: every field that the page calls "Float" is wide then, those of colors among them.
    Agreed,
}

/// Which containers can be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum TypedContainers {
    None,
    Arrays,
    ArraysAndDictionaries,
}

/// How objects are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ObjectForms {
    /// Not at all.
    Unsupported,
    /// The header alone, read as null.
    NullOnly,
    /// Null as a bare nil, an id marked by a flag, or class and properties.
    Engine,
    /// As the engine, but null is an object without a class.
    NullWithoutClass,
}

/// How RIDs are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RidForm {
    /// Not at all.
    Unsupported,
    /// The header alone: the id is lost.
    HeaderOnly,
    /// As 64 bits.
    Id,
}

/// How node paths are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NodePathForms {
    /// By names.
    Names,
    /// By names, the last subname being a property of its own, as a flag tells.
    NamesAndProperty,
    /// By names; read as plain text, too.
    NamesOrText,
}

impl Dialect {
    /// Godot 4.4 and later: what `var_to_bytes` writes today.
    pub const GODOT_4: Dialect = Dialect {
        name: "GODOT_4",
        types: GODOT_4_TYPES,
        type_mask: header::TYPE_MASK,
        int: NumberWidth::ByValue,
        float: NumberWidth::ByValue,
        reals: RealWidth::ByFlag,
        typed: TypedContainers::ArraysAndDictionaries,
        objects: ObjectForms::Engine,
        rids: RidForm::Id,
        node_paths: NodePathForms::Names,
        strings_end_with_nul: true,
        int64_count_len: 4,
        dictionaries_differ: false,
        native: true,
    };

    /// Godot 4.3: arrays can be typed, dictionaries cannot.
    pub const GODOT_4_3: Dialect = Dialect {
        name: "GODOT_4_3",
        typed: TypedContainers::Arrays,
        native: false,
        ..Self::GODOT_4
    };

    /// Godot 4.0 to 4.2: nothing is typed, and there is no `PackedVector4Array`.
    pub const GODOT_4_0: Dialect = Dialect {
        name: "GODOT_4_0",
        types: GODOT_4_TYPES.split_at(38).0,
        typed: TypedContainers::None,
        ..Self::GODOT_4_3
    };

    /// Godot 3.1 to 3.6. Proved with 3.6.2.
    pub const GODOT_3: Dialect = Dialect {
        name: "GODOT_3",
        types: GODOT_3_TYPES,
        reals: RealWidth::Always32,
        rids: RidForm::HeaderOnly,
        dictionaries_differ: true,
        ..Self::GODOT_4_0
    };

    /// Godot 2.1. The flag of wide numbers is read, as 2.1.5 does, and never written.
    pub const GODOT_2: Dialect = Dialect {
        name: "GODOT_2",
        types: GODOT_2_TYPES,
        int: NumberWidth::Written32,
        float: NumberWidth::Written32,
        objects: ObjectForms::NullOnly,
        node_paths: NodePathForms::NamesAndProperty,
        ..Self::GODOT_3
    };

    /// The documentation of Godot 3.0 to 3.x.
    pub const DOCS_3_0: Dialect = Dialect {
        name: "DOCS_3_0",
        types: GODOT_3_TYPES,
        type_mask: DOCUMENTED_TYPE_MASK,
        int: NumberWidth::Always64,
        float: NumberWidth::Written32,
        reals: RealWidth::Agreed,
        objects: ObjectForms::Unsupported,
        rids: RidForm::Unsupported,
        node_paths: NodePathForms::NamesOrText,
        strings_end_with_nul: false,
        ..Self::GODOT_3
    };

    /// The documentation of Godot 4.2: numbered like 3.x with two more arrays.
    pub const DOCS_4_2: Dialect = Dialect {
        name: "DOCS_4_2",
        types: DOCS_4_2_TYPES,
        int: NumberWidth::ByValue,
        float: NumberWidth::ByValue,
        objects: ObjectForms::NullWithoutClass,
        int64_count_len: 8,
        dictionaries_differ: false,
        ..Self::DOCS_3_0
    };

    /// Every dialect, the newest of the engine's first.
    pub const ALL: [&'static Dialect; 7] = [
        &Self::GODOT_4,
        &Self::GODOT_4_3,
        &Self::GODOT_4_0,
        &Self::GODOT_3,
        &Self::GODOT_2,
        &Self::DOCS_3_0,
        &Self::DOCS_4_2,
    ];

    /// The dialect's name, e.g. `GODOT_3`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The dialect with this name, in upper or lower case and with or without underscores.
    ///
    /// ```
    /// use godot_variant_codec::Dialect;
    /// assert_eq!(Dialect::from_name("godot3").unwrap().name(), "GODOT_3");
    /// assert!(Dialect::from_name("godot5").is_none());
    /// ```
    pub fn from_name(name: &str) -> Option<&'static Dialect> {
        let plain = |name: &str| name.replace(['_', '.', '-'], "").to_ascii_lowercase();
        Self::ALL.into_iter().find(|dialect| plain(dialect.name) == plain(name))
    }

    /// The number that stands for `ty`, if the dialect has that type.
    pub fn type_id(&self, ty: V) -> Option<u8> {
        let mut ids = 0..=u8::MAX;
        ids.find(|&id| self.types.get(usize::from(id)) == Some(&WireType::Known(ty)))
            .filter(|_| self.writes(ty))
    }

    /// Whether `real_t` of double precision can be written and read.
    pub fn has_double_precision(&self) -> bool {
        self.reals != RealWidth::Always32
    }

    /// Whether this is what [`encode`](crate::encode) writes and [`decode`](crate::decode) reads.
    pub fn is_native(&self) -> bool {
        self.native
    }

    /// Whether the dialect has a form for values of a type that it numbers.
    fn writes(&self, ty: V) -> bool {
        match ty {
            V::Object => self.objects != ObjectForms::Unsupported,
            V::Rid => self.rids != RidForm::Unsupported,
            _ => true,
        }
    }

    /// Whether the components of `ty` have 64 bits, if the header and an agreement say what they
    /// do.
    fn wide_reals(&self, ty: V, header: u32, agreed: bool) -> bool {
        match self.reals {
            RealWidth::ByFlag => !is_color(ty) && header & header::FLAG_64 != 0,
            RealWidth::Always32 => false,
            RealWidth::Agreed => agreed,
        }
    }
}

fn is_color(ty: V) -> bool {
    matches!(ty, V::Color | V::PackedColorArray)
}

/// The pages say `base_type = val & 0xFFFF`.
const DOCUMENTED_TYPE_MASK: u32 = 0xFFFF;
