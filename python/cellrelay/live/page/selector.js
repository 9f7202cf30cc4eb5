// The selector of the run: a point of the sweep, and its replication.

import { byId, say } from "./dom.js";

export class RunSelector {
  constructor(send) {
    const choose = () => send({ do: "point", point: Number(byId("point").value), replication: Number(byId("replication").value) || 0 });
    // Points may have different numbers of replications.
    byId("point").addEventListener("change", () => { byId("replication").value = 0; choose(); });
    byId("replication").addEventListener("change", () => { if (byId("replication").reportValidity()) choose(); });
  }

  open({ points, point, replication, replications, stored }) {
    byId("point").replaceChildren(...points.map((text, number) => new Option(text, number)));
    byId("point").value = point;
    byId("point").title = points[point];
    byId("point").parentElement.hidden = points.length < 2;
    byId("replication").max = replications - 1;
    byId("replication").value = replication;
    byId("replication").parentElement.hidden = replications < 2;
    say(byId("stored"), stored ? `Repeats a stored run of ${stored}` : "");
  }
}
