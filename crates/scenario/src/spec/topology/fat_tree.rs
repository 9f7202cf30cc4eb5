//! A fat tree of three layers, of switches with equal numbers of ports.
//!
//! With k ports there are k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches,
//! and k^3/4 hosts: Al-Fares, Loukissas and Vahdat, "A Scalable, Commodity Data Center Network
//! Architecture", SIGCOMM 2008, section 2.2. In the paper all links have one rate, and flows are
//! spread over equal paths. Here links between switches may have a rate of their own, so that a
//! tree may be oversubscribed, and `route` chooses the path of a flow, so that paths can be
//! compared.
use parameters::{Conflict, parameters};

use super::{Line, Origin, Parts, SwitchRow, SwitchSpec};

parameters! {
    /// Three layers of k-port switches, with k^3/4 hosts below them.
    ///
    /// Hosts are `host[0]` and so on, pod by pod. Switches are `edge1_1`, the first of pod 1,
    /// `aggregation1_1` above it, and `core1` and so on; the first k/2 cores are joined to the
    /// first aggregation switch of each pod. Links are `access1` and so on, `pod1` and
    /// `core_link1`.
    #[check(check)]
    pub struct FatTree {
        /// Number of ports k of every switch, which is even.
        #[range(2, 32)]
        pub ports: u32,
        /// Links from hosts to edge switches.
        pub access: Line,
        /// Links between switches; if not given, as `access`.
        pub trunk: Option<Line>,
        #[as_in(SwitchRow)]
        pub switch: SwitchSpec,
    }
}

impl FatTree {
    /// The hosts, switches and links of the topology.
    pub fn build(&self, origin: &Origin) -> Parts {
        let mut parts = Parts::new(origin);
        let half = self.ports / 2;
        parts.hosts("host", Some(self.ports * half * half));
        for core in 1..=half * half {
            parts.switch(format!("core{core}"), &self.switch);
        }
        let (mut accesses, mut inner, mut upper) = (0, 0, 0);
        for pod in 1..=self.ports {
            for place in 1..=half {
                parts.switch(edge(pod, place), &self.switch);
                parts.switch(aggregation(pod, place), &self.switch);
            }
            for place in 1..=half {
                for _ in 0..half {
                    let host = format!("host[{accesses}]");
                    accesses += 1;
                    let name = format!("access{accesses}");
                    parts.link(name, [&host, &edge(pod, place)], "access", &self.access);
                }
                for above in 1..=half {
                    inner += 1;
                    let ends = [&*edge(pod, place), &aggregation(pod, above)];
                    self.trunk(&mut parts, format!("pod{inner}"), ends);
                }
                for core in 1..=half {
                    upper += 1;
                    let core = format!("core{}", (place - 1) * half + core);
                    let ends = [&*aggregation(pod, place), &core];
                    self.trunk(&mut parts, format!("core_link{upper}"), ends);
                }
            }
        }
        parts
    }

    /// A link between switches.
    fn trunk(&self, parts: &mut Parts, name: String, ends: [&str; 2]) {
        match &self.trunk {
            Some(trunk) => parts.link(name, ends, "trunk", trunk),
            None => parts.link(name, ends, "access", &self.access),
        }
    }

    fn check(&self) -> Option<Conflict> {
        (self.ports % 2 == 1).then(|| Conflict {
            name: "ports",
            problem: format!("`{}` ports cannot be halved", self.ports),
            hint: format!(
                "write an even number, for example `{}`: half of the ports lead up, and half down",
                self.ports - 1
            ),
        })
    }
}

/// Name of an edge switch.
fn edge(pod: u32, place: u32) -> String {
    format!("edge{pod}_{place}")
}

/// Name of an aggregation switch of a pod.
fn aggregation(pod: u32, place: u32) -> String {
    format!("aggregation{pod}_{place}")
}
