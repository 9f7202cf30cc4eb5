//! Encapsulations: the headers between a packet and its segmentation.
//!
//! Each is a list of headers with their octets, so that what it adds is a sum and not a number to
//! believe. AAL5: RFC 2684, sections 5 and 6, for LLC, SNAP and bridged Ethernet without its
//! checksum; RFC 2364 for PPP; RFC 2516, section 4, for PPPoE. Ethernet and VLAN:
//! IEEE 802.3, clause 3, and IEEE 802.1Q, clause 9. GSE: ETSI TS 102 606-1, clause 4.2. DOCSIS:
//! Cable Television Laboratories, MAC and Upper Layer Protocols Interface, annex C, Maximum Sustained Traffic Rate, which
//! counts a frame from its addresses to its checksum.
//!
//! An Ethernet frame has 64 octets at least, with its tag if it has one: IEEE 802.3, clause 3.2.8. A
//! bridge that sends frames over AAL5 without their checksum may leave the padding out (RFC 2684,
//! section 5.2), and here it does.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::marker::PhantomData;

use kernel::Duration;
use parameters::shape::Words;
use parameters::{Bytes, Parameter, Path, Problems, Shape, Value, Written, family, parameters};

parameters! {
    /// The parameters that all bearers over AAL5 have.
    pub struct Aal5Bearer {
        /// Encapsulation before AAL5, or the octets that it adds to each packet.
        #[range("0 B", "1 KiB")]
        pub encapsulation: Encapsulation<OverAal5> = "0 B",
        /// Longest time from the arrival of the first cell of a PDU to that of its last, at a
        /// receiver, which discards the cells of a PDU that takes as long or longer; if not given,
        /// there is no limit. K. Tesink, RFC 2515, section 9, `aal5VccSarTimeOuts`.
        #[range("1 us", "1 h")]
        pub reassembly_timeout: Option<Duration>,
    }
}

parameters! {
    /// A bearer whose host shapes cells.
    pub struct ShapedBearer {
        /// Cell delay variation tolerance (CDVT): how early a cell may leave at `peak`.
        #[range("0 s", "1 s")]
        pub cdvt: Duration = "0 s",
    }
}

/// A header or a trailer, with its octets.
pub type Header = (&'static str, u64);

/// A named encapsulation: its headers from the outside in.
#[derive(Debug, PartialEq, Eq)]
pub struct Stack {
    /// The word that users write.
    pub word: &'static str,
    /// Meaning of the word.
    pub help: &'static str,
    /// The headers.
    pub headers: &'static [Header],
    /// Least octets of a packet with these headers; zero if a packet of any length is sent as it is.
    pub least: u64,
}

impl Stack {
    /// Octets of all headers.
    pub fn octets(&self) -> u64 {
        self.headers.iter().map(|(_, octets)| octets).sum()
    }

    /// The headers with their octets, and the sum.
    pub fn sum(&self) -> String {
        let mut text = String::new();
        for (name, octets) in self.headers {
            let plus = if text.is_empty() { "" } else { " + " };
            write!(text, "{plus}{name} {octets}").expect("a string can be written to");
        }
        let octets = self.octets();
        let sum = match self.headers {
            [] => "no octet".to_string(),
            [_] => format!("{text} octets"),
            _ => format!("{text} = {octets} octets"),
        };
        match self.least {
            0 => sum,
            least => format!("{sum}, and at least {least} with the packet"),
        }
    }
}

/// The named encapsulations of a bearer.
pub trait Stacks: 'static {
    /// Name of the choice in the schema.
    const NAME: &'static str;
    /// The encapsulations, in the order in which they are listed.
    const ALL: &'static [Stack];
}

/// LLC/SNAP header before a protocol with an `EtherType`, without that type: RFC 2684, section 5.1.
pub const LLC_SNAP: [u8; 6] = [0xAA, 0xAA, 0x03, 0, 0, 0];

const LLC: Header = ("LLC", 3);
const OUI: Header = ("OUI", 3);
const ETHER_TYPE: Header = ("EtherType", 2);
/// Identifier and padding of a bridged frame: RFC 2684, section 5.2.
const BRIDGED: [Header; 2] = [("PID", 2), PAD];
const PAD: Header = ("padding", 2);
const ETHERNET: Header = ("Ethernet", 14);
const CHECKSUM: Header = ("checksum", 4);
const VLAN: Header = ("VLAN", 4);
const PPPOE: Header = ("PPPoE", 6);
const PPP: Header = ("PPP", 2);
/// Preamble with the delimiter of a frame, and the gap between frames.
const PREAMBLE: Header = ("preamble", 8);
const GAP: Header = ("gap", 12);
const GSE: Header = ("length", 2);

/// Octets of the smallest Ethernet frame, from its addresses to its checksum: IEEE 802.3, clause 4.4.2.
const SMALLEST_FRAME: u64 = 64;

/// Octets of the smallest Ethernet frame with its preamble and gap.
const SMALLEST_ON_LINK: u64 = SMALLEST_FRAME + PREAMBLE.1 + GAP.1;

/// States the named encapsulations of a bearer.
macro_rules! stacks {
    ($(
        $(#[doc = $help:expr])*
        pub enum $Name:ident {
            $(
                $(#[doc = $word_help:literal])*
                $word:ident = [$($header:expr),*] $(at least $least:expr)?;
            )*
        }
    )*) => {$(
        $(#[doc = $help])*
        #[derive(Clone, Copy, Debug)]
        pub enum $Name {}

        impl Stacks for $Name {
            const NAME: &'static str = stringify!($Name);
            const ALL: &'static [Stack] = &[$(Stack {
                word: stringify!($word),
                help: concat!($($word_help),*),
                headers: &[$($header),*],
                least: 0 $(+ $least)?,
            }),*];
        }
    )*};
}

stacks! {
    /// Encapsulations over AAL5.
    pub enum OverAal5 {
        /// IP by itself on its VC, RFC 2684, section 6.
        vc_mux = [];
        /// IP after LLC/SNAP, RFC 2684, section 5.
        llc_snap = [LLC, OUI, ETHER_TYPE];
        /// PPP by itself on its VC, RFC 2364.
        ppp_vc_mux = [PPP];
        /// PPP after LLC, RFC 2364.
        ppp_llc = [LLC, ("NLPID", 1), PPP];
        /// Bridged Ethernet by itself on its VC, RFC 2684, section 6.
        ethernet_vc_mux = [PAD, ETHERNET];
        /// Bridged Ethernet after LLC/SNAP, RFC 2684, section 5.
        ethernet_llc = [LLC, OUI, BRIDGED[0], BRIDGED[1], ETHERNET];
        /// PPPoE in bridged Ethernet by itself on its VC, RFC 2516.
        pppoe_vc_mux = [PAD, ETHERNET, PPPOE, PPP];
        /// PPPoE in bridged Ethernet after LLC/SNAP, RFC 2516.
        pppoe_llc = [LLC, OUI, BRIDGED[0], BRIDGED[1], ETHERNET, PPPOE, PPP];
    }

    /// Encapsulations over PTM.
    pub enum OverPtm {
        /// An Ethernet frame.
        ethernet = [ETHERNET, CHECKSUM] at least SMALLEST_FRAME;
        /// An Ethernet frame with a VLAN tag.
        vlan = [ETHERNET, VLAN, CHECKSUM] at least SMALLEST_FRAME;
        /// PPPoE in an Ethernet frame, RFC 2516.
        pppoe = [ETHERNET, PPPOE, PPP, CHECKSUM] at least SMALLEST_FRAME;
        /// PPPoE in an Ethernet frame with a VLAN tag.
        pppoe_vlan = [ETHERNET, VLAN, PPPOE, PPP, CHECKSUM] at least SMALLEST_FRAME;
    }

    /// Encapsulations over GSE.
    pub enum OverGse {
        /// IP with a label of six octets.
        label_6 = [GSE, ("protocol", 2), ("label", 6)];
        /// IP with a label of three octets.
        label_3 = [GSE, ("protocol", 2), ("label", 3)];
        /// IP without a label, as for all receivers.
        no_label = [GSE, ("protocol", 2)];
    }

    /// Framing of whole packets.
    pub enum OverLinks {
        /// An Ethernet frame with its preamble and gap.
        ethernet = [PREAMBLE, ETHERNET, CHECKSUM, GAP] at least SMALLEST_ON_LINK;
        /// An Ethernet frame with a VLAN tag.
        vlan = [PREAMBLE, ETHERNET, VLAN, CHECKSUM, GAP] at least SMALLEST_ON_LINK;
        /// PPPoE in an Ethernet frame, RFC 2516.
        pppoe = [PREAMBLE, ETHERNET, PPPOE, PPP, CHECKSUM, GAP] at least SMALLEST_ON_LINK;
        /// An Ethernet frame as the rate limits of DOCSIS count it, without preamble and gap.
        docsis = [ETHERNET, CHECKSUM] at least SMALLEST_FRAME;
    }
}

/// Octets added to each packet: a number, or one of the named encapsulations.
#[derive(Clone, Copy, Debug)]
pub struct Encapsulation<S> {
    octets: u64,
    stack: Option<&'static Stack>,
    of: PhantomData<S>,
}

impl<S: Stacks> Encapsulation<S> {
    /// Octets added to each packet.
    pub fn octets(&self) -> Bytes {
        Bytes(self.octets)
    }

    /// Least octets of a packet with what is added to it; zero if a packet of any length is sent as
    /// it is.
    pub fn least(&self) -> Bytes {
        Bytes(self.stack.map_or(0, |stack| stack.least))
    }

    /// The named encapsulation, if it was given by its name.
    pub fn stack(&self) -> Option<&'static Stack> {
        self.stack
    }
}

impl<S> Encapsulation<S> {
    /// The octets that it adds, and those of its least packet.
    fn sizes(&self) -> (u64, u64) {
        (self.octets, self.stack.map_or(0, |stack| stack.least))
    }
}

/// Encapsulations are equal, or in order, by what they add, and then by the least packet.
impl<S> PartialEq for Encapsulation<S> {
    fn eq(&self, other: &Self) -> bool {
        self.sizes() == other.sizes()
    }
}

impl<S> PartialOrd for Encapsulation<S> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.sizes().cmp(&other.sizes()))
    }
}

impl<S: Stacks> Parameter for Encapsulation<S> {
    fn shape() -> Shape {
        let words = S::ALL.iter().map(|stack| {
            let help = stack.help.trim().trim_end_matches('.');
            (stack.word, format!("{help}: {}.", stack.sum()))
        });
        let words = Shape::Words(Words {
            name: S::NAME,
            module: module_path!(),
            help: "The headers between a packet and its segmentation.".to_string(),
            words: words.collect(),
        });
        Shape::Either(vec![Bytes::shape(), words])
    }

    fn read(written: &Written, at: &Path, problems: &mut Problems) -> Option<Self> {
        let is_word = |text: &str| text.starts_with(|first: char| first.is_ascii_alphabetic());
        let (octets, stack) = if written.value.text().is_some_and(is_word) {
            let words: Vec<&'static str> = S::ALL.iter().map(|stack| stack.word).collect();
            let stack = &S::ALL[family::word(written, at, &words, problems)?];
            (stack.octets(), Some(stack))
        } else {
            (Bytes::read(written, at, problems)?.0, None)
        };
        Some(Encapsulation {
            octets,
            stack,
            of: PhantomData,
        })
    }

    fn write(&self) -> Value {
        match self.stack {
            Some(stack) => Value::from(stack.word),
            None => Bytes(self.octets).write(),
        }
    }
}

#[cfg(test)]
mod tests {
    use parameters::{understand, value};

    use super::*;
    use crate::wire::format::CellFormat;

    fn cells(encapsulation: &str, octets: u64) -> u32 {
        let over: Encapsulation<OverAal5> = understand(&encapsulation.into()).expect("a word");
        CellFormat::ATM.cells(octets + over.octets().0)
    }

    /// The overheads of tc-cake(8) of iproute2, "Overhead compensation parameters", which count the
    /// eight octets of the trailer of AAL5, and the four octets of PTM around a frame.
    #[test]
    fn what_encapsulations_add_is_what_shapers_of_home_routers_allow_for() {
        fn added<S: Stacks>(word: &str) -> u64 {
            let stack = S::ALL.iter().find(|stack| stack.word == word);
            stack.expect("an encapsulation").octets()
        }
        for (word, overhead) in [
            ("vc_mux", 8),
            ("llc_snap", 16),
            ("ethernet_vc_mux", 24),
            ("ethernet_llc", 32),
            ("ppp_vc_mux", 10),
            ("ppp_llc", 14),
            ("pppoe_vc_mux", 32),
            ("pppoe_llc", 40),
        ] {
            assert_eq!(added::<OverAal5>(word) + 8, overhead, "{word}");
        }
        assert_eq!(added::<OverPtm>("ethernet") + 4, 22);
        assert_eq!(added::<OverPtm>("pppoe") + 4, 30);
        assert_eq!(added::<OverLinks>("ethernet"), 38);
    }

    /// RFC 2516, section 7: a packet over PPPoE has at most 1492 octets.
    #[test]
    fn the_longest_packet_over_pppoe_fills_32_cells_and_one_of_1500_octets_takes_another() {
        assert_eq!(cells("pppoe_llc", 1492), 32);
        assert_eq!(cells("pppoe_llc", 1500), 33);
        assert_eq!(cells("vc_mux", 40), 1);
        assert_eq!(cells("llc_snap", 40), 2);
    }

    #[test]
    fn a_word_is_written_as_it_is_read_and_equals_its_octets() {
        type Over = Encapsulation<OverAal5>;
        let named: Over = understand(&value!("pppoe_llc")).expect("a word");
        let stated: Over = understand(&value!("32 B")).expect("octets");
        assert_eq!(
            (named.write(), stated.write()),
            (value!("pppoe_llc"), value!("32 B"))
        );
        assert_eq!(named, stated);
        let stack = named.stack().expect("it has a name");
        assert_eq!(
            stack.sum(),
            "LLC 3 + OUI 3 + PID 2 + padding 2 + Ethernet 14 + PPPoE 6 + PPP 2 = 32 octets"
        );
    }
}
