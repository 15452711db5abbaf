//! Stores inputs that a fuzzer found: for each law one file with a few inputs that together take all known branches.
//! Each input is a [netstring](https://cr.yp.to/proto/netstrings.txt), because thousands of files with some hundred
//! bytes each would be hard to handle.

use std::io::Write;

/// Encodes inputs as netstrings, with the shortest first. The same inputs always give the same bytes.
pub fn encode_inputs(mut inputs: Vec<Vec<u8>>) -> Vec<u8> {
    inputs.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
    inputs.dedup();
    let mut out = Vec::new();
    for input in inputs {
        // Writing to memory does not fail.
        let _ = write!(out, "{}:", input.len());
        out.extend(input);
        out.push(b',');
    }
    out
}

/// Decodes the inputs in a file.
///
/// # Errors
///
/// The file is not a sequence of netstrings.
pub fn decode_inputs(mut octets: &[u8]) -> Result<Vec<&[u8]>, String> {
    let mut inputs = Vec::new();
    while !octets.is_empty() {
        let (input, rest) =
            split_first(octets).ok_or_else(|| format!("input {} is no netstring", inputs.len() + 1))?;
        inputs.push(input);
        octets = rest;
    }
    Ok(inputs)
}

fn split_first(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = octets.iter().position(|&octet| octet == b':')?;
    let length: usize = std::str::from_utf8(octets.get(..colon)?).ok()?.parse().ok()?;
    let (input, rest) = octets.get(colon + 1..)?.split_at_checked(length)?;
    Some((input, rest.strip_prefix(b",")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let inputs = [&b"0 HEAD\n,"[..], b"", b"3:ab,", b""].map(<[u8]>::to_vec).to_vec();
        let file = encode_inputs(inputs);
        assert_eq!(file, b"0:,5:3:ab,,8:0 HEAD\n,,");
        assert_eq!(decode_inputs(&file).unwrap(), [&b""[..], b"3:ab,", b"0 HEAD\n,"]);
        for faulty in ["5", "5:ab,", "2:abc", "x:", "99999999999999999999:,"] {
            assert!(decode_inputs(faulty.as_bytes()).is_err(), "{faulty}");
        }
    }
}
