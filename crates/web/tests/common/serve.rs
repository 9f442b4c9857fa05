//! Serves a directory of games until it is killed or its standard input ends. The tests kill it.
//! Usage: `serve-games FOLDER [TOKENS]`.

use std::env;
use std::error::Error;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use duoforge_web::{Players, Server, Settings, Tokens};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args_os().skip(1).map(PathBuf::from);
    let folder = arguments
        .next()
        .ok_or("usage: serve-games FOLDER [TOKENS]")?;
    let tokens = arguments
        .next()
        .map(|path| Tokens::read(&path))
        .transpose()?;
    let (players, _) = Players::new(Vec::new());
    let server = Server::start(Settings {
        listen: "127.0.0.1:0".parse()?,
        hosts: vec!["hall.example".to_owned()],
        tokens,
        sources: vec![folder.join("events")],
        games: Path::new(&folder).join("games"),
        players,
    })?;
    println!("{}", server.address());
    let stop = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&stop);
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ended.store(true, Ordering::Relaxed);
    });
    server.run(|| stop.load(Ordering::Relaxed));
    Ok(())
}
