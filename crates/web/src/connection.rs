//! TCP connections of clients. One that accepts no data, or has vanished without closing its
//! connection, loses it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

/// Connection whose writes fail once the client has accepted no data for some time.
#[derive(Debug)]
pub struct Connection {
    stream: TcpStream,
    time: Duration,
    /// Runs while a write waits for the client.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Connection {
    /// Sets the options of a connection. `time` is the time for which a client may accept no data,
    /// and leave data unacknowledged.
    ///
    /// # Errors
    /// The error of the operating system if it refuses an option.
    pub fn new(stream: TcpStream, time: Duration) -> io::Result<Self> {
        // Answers are small: they are not to wait for more.
        stream.set_nodelay(true)?;
        let socket = SockRef::from(&stream);
        // Probes of idle connections; a stream is probed by its comments too.
        let probes = TcpKeepalive::new().with_time(time.max(Duration::from_secs(1)));
        socket.set_tcp_keepalive(&probes)?;
        // Without it, the system repeats unacknowledged data for up to a quarter of an hour.
        #[cfg(any(target_os = "linux", target_os = "android"))]
        socket.set_tcp_user_timeout(Some(time))?;
        Ok(Self {
            stream,
            time,
            stalled: None,
        })
    }

    /// Ends a write that waits for the client for too long.
    fn limited<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let time = self.time;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(time)));
        stalled.as_mut().poll(context).map(|()| {
            let message = "the client accepts no data";
            Err(io::Error::new(io::ErrorKind::TimedOut, message))
        })
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.limited(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.limited(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use tokio::net::TcpListener;

    use super::*;

    const PART: usize = 1 << 16;

    async fn send(connection: &mut Connection) -> io::Result<usize> {
        let bytes = [7; PART];
        poll_fn(|context| Pin::new(&mut *connection).poll_write(context, &bytes)).await
    }

    /// Number of bytes that have come; 0 at the end of the connection or after a reset.
    async fn receive(client: &TcpStream) -> usize {
        let mut sink = vec![0; PART];
        loop {
            if client.readable().await.is_err() {
                return 0;
            }
            match client.try_read(&mut sink) {
                Ok(count) => return count,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return 0,
            }
        }
    }

    /// A connection and the socket of its client.
    async fn pair(time: Duration) -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = TcpStream::connect(listener.local_addr().unwrap());
        let (client, accepted) = tokio::join!(client, listener.accept());
        let (stream, _) = accepted.unwrap();
        (Connection::new(stream, time).unwrap(), client.unwrap())
    }

    fn run<T>(test: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(test)
    }

    #[test]
    fn a_client_that_accepts_no_data_loses_its_connection() {
        run(async {
            let (mut connection, client) = pair(Duration::from_millis(50)).await;
            let error = loop {
                if let Err(error) = send(&mut connection).await {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
            drop(connection);
            // The client gets what was sent before, then the end.
            while receive(&client).await > 0 {}
        });
    }

    #[test]
    fn a_client_that_reads_again_in_time_keeps_its_connection() {
        run(async {
            let (mut connection, client) = pair(Duration::from_secs(600)).await;
            // More than the buffers of both sockets hold.
            let total = 64 << 20;
            let reader = tokio::spawn(async move {
                let mut received = 0;
                while received < total {
                    let count = receive(&client).await;
                    assert!(count > 0, "the connection has ended");
                    received += count;
                }
                client
            });
            let mut sent = 0;
            while sent < total {
                sent += send(&mut connection).await.unwrap();
            }
            drop(reader.await.unwrap());
            assert!(connection.stalled.is_none());
        });
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_system_gives_up_a_client_that_has_vanished() {
        run(async {
            let time = Duration::from_secs(30);
            let (connection, _client) = pair(time).await;
            let socket = SockRef::from(&connection.stream);
            assert_eq!(socket.tcp_user_timeout().unwrap(), Some(time));
            assert!(socket.keepalive().unwrap());
        });
    }
}
