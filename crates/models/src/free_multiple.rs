//! Dynamic thresholds: each user of a shared store may take a multiple of what is free in it.
//!
//! Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", IEEE/ACM
//! Transactions on Networking 6(2), 1998: with a multiple alpha, a part 1 / (1 + alpha N) of the store
//! remains free while N users hold as much as they may. The multiples are powers of two, as in
//! `saibuffer.h` of the Switch Abstraction Interface (SAI), `SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH`.

/// The least n of 2^n: `sonic-buffer-profile.yang` of `SONiC`, `dynamic_th`.
pub const LEAST_POWER: i64 = -8;

/// The largest n of 2^n, of the same source.
pub const LARGEST_POWER: i64 = 7;

/// A multiple of what is free: 2^n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeMultiple(i8);

impl FreeMultiple {
    /// The multiple 2^`power`.
    pub fn of_power(power: i32) -> FreeMultiple {
        FreeMultiple(i8::try_from(power).expect("the range bounds the power"))
    }

    /// The multiple of `free`, rounded down.
    pub fn of(self, free: u64) -> u64 {
        if self.0 < 0 {
            free >> self.0.unsigned_abs()
        } else {
            free.saturating_mul(1 << self.0)
        }
    }

    /// Most that a user holds of a store of this size which no other uses.
    pub fn alone(self, size: u64) -> u64 {
        let power = 1_u128 << self.0.unsigned_abs();
        let multiple = if self.0 < 0 { 1 } else { power };
        let most = u128::from(size) * multiple / (power + 1);
        u64::try_from(most).expect("a part is no larger than the whole")
    }

    /// The smallest store of which a user may hold as much as `held` while no other uses it.
    pub fn store_for(self, held: u64) -> u64 {
        let power = 1_u64 << self.0.unsigned_abs();
        let free = if self.0 < 0 {
            held.saturating_mul(power)
        } else {
            held.div_ceil(power)
        };
        held.saturating_add(free)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiple_is_a_power_of_two_times_what_is_free() {
        let multiples = [-8, -1, 0, 3].map(|power| FreeMultiple::of_power(power).of(1000));
        assert_eq!(multiples, [3, 500, 1000, 8000]);
    }

    #[test]
    fn a_user_alone_holds_as_much_as_its_multiple_of_the_rest() {
        for power in -8..8 {
            let multiple = FreeMultiple::of_power(power);
            for size in [0, 1, 2, 3, 100, 1000, 12_345] {
                let within = |held: u64| held <= multiple.of(size - held);
                let most = (0..=size).filter(|held| within(*held)).max();
                assert_eq!(Some(multiple.alone(size)), most, "2^{power} of {size}");
                let least = (0..=size * 300).find(|store| multiple.alone(*store) >= size / 10);
                assert_eq!(Some(multiple.store_for(size / 10)), least);
            }
        }
    }
}
