// The link to a run, and downloads of its scenario and its numbers.

import { byId, made, say } from "./dom.js";
import { present, table } from "./host.js";
import { fragment } from "./link.js";

/** Time for which a button tells what it has done, in milliseconds. */
const TELLING = 2000;

function save(name, text, type) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  made("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), TELLING);
}

/** Name of the files of a run. */
function named() {
  const item = globalThis.CELLRELAY_ITEMS[present.layout.item];
  return item ? item.name : "scenario";
}

function tell(button, what) {
  const before = button.dataset.says;
  say(button, what);
  setTimeout(() => say(button, before), TELLING);
}

async function copyLink({ currentTarget: button }) {
  if (!present.layout) return;
  const address = location.href.split("#")[0] + (await fragment(present.layout, globalThis.CELLRELAY_ITEMS));
  history.replaceState(null, "", address);
  try {
    await navigator.clipboard.writeText(address);
    tell(button, "Copied");
  } catch {
    tell(button, "In the address bar");
  }
}

async function compare() {
  if (!present.layout) return;
  const run = (await fragment(present.layout, globalThis.CELLRELAY_ITEMS)).slice(1);
  location.assign(`beside.html#${new URLSearchParams({ left: run, right: run })}`);
}

function saveScenario() {
  if (present.layout) save(`${named()}.toml`, present.layout.text, "application/toml");
}

async function saveNumbers({ currentTarget: button }) {
  const numbers = await table();
  if (numbers) save(`${named()}.csv`, numbers, "text/csv");
  else tell(button, "At the end of the run");
}

const buttons = [["compare", "Side by side", compare], ["copy-link", "Copy link", copyLink], ["save-scenario", "Save scenario", saveScenario], ["save-results", "Save results", saveNumbers]];
byId("studies-title").after(made("div", { id: "share", role: "group", "aria-label": "Share the run" }, ...buttons.map(
  ([id, says, onclick]) => made("button", { id, type: "button", "data-says": says, onclick }, says),
)));
