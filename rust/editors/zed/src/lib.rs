//! Starts `gdscene lsp` for Zed.

use zed_extension_api::settings::LspSettings;
use zed_extension_api::{
    Command, Extension, LanguageServerId, Result, Worktree, register_extension,
};

struct Gdscene;

impl Extension for Gdscene {
    fn new() -> Self {
        Self
    }

    /// The program that the settings name (`lsp.gdscene.binary`), or else the one on the `PATH`.
    fn language_server_command(
        &mut self,
        server: &LanguageServerId,
        worktree: &Worktree,
    ) -> Result<Command> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree).ok();
        let binary = settings.and_then(|settings| settings.binary);
        let (path, arguments) =
            binary.map_or((None, None), |binary| (binary.path, binary.arguments));
        let command = path.or_else(|| worktree.which("gdscene")).ok_or(
            "gdscene is not on the PATH; install it, or set lsp.gdscene.binary.path to its place",
        )?;
        Ok(Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["lsp".to_owned()]),
            env: worktree.shell_env(),
        })
    }
}

register_extension!(Gdscene);
