# gdscene for Nix: `nix run "git+ADDRESS?dir=rust/packaging/nix" -- check`, with the address of the repository. It builds the
# sources of the repository that contains it. On first use, Nix writes flake.lock next to it.
{
  description = "Checks, repairs, formats, compares and merges the scenes and resources of Godot projects";

  inputs.nixpkgs.url = "nixpkgs/nixos-unstable";

  outputs =
    { self, nixpkgs }:
    let
      systems = [
        "x86_64-linux"
        "aarch64-linux"
        "x86_64-darwin"
        "aarch64-darwin"
      ];
      forEach = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      source = ../../..;
      manifest = nixpkgs.lib.importTOML (source + "/Cargo.toml");
    in
    {
      packages = forEach (pkgs: rec {
        default = gdscene;
        gdscene = pkgs.rustPlatform.buildRustPackage {
          pname = "gdscene";
          version = manifest.workspace.package.version;
          src = source;
          cargoLock.lockFile = source + "/Cargo.lock";
          cargoBuildFlags = [ "--package=gdscene" ];
          # The tests need git histories and shared data, so CI runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles ];
          postInstall = pkgs.lib.optionalString (pkgs.stdenv.buildPlatform.canExecute pkgs.stdenv.hostPlatform) ''
            installShellCompletion --cmd gdscene \
              --bash <($out/bin/gdscene completions bash) \
              --fish <($out/bin/gdscene completions fish) \
              --zsh <($out/bin/gdscene completions zsh)
          '';
          meta = {
            description = "Checks, repairs, formats, compares and merges the scenes and resources of Godot projects";
            homepage = manifest.workspace.package.repository;
            license = pkgs.lib.licenses.mit;
            mainProgram = "gdscene";
          };
        };
      });
    };
}
