//! Decides whether an address is public. A schema named in a stranger's file must not be fetched from the user's own
//! network.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns whether an address belongs to the public Internet (IANA special-purpose address registries).
pub(super) fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Blocks of IPv4 that are not public, with prefix lengths.
const V4: &[([u8; 4], u32)] = &[
    ([0, 0, 0, 0], 8),       // this network
    ([10, 0, 0, 0], 8),      // private
    ([100, 64, 0, 0], 10),   // shared by the customers of a provider
    ([127, 0, 0, 0], 8),     // loopback
    ([169, 254, 0, 0], 16),  // link-local; also where clouds keep the secrets of a machine
    ([172, 16, 0, 0], 12),   // private
    ([192, 0, 0, 0], 24),    // protocol assignments
    ([192, 0, 2, 0], 24),    // documentation
    ([192, 88, 99, 0], 24),  // relays of 6to4
    ([192, 168, 0, 0], 16),  // private
    ([198, 18, 0, 0], 15),   // benchmarks
    ([198, 51, 100, 0], 24), // documentation
    ([203, 0, 113, 0], 24),  // documentation
    ([224, 0, 0, 0], 3),     // multicast, reserved, broadcast
];

/// Blocks of IPv6 within `2000::/3` that are not public, with prefix lengths.
const V6: &[([u16; 3], u32)] = &[
    ([0x2001, 0, 0], 23),     // protocol assignments, Teredo
    ([0x2001, 0xdb8, 0], 32), // documentation
    ([0x3fff, 0, 0], 20),     // documentation
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    !V4.iter().any(|(block, length)| {
        let block = u32::from_be_bytes(*block);
        (bits ^ block) >> (32 - length) == 0
    })
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // Addresses of IPv4 in IPv6: mapped, translated, 6to4.
    let segments = address.segments();
    let embedded =
        |high: u16, low: u16| is_public_v4(Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low)));
    match segments {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            return embedded(high, low);
        }
        [0x2002, high, low, ..] => return embedded(high, low),
        _ => {}
    }
    let bits = address.to_bits();
    let inside = |[a, b, c]: [u16; 3], length: u32| {
        let block = u128::from(a) << 112 | u128::from(b) << 96 | u128::from(c) << 80;
        (bits ^ block) >> (128 - length) == 0
    };
    inside([0x2000, 0, 0], 3) && !V6.iter().any(|(block, length)| inside(*block, *length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn public_and_other_addresses() {
        for text in
            ["1.1.1.1", "100.63.255.255", "100.128.0.0", "172.32.0.1", "2606:4700::1111", "::ffff:1.1.1.1"]
        {
            assert!(is_public(text.parse().expect("an address")), "{text}");
        }
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "64:ff9b::10.0.0.1",
            "64:ff9b:1::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "fc00::1",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(text.parse().expect("an address")), "{text}");
        }
    }
}
