//! SHA-1, for the names of script handlers only: fixtures and traces hold them (`imports` 9.3). Nothing here is a secret.

/// The digest in hex.
pub(super) fn hex(bytes: &[u8]) -> String {
    let mut state: [u32; 5] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for chunk in padded.chunks(64) {
        block(&mut state, chunk);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

fn block(state: &mut [u32; 5], chunk: &[u8]) {
    let mut words: Vec<u32> = chunk
        .chunks(4)
        .map(|b| b.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)))
        .collect();
    for i in 16..80 {
        let back = |n: usize| words.get(i - n).copied().unwrap_or_default();
        let word = (back(3) ^ back(8) ^ back(14) ^ back(16)).rotate_left(1);
        words.push(word);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (i, word) in words.iter().enumerate() {
        let (f, k) = match i / 20 {
            0 => ((b & c) | (!b & d), 0x5A82_7999),
            1 => (b ^ c ^ d, 0x6ED9_EBA1),
            2 => ((b & c) | (b & d) | (c & d), 0x8F1B_BCDC),
            _ => (b ^ c ^ d, 0xCA62_C1D6_u32),
        };
        let next = a
            .rotate_left(5)
            .wrapping_add(f)
            .wrapping_add(e)
            .wrapping_add(k)
            .wrapping_add(*word);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn known_digests() {
        assert_eq!(super::hex(b""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
        assert_eq!(super::hex(b"abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
        assert_eq!(super::hex(&[b'a'; 64]), "0098ba824b5c16427bd7a1122a5a442a25ec644d");
    }
}
