//! Types that O3DE registers only to refuse them (UnsupportedTypesSerializer.cpp).

use crate::run::Run;
use crate::schema::UnsupportedKind;
use crate::{Outcome, ResultCode, Task};

pub(crate) fn refuse(run: &mut Run<'_>, kind: UnsupportedKind, task: Task) -> ResultCode {
    match kind {
        UnsupportedKind::Variant | UnsupportedKind::Optional | UnsupportedKind::Bitset => {
            let message =
                format!("{kind:?} has no form in JSON: use `any`, a pointer or an array of bools");
            run.report(task, Outcome::Invalid, message)
        }
        UnsupportedKind::Rid | UnsupportedKind::Callable | UnsupportedKind::Signal => {
            let message = format!(
                "a {kind:?} means nothing outside of the running program: leave it out, or store a \
                 name that finds it again"
            );
            run.report(task, Outcome::Unsupported, message)
        }
    }
}
