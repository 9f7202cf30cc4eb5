"""Runs in the worker of the playground, without its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

WORKER = """async ([text, point, seed]) => {
  const packed = Uint8Array.from(atob(CELLRELAY_CORE), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const worker = new Worker(URL.createObjectURL(new Blob([CELLRELAY_WORKER])));
  try {
    return await new Promise((resolve, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.onmessage = ({ data }) => {
        if (data.failed) reject(new Error(data.failed));
        if (data.snapshot) worker.postMessage({ shown: true });
        if (!data.text) return;
        const { state, rejected } = JSON.parse(data.text);
        if (rejected) reject(new Error(data.text));
        if (state?.outcome) resolve(state.outcome);
      };
      worker.postMessage({ module, items: "[]" });
      worker.postMessage({ begin: { text, point, seed } });
      worker.postMessage({ command: { do: "rate", rate: 1000 } });
    });
  } finally {
    worker.terminate();
  }
}"""
"""A function of the page that makes one run at full speed, and returns its outcome."""


def outcome(page: Page, text: str, point: int = 0, seed: int | None = None) -> dict[str, Any]:
    """The outcome of one run of a scenario; the page has the scripts of the playground."""
    stated = None if seed is None else str(seed)
    found: dict[str, Any] = page.evaluate(WORKER, [text, point, stated])
    return found


def load(page: Page, playground: Path) -> None:
    """Load the core into an empty page."""
    page.add_script_tag(path=playground.with_name("core.js"))
