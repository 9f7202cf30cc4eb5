"""The modules of the page become one script, which needs no server."""

from __future__ import annotations

from graphlib import CycleError

import pytest
from website.playground.build import BESIDE, HERE, POLICY, guarded, index, script
from website.playground.bundle import bundle

MODULES = {
    "main": 'import { two } from "./numbers.js";\nglobalThis.seen = two();\n',
    "last": 'import { one, two } from "./numbers.js";\nglobalThis.seen += one;\n',
    "numbers": "export const one = 1;\nconst own = one;\nexport function two() { return own; }\n",
}


def test_each_module_comes_once_and_before_those_that_import_it() -> None:
    text = bundle(MODULES, "main", "last")
    places = [text.index(f"const module_{name} = ") for name in ("numbers", "main", "last")]
    assert places == sorted(places)
    assert text.count("const module_numbers") == 1
    assert "return { one, two };" in text
    assert "const { one, two } = module_numbers;" in text


def test_a_circle_and_an_unknown_form_are_refused() -> None:
    with pytest.raises(CycleError):
        bundle({"a": 'import { b } from "./b.js";\n', "b": 'import { a } from "./a.js";\n'}, "a")
    with pytest.raises(ValueError, match=r"a\.js has an import or an export of another form"):
        bundle({"a": 'import * as b from "./b.js";\n'}, "a")


def test_the_page_of_the_playground_loads_only_files_beside_it() -> None:
    assert "import " not in script().replace("import, ", "")
    text = index()
    assert 'type="module"' not in text
    assert "://" not in text


def test_both_pages_state_the_content_policy_before_they_load_anything() -> None:
    for page in (index(), (HERE / BESIDE[0]).read_text("utf-8")):
        text = guarded(page)
        assert text.index(f'content="{POLICY}"') < text.index("<link")
