//! The result of a call with wrong arguments.

use godot::builtin::Variant;
use godot::global::godot_error;
use godot::meta::ToGodot;
use o3de_json::Task;

use crate::fast_variant_result::FastVariantResult;
use crate::o3de_json_result::O3deJsonResult;
use crate::scene_refactoring::SceneRefactoring;
use crate::scene_rewriter::SceneRewriteResult;
use crate::scene_safety::SceneSafety;
use crate::variant_view::VariantView;

/// A result that says what is wrong, where the method `returns` a class of such; otherwise that is logged.
pub(crate) fn answer(class: &str, method: &str, returns: &str, message: &str) -> Option<Variant> {
    const CODE: &str = "invalid_argument";
    Some(match returns {
        "FastVariantResult" => FastVariantResult::misuse(CODE, message, 0).to_variant(),
        "VariantView" if method == "view" => {
            VariantView::refused(CODE, message.to_owned()).to_variant()
        }
        "O3deJsonResult" => O3deJsonResult::misuse(Task::RetrieveInfo, message.into()).to_variant(),
        "SceneRewriteResult" => SceneRewriteResult::new("", Err(message.to_owned())).to_variant(),
        "SceneRefactoring" => SceneRefactoring::refused(message).to_variant(),
        "SceneSafety" => SceneSafety::misuse("", message).to_variant(),
        _ => {
            godot_error!("{class}.{method}: {message}");
            return None;
        }
    })
}
