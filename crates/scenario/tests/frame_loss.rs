//! Loss of frames of a link: the packets of which a frame holds a part are lost with it.

use crate::common::{plan, run, value};
use crate::loss::{LINE, flood};
use proptest::prelude::*;

#[test]
fn a_lost_frame_takes_the_packets_of_which_it_holds_a_part() {
    let router = "[router.s]\nbuffer.per_output = \"10 kB\"";
    // A packet of 1000 octets has 10 octets of encapsulation and a share of the framing. It
    // lies in two frames with the probability of its length over the length of a frame.
    let length = 1010.0 * (4016.0 + 10.0) / (4016.0 - 10.0);
    for (over, length) in [("gse", length), ("packet", 1000.0)] {
        let settings = [
            (&*format!("flow.f.over.{over}"), "{}"),
            ("duration", "20 s"),
            ("link.out.loss.frame", "{ probability = \"10 %\" }"),
        ];
        let report = run(&flood(router), &settings, 0);
        let ratio = value(&report, "link s->b", "packet_loss_ratio");
        let expected = 1.0 - 0.9 * (1.0 - 0.1 * length / 4026.0);
        // Four standard deviations of the share of 6170 frames that are lost, each with five
        // packets.
        let tolerance = 4.0 * (0.1 * 0.9 / 6170.0_f64).sqrt() * (1.0 + length / 4026.0);
        assert!(
            (ratio - expected).abs() < tolerance,
            "{over}: {ratio}, not {expected}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Over frames that are lost, what arrives and what the links lose is what was sent, and a link
    /// loses the packets that lose a fragment.
    #[test]
    fn packets_in_frames_arrive_or_are_lost_with_their_fragments(
        gse in any::<bool>(),
        frame in 64_u64..5000,
        packet in 40_u64..3000,
        loss in 0.0..40.0_f64,
        gap in 1_u64..400,
    ) {
        let writes = (0..200).map(|write| format!("{:.6} {packet}", (write * gap) as f64 * 1e-6));
        let writes = writes.collect::<Vec<String>>().join("\\n");
        let over = if gse {
            format!("flow.f.over.gse = {{ frame = \"{frame} B\" }}")
        } else {
            "flow.f.over.ptm = {}".to_string()
        };
        let text = LINE
            .replace("transport.tcp = { packet = \"1500 B\", timers.bsd = { tick = \"1 ms\" } }", &format!(
                "source.trace.text = \"{writes}\"\ntransport.datagram = {{ packet = \"3000 B\", header = \"0 B\" }}"
            ))
            .replace("[switch.s]", "[router.s]")
            .replace("10000 cells", "10 MB");
        let frames = format!("{{ size = \"{frame} B\", probability = \"{loss:.3} %\" }}");
        let (kind, spec) = over.split_once(" = ").expect("an assignment");
        let settings = [
            (kind, spec),
            ("link.in.loss.frame", &frames),
            ("link.out.loss.frame", &frames),
        ];
        let report = run(&text, &settings, 0);
        let of = |scope: &str, metric: &str| value(&report, scope, metric).round() as u64;
        let (mut arrived, mut packets_lost) = (of("flow f", "packets_sent"), 0);
        prop_assert_eq!(arrived, 200);
        for link in ["link a->s", "link s->b"] {
            // Nothing is offered if all is lost before.
            if arrived == 0 {
                break;
            }
            prop_assert_eq!(of(link, "packets_offered"), arrived);
            let lost = of(link, "packets_lost");
            let (fragments, all) = (of(link, "fragments_lost"), of(link, "fragments_offered"));
            prop_assert!(lost <= fragments && fragments <= all && all >= arrived);
            prop_assert_eq!(lost > 0, fragments > 0);
            arrived -= lost;
            packets_lost += lost;
        }
        prop_assert_eq!(of("flow f", "packets_delivered"), arrived);
        prop_assert_eq!(arrived + packets_lost, 200);
    }
}

#[test]
#[should_panic(expected = "link.out.loss_at: `loss.frame` loses on the link")]
fn frames_lose_nothing_before_the_queue() {
    let settings = [
        ("link.out.loss.frame.probability", "1 %"),
        ("link.out.loss_at", "queue"),
    ];
    plan(LINE, &settings);
}
