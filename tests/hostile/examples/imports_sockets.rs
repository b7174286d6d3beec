//! Wants a connection of its own.

use hostile::Call;
use wasip2::sockets::{
    instance_network::instance_network,
    network::{IpAddressFamily, IpSocketAddress, Ipv4SocketAddress},
    tcp_create_socket::create_tcp_socket,
};

fn misbehave(call: Call) {
    let socket = create_tcp_socket(IpAddressFamily::Ipv4).expect("a socket");
    let address = IpSocketAddress::Ipv4(Ipv4SocketAddress { port: 80, address: (127, 0, 0, 1) });
    let outcome = socket.start_connect(&instance_network(), address);
    call.answer(&format!("{outcome:?}"));
}

hostile::component!(misbehave);
