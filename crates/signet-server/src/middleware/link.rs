//! The two ends of the connection a request came over.

use std::net::{IpAddr, SocketAddr};

use axum::extract::connect_info::Connected;
use axum::serve::IncomingStream;
use tokio::net::TcpListener;

/// Addresses of one accepted connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// The other end.
    pub peer: SocketAddr,
    /// Our end.
    pub local: SocketAddr,
}

impl Link {
    /// Address of the peer, an IPv4 address also where it came mapped into IPv6.
    pub fn peer_ip(self) -> IpAddr {
        self.peer.ip().to_canonical()
    }

    /// Whether the peer is this machine: 127.0.0.0/8, `::1` or `::ffff:127.0.0.0/104`.
    pub fn is_loopback(self) -> bool {
        self.peer_ip().is_loopback()
    }
}

impl Connected<IncomingStream<'_, TcpListener>> for Link {
    fn connect_info(stream: IncomingStream<'_, TcpListener>) -> Self {
        let peer = *stream.remote_addr();
        // A socket that cannot say its own address serves no IP literal as Host beside loopback.
        let local = stream.io().local_addr().unwrap_or_else(|_| SocketAddr::from(([127, 0, 0, 1], 0)));
        Self { peer, local }
    }
}
