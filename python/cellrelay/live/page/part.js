// Which run is on: a point of a sweep and its replication, each of which can be chosen.

import { byId, say } from "./dom.js";

export class Part {
  constructor(send) {
    const choose = () => send({ do: "point", point: Number(byId("point").value), replication: Number(byId("replication").value) || 0 });
    // Another point may have fewer replications.
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
    say(byId("stored"), stored ? `A stored run, made again: ${stored}` : "");
  }
}
