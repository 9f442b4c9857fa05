//! Sockets of boards, opened and read as a page does.

use std::net::TcpStream;

use tungstenite::client::ClientRequestBuilder;
use tungstenite::{Error, Message, WebSocket};

use crate::common::Service;

pub fn key(n: usize) -> String {
    format!("{n:032x}")
}

pub fn place(key: &str) -> String {
    format!("/api/v1/serial?device={key}")
}

/// Opens a socket as a page does.
pub fn connect(service: &Service, key: &str, token: &str) -> Result<WebSocket<TcpStream>, u16> {
    let address = format!("ws://{}{}", service.address, place(key));
    let request = ClientRequestBuilder::new(address.parse().unwrap())
        .with_header("Origin", format!("http://{}", service.address))
        .with_header("Sec-Fetch-Site", "same-origin")
        .with_header("Cookie", format!("duoforge_token={token}"));
    match tungstenite::client(request, service.connect()) {
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::HandshakeError::Failure(Error::Http(answer))) => {
            Err(answer.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

/// Next message within the time limit of the socket; the code and the reason of its end.
pub fn read(socket: &mut WebSocket<TcpStream>) -> Result<Message, (u16, String)> {
    match socket.read() {
        Ok(Message::Close(Some(close))) => Err((close.code.into(), close.reason.to_string())),
        Ok(message) => Ok(message),
        Err(_) => Err((0, String::new())),
    }
}
