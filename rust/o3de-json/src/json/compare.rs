//! The order of JSON values (`JsonSerialization::Compare`).

use std::cmp::Ordering;

use super::Json;

/// Compares two values as O3DE does.
///
/// Types come first: null, false, true, object, array, string, number. Objects compare by the count
/// of their members, then by their members sorted by name; arrays by length, then element by
/// element; strings bytewise; numbers by value, so that 42 and 42.0 are equal.
pub fn compare(a: &Json, b: &Json) -> Ordering {
    match (a, b) {
        (Json::Object(a), Json::Object(b)) => compare_objects(a, b),
        (Json::Array(a), Json::Array(b)) => a.len().cmp(&b.len()).then_with(|| {
            a.iter()
                .zip(b)
                .map(|(a, b)| compare(a, b))
                .find(|o| o.is_ne())
                .unwrap_or(Ordering::Equal)
        }),
        (Json::String(a), Json::String(b)) => a.cmp(b),
        (Json::Big(a), Json::Big(b)) => a.cmp(b),
        (Json::Big(a), Json::Int(_) | Json::Uint(_)) => a.against_small(),
        (Json::Int(_) | Json::Uint(_), Json::Big(b)) => b.against_small().reverse(),
        _ => match (integer(a), integer(b)) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => match (a.as_f64(), b.as_f64()) {
                (Some(a), Some(b)) => a.partial_cmp(&b).unwrap_or(Ordering::Equal),
                _ => type_rank(a).cmp(&type_rank(b)),
            },
        },
    }
}

/// Integers compare exactly, where O3DE's way through a double would take 2^53 and 2^53+1 for one.
fn integer(json: &Json) -> Option<i128> {
    match json {
        Json::Int(number) => Some((*number).into()),
        Json::Uint(number) => Some((*number).into()),
        _ => None,
    }
}

fn compare_objects(a: &[(String, Json)], b: &[(String, Json)]) -> Ordering {
    let sorted = |members: &[(String, Json)]| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by(|&i, &j| members[i].0.cmp(&members[j].0));
        order
    };
    a.len().cmp(&b.len()).then_with(|| {
        let pairs = sorted(a).into_iter().zip(sorted(b));
        pairs
            .map(|(i, j)| a[i].0.cmp(&b[j].0).then_with(|| compare(&a[i].1, &b[j].1)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    })
}

fn type_rank(json: &Json) -> u8 {
    match json {
        Json::Null => 0,
        Json::Bool(false) => 1,
        Json::Bool(true) => 2,
        Json::Object(_) => 3,
        Json::Array(_) => 4,
        Json::String(_) => 5,
        Json::Int(_) | Json::Uint(_) | Json::Big(_) | Json::Double(_) => 6,
    }
}
