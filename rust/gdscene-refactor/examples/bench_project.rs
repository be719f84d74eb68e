//! How long it takes to open and to check a project of 10,000 files, which is made up for it.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example bench_project [-- FOLDER]
//! cargo run --release -p gdscene-refactor --example bench_project -- --make FOLDER
//! ```
//! With a folder, the project there is measured instead; with `--make`, the made-up project is put there, for
//! `scripts/bench.sh refactorings`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs, io};

use gdscene_lint::{Config, Scope, Workspace};
use godot_project::{CachePlace, Project, Uid};

/// How many scenes are made; for each there are a script with its uid and a texture with its import.
const SCENES: u64 = 2000;
const ROUNDS: usize = 5;

fn main() -> io::Result<()> {
    let made = tempfile::tempdir()?;
    let mut arguments = env::args_os().skip(1);
    let folder = match arguments.next() {
        Some(option) if option == "--make" => {
            return make(Path::new(&arguments.next().expect("--make needs a folder")));
        }
        Some(folder) => PathBuf::from(folder),
        None => {
            make(made.path())?;
            made.path().to_owned()
        }
    };
    let cache_file = tempfile::tempdir()?;
    let cache = CachePlace::At(cache_file.path().join("index.bin"));
    let open = |place: &CachePlace| Project::open_with_cache(&folder, place).expect("a project");
    let project = open(&CachePlace::None);
    println!(
        "{} files, {} scenes and resources",
        project.files().len(),
        project.text_files().len()
    );
    report("open without cache", || drop(open(&CachePlace::None)));
    report("open and write the cache", || {
        let _ = fs::remove_file(cache_file.path().join("index.bin"));
        drop(open(&cache));
    });
    // Files that have just been written are not trusted.
    std::thread::sleep(std::time::Duration::from_secs(3));
    drop(open(&cache));
    report("open with the cache", || drop(open(&cache)));
    let mut project = open(&cache);
    println!("    {} files were read for it", project.read_count());
    report("refresh", || project.refresh().expect("a project"));
    let mut workspace = Workspace::of_project(project, Arc::<Config>::default());
    let mut found: usize = 0;
    report("check all", || {
        // Nothing that was worked out before.
        workspace.refresh().expect("a project");
        let report = workspace.report(Scope::Scenes);
        found = report.files.iter().map(|(_, located)| located.len()).sum();
    });
    println!("    {found} findings");
    Ok(())
}

/// The best of some rounds.
fn report(what: &str, mut run: impl FnMut()) {
    let times = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    let best = times.min().unwrap_or_default();
    println!("{what:<26} {:>8.1} ms", best.as_secs_f64() * 1e3);
}

fn make(folder: &Path) -> io::Result<()> {
    fs::write(folder.join("project.godot"), "config_version=5\n")?;
    for number in 0..SCENES {
        let below = folder.join(format!("part_{}", number / 50));
        fs::create_dir_all(&below)?;
        let write = |name: &str, text: &str| fs::write(below.join(name), text);
        write(
            &format!("script_{number}.gd"),
            &format!(
                "extends Node2D\n\n@export var speed := 1.0\n@export var reach_{number} := 2.0\n\n\
                 func _ready() -> void:\n\tspeed *= reach_{number}\n\tget_node(\"Node4/Node5\").show()\n"
            ),
        )?;
        write(&format!("script_{number}.gd.uid"), &format!("{}\n", uid(number, 1)))?;
        write(&format!("image_{number}.png"), "")?;
        write(&format!("image_{number}.png.import"), &import(number))?;
        write(&format!("scene_{number}.tscn"), &scene(number))?;
    }
    Ok(())
}

fn uid(number: u64, kind: u64) -> Uid {
    let mut random = fastrand::Rng::with_seed(number * 3 + kind);
    Uid::new(random.i64(0..=i64::MAX)).expect("it is not negative")
}

fn import(number: u64) -> String {
    format!(
        "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"{}\"\n\n[deps]\n\n[params]\n\n\
         compress/mode=0\nmipmaps/generate=false\n",
        uid(number, 2)
    )
}

/// A scene of some 40 nodes with instances of others, below them a node, and connections.
fn scene(number: u64) -> String {
    let file = |number: u64, name: &str, end: &str| {
        format!("res://part_{}/{name}_{number}.{end}", number / 50)
    };
    let mut text = format!("[gd_scene format=3 uid=\"{}\"]\n\n", uid(number, 0));
    let script = file(number, "script", "gd");
    let image = file(number, "image", "png");
    let mut ext = |kind: &str, uid: Uid, path: &str, id: &str| {
        writeln!(text, "[ext_resource type=\"{kind}\" uid=\"{uid}\" path=\"{path}\" id=\"{id}\"]")
            .expect("a string takes all");
    };
    ext("Script", uid(number, 1), &script, "1");
    ext("Texture2D", uid(number, 2), &image, "2");
    let inner: Vec<u64> = (1..=3).filter_map(|step| number.checked_sub(step * 7)).collect();
    for inner in &inner {
        ext("PackedScene", uid(*inner, 0), &file(*inner, "scene", "tscn"), &format!("i{inner}"));
    }
    text += &format!(
        "\n[node name=\"Root\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nspeed = 3.0\nreach_{number} = 4.0\n\n"
    );
    for index in 0..40 {
        let parent = if index % 4 == 0 { ".".to_owned() } else { format!("Node{}", index / 4 * 4) };
        text += &format!(
            "[node name=\"Node{index}\" type=\"Sprite2D\" parent=\"{parent}\"]\n\
             position = Vector2({index}, 12.5)\ntexture = ExtResource(\"2\")\n\n"
        );
    }
    for inner in &inner {
        text += &format!(
            "[node name=\"Inner{inner}\" parent=\".\" instance=ExtResource(\"i{inner}\")]\nspeed = 5.0\n\n\
             [node name=\"Added\" type=\"RemoteTransform2D\" parent=\"Inner{inner}/Node0/Node1\"]\n\
             remote_path = NodePath(\"../../Node4/Node5\")\n\n"
        );
    }
    text += "[connection signal=\"ready\" from=\"Node0\" to=\".\" method=\"_ready\"]\n\n";
    for inner in &inner {
        text += &format!("[editable path=\"Inner{inner}\"]\n");
    }
    text
}
