"""Strangers cannot fill the memory of the playground by a link, nor steer a run from their page.

Their side is made here, and the modules of the page run without the core, so nothing is compiled.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64encode, urlsafe_b64encode
from gzip import compress

import pytest
from playwright.sync_api import Page, Route
from website.playground.build import script

from cellrelay.live.limits import MOST_TEXT, Rejected, check_text

OURS = "http://playground.test"
THEIRS = "http://stranger.test"

FRAME = f"""<!doctype html><title>One run</title><script>
globalThis.CELLRELAY_CORE = "{b64encode(compress(bytes.fromhex("0061736d01000000"))).decode()}";
globalThis.CELLRELAY_WORKER = "";
globalThis.CELLRELAY_ITEMS = [];
const told = [], heard = [];
globalThis.Worker = class {{ postMessage(message) {{ told.push(message); }} }};
{script("follow")}
module_host.connect({{}});
addEventListener("message", ({{ data }}) => heard.push(data));
</script>"""
"""The page of one run, with an empty core, and a worker that only keeps what it is told.

Its own listener comes last, so what it has heard the page has heard too.
"""

COUNTED = """() => {
  const Unpacking = DecompressionStream;
  globalThis.taken = 0;
  globalThis.DecompressionStream = class {
    constructor(format) {
      const unpacking = new Unpacking(format);
      const counting = new TransformStream({
        transform(piece, stream) {
          taken += piece.length;
          stream.enqueue(piece);
        },
      });
      this.writable = counting.writable;
      this.readable = counting.readable.pipeThrough(unpacking);
    }
  };
}"""
"""Counts the octets of a link that are given to be unpacked."""


def _link(text: bytes) -> str:
    """An address with a scenario, as the page packs it."""
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return _address(packer.compress(text) + packer.flush())


def _address(packed: bytes) -> str:
    """An address with a scenario that is packed already."""
    return f"about:blank#scenario={urlsafe_b64encode(packed).decode().rstrip('=')}"


def _linked(page: Page, text: bytes) -> str:
    """The text that the page finds in a link."""
    page.goto(_link(text))
    page.add_script_tag(content=script("link"))
    found: str = page.evaluate("module_link.linked([]).then(({ text }) => text)")
    return found


def test_a_link_that_grows_very_large_is_cut_where_it_is_refused(page: Page) -> None:
    found = _linked(page, b"#" * (200 << 20))
    assert len(found) < 2 * MOST_TEXT
    with pytest.raises(Rejected, match="larger than 256 KiB"):
        check_text(found)


def test_a_link_that_stands_for_a_gigabyte_is_refused_soon(page: Page) -> None:
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    segment = packer.compress(b"#" * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    packed = segment * 1024 + packer.flush()
    page.goto(_address(packed))
    page.evaluate(COUNTED)
    page.add_script_tag(content=script("link"))
    found = page.evaluate("module_link.linked([]).then(({ text }) => text.length)")
    assert found > MOST_TEXT
    # Each octet stands for a thousand.
    assert page.evaluate("taken") < 32 << 10 < len(packed)


def test_a_byte_order_mark_hides_nothing(page: Page) -> None:
    found = _linked(page, b"\xef\xbb\xbf" + b"#" * (2 * MOST_TEXT))
    with pytest.raises(Rejected, match="larger than 256 KiB"):
        check_text(found)


def test_a_link_of_the_largest_text_is_read_whole(page: Page) -> None:
    text = "# é\n" + "#" * (MOST_TEXT - 5)
    assert _linked(page, text.encode()) == text
    check_text(text)


def test_a_character_at_the_limit_does_not_hide_the_rest(page: Page) -> None:
    found = _linked(page, b"#" + "é".encode() * (MOST_TEXT // 2) + b"#")
    with pytest.raises(Rejected, match="larger than 256 KiB"):
        check_text(found)


@pytest.mark.parametrize(("around", "steers"), [(OURS, True), (THEIRS, False)])
def test_only_a_page_of_the_same_origin_steers_a_run(
    page: Page, around: str, *, steers: bool
) -> None:
    def answer(route: Route) -> None:
        frame = f'<!doctype html><title>Two runs</title><iframe src="{OURS}/run#beside"></iframe>'
        body = FRAME if route.request.url == f"{OURS}/run" else frame
        route.fulfill(body=body, content_type="text/html")

    page.route("**/*", answer)
    page.goto(f"{around}/beside")
    (run,) = page.frames[1:]
    run.wait_for_function("told.length === 2")
    command = {"do": "go to", "seconds": 1}
    message = json.dumps({"command": command})
    page.evaluate(f"document.querySelector('iframe').contentWindow.postMessage({message}, '*')")
    run.wait_for_function("heard.length === 1")
    told = run.evaluate("told.slice(2)")
    assert told == ([{"command": command}] if steers else [])
