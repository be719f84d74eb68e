//! `cargo run -p tcp-service [ADDRESS]`: the service at ADDRESS, by default 127.0.0.1:7878.

use std::io;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> io::Result<()> {
    let address = std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:7878".to_owned());
    let listener = TcpListener::bind(&address).await?;
    println!("listening on {}", listener.local_addr()?);
    tokio::select! {
        result = tcp_service::serve(listener) => result,
        _ = tokio::signal::ctrl_c() => Ok(()),
    }
}
