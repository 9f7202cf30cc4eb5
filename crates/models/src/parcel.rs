//! Units that move from one part of a network to another, each of which runs on a thread of its own.
//!
//! Each part has a table of contents, so contents travel with the unit that owns them, and get
//! another number. Cells that do not end their PDU keep a number that means nothing in the new part;
//! it is never looked up.

use kernel::Movable;

use crate::abr::RmCell;
use crate::node::AnyNode;
use crate::wire::cell::{Data, Payload};
use crate::wire::contents::{Cargo, Contents, ContentsId, RmId};
use crate::wire::unit::Unit;

/// A unit with the contents that it owns.
pub struct Parcel {
    unit: Unit,
    owned: Owned,
}

enum Owned {
    Nothing,
    Packet(Contents),
    Rm(RmCell),
}

impl Movable for AnyNode {
    type Parcel = Parcel;

    fn pack(mut unit: Unit, cargo: &mut Cargo) -> Parcel {
        let owned = match Owner::of(&mut unit) {
            Owner::Nothing => Owned::Nothing,
            Owner::Packet(id) => Owned::Packet(cargo.take(*id)),
            Owner::Rm(id) => Owned::Rm(cargo.take_rm(*id)),
        };
        Parcel { unit, owned }
    }

    fn unpack(Parcel { mut unit, owned }: Parcel, cargo: &mut Cargo) -> Unit {
        match (Owner::of(&mut unit), owned) {
            (Owner::Packet(id), Owned::Packet(contents)) => *id = cargo.insert(contents),
            (Owner::Rm(id), Owned::Rm(rm)) => *id = cargo.insert_rm(rm),
            (_, owned) => debug_assert!(matches!(owned, Owned::Nothing)),
        }
        unit
    }
}

/// The number of the contents that a unit owns.
enum Owner<'a> {
    Nothing,
    Packet(&'a mut ContentsId),
    Rm(&'a mut RmId),
}

impl Owner<'_> {
    fn of(unit: &mut Unit) -> Owner<'_> {
        let payload = match unit {
            Unit::Cells(train) => &mut train.payload,
            other => {
                return other
                    .packet_contents_mut()
                    .map_or(Owner::Nothing, Owner::Packet);
            }
        };
        match payload {
            Payload::Data(Data {
                eom: true,
                contents,
                ..
            }) => Owner::Packet(contents),
            Payload::Rm { id, .. } => Owner::Rm(id),
            Payload::Data(_) | Payload::Credit { .. } | Payload::Check { .. } => Owner::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::wire::ecn::CongestionField;
    use kernel::{Duration, Time};

    use super::*;
    use crate::wire::cell::{Cell, Train};
    use crate::wire::segment::Segment;
    use crate::wire::unit::PacketUnit;
    use crate::wire::vc::Vc;

    fn contents(pdu: u32) -> Contents {
        Contents {
            segment: Segment::default(),
            octets: 1,
            cells: 3,
            sent: Time::ZERO,
            number: 0,
            marked: false,
            pdu,
        }
    }

    /// Moves a unit to a part with contents of its own.
    fn moved(unit: Unit, from: &mut Cargo) -> (Unit, Cargo) {
        let mut to = Cargo::default();
        to.insert(contents(7));
        let parcel = AnyNode::pack(unit, from);
        let unit = AnyNode::unpack(parcel, &mut to);
        (unit, to)
    }

    #[test]
    fn a_packet_takes_its_contents_along() {
        let mut cargo = Cargo::default();
        let packet = PacketUnit {
            vc: Vc(0),
            contents: cargo.insert(contents(1)),
            octets: 1,
            congestion: CongestionField::Clear,
            trimmed: false,
            input: 0,
        };
        let (unit, mut to) = moved(Unit::Packet(packet), &mut cargo);
        let Unit::Packet(packet) = unit else {
            panic!("{unit:?}");
        };
        assert_eq!(to.take(packet.contents), contents(1));
        assert_eq!((cargo.live(), to.live()), (0, 1));
    }

    #[test]
    fn only_the_end_of_a_pdu_takes_the_contents_along() {
        let mut cargo = Cargo::default();
        let id = cargo.insert(contents(1));
        let train = |eom| Unit::Cells(Train::data(Vc(0), Data::new(1, id, eom), 2, Duration::ZERO));
        let (unit, to) = moved(train(false), &mut cargo);
        assert_eq!((unit, cargo.live(), to.live()), (train(false), 1, 1));
        let (unit, to) = moved(train(true), &mut cargo);
        assert_ne!(unit, train(true));
        assert_eq!((cargo.live(), to.live()), (0, 2));
    }

    #[test]
    fn cells_between_neighbours_own_nothing() {
        let unit = Unit::Cells(Train::from(Cell::credit(Vc(0), 5)));
        let (after, to) = moved(unit, &mut Cargo::default());
        assert_eq!((after, to.live()), (unit, 1));
    }
}
