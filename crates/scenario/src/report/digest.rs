//! The digest of the numbers of a run: SHA-256, FIPS 180-4. Its input is our own: every number bit
//! for bit, so that equal digests prove that a change of the code did not change a run.

use std::fmt::Write;

use sha2::{Digest, Sha256};

use crate::report::Report;

impl Report {
    /// A SHA-256 of the scopes, the metrics and the numbers, batches included, in hexadecimal:
    /// equal if and only if all of them are equal, bit for bit.
    pub fn digest(&self) -> String {
        let mut digest = Sha256::new();
        let mut scope = String::new();
        let of_scopes = self.scalars.chunk_by(|one, next| one.scope == next.scope);
        for scalars in of_scopes {
            scope.clear();
            write!(scope, "{}", scalars[0].scope).expect("a string can be written to");
            for scalar in scalars {
                digest.update(scope.as_bytes());
                digest.update(scalar.metric.name.as_bytes());
                digest.update(scalar.value.to_bits().to_le_bytes());
            }
        }
        for value in self.batches.iter().flatten() {
            digest.update(value.to_bits().to_le_bytes());
        }
        hex(digest)
    }
}

/// A digest in hexadecimal.
pub(crate) fn hex(digest: Sha256) -> String {
    let octets = digest.finalize();
    octets.iter().fold(String::new(), |mut hex, octet| {
        write!(hex, "{octet:02x}").expect("a string can be written to");
        hex
    })
}
