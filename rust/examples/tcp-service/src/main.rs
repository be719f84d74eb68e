//! `cargo run -p tcp-service [ADDRESS]`: the service at ADDRESS, by default 127.0.0.1:7878.

use std::io;

use tcp_service::{Rules, serve};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7878".to_owned());
    let listener = TcpListener::bind(&address).await?;
    println!("listening on {}", listener.local_addr()?);
    tokio::select! {
        () = serve(listener, Rules::default()) => {}
        _ = tokio::signal::ctrl_c() => {}
    }
    Ok(())
}
