//! Adaptations: what is added to a packet, or to the cells that carry it, so that the receiving end
//! can put it together again. ITU-T Recommendation I.363.

parameters::registry! {
    /// Adaptation of packets to cells.
    pub enum AdaptationSpec, answers dyn CellAdaptation {
        aal5 => Aal5,
        none => Unadapted,
        segments => FixedSegments,
    } default aal5
}

/// The octets of an adaptation, which each member states in its own file.
pub trait CellAdaptation {
    /// The octets that the adaptation adds.
    fn adaptation(&self) -> Adaptation;
}

/// Octets that an adaptation adds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adaptation {
    /// Octets in the payload of each cell.
    pub segment: u64,
    /// Octets of each packet.
    pub packet: u64,
    /// Largest PDU, if a length in its header or trailer bounds it.
    pub longest: Option<u64>,
}
