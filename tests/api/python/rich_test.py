"""What notebooks show of results, models, sweeps and tables."""

import html.parser

import pandas
import pytest

import wavemodel as wm

HOSTILE = """wave 1
type Costs { total: time, what: string }

model Hostile {
  param n: int = 4 in 1..9   /// <script>alert("doc")</script>
  param name: string = "<script>alert('name')</script>" from "<b>source</b>"
  param way: eager | rendezvous = eager
  output total = n * 2 us in us   /// <img src=x onerror=alert(1)>
  output title = name
  output costs = Costs(total = n * 1 us, what = name)
  output rows = [Costs(total = i * 1 us, what = name) for i in 1..30]
  output wrong = if n > 4 then error("<i>no</i> & no") else 1 s
}
"""


class Page(html.parser.HTMLParser):
    """The elements of a text, and the words in it."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.words, self.cells = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")
        assert not any(name.startswith("on") for name, _ in attributes)

    def handle_data(self, data):
        self.words += data
        if self.cells:
            self.cells[-1] += data


ELEMENTS = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "pre"}


def page(value):
    found = Page(value._repr_html_())
    assert set(found.elements) <= ELEMENTS
    return found


@pytest.fixture
def hostile():
    return wm.loads(HOSTILE)


def test_a_result_shows_its_values_with_units_and_documentation(hostile):
    shown = page(hostile.run())
    cells = shown.cells
    at = cells.index("total")
    assert cells[at:at + 4] == ["total", "8", "us", "<img src=x onerror=alert(1)>"]
    assert "costs.total" in cells and "30 rows" in cells and "<script>alert('name')</script>" in cells


def test_a_result_shows_what_failed_and_why(hostile):
    shown = page(hostile.run(n=5))
    assert "failed with E0513" in shown.cells[shown.cells.index("wrong") + 1] and "<i>no</i> & no" in shown.words
    assert "pre" in shown.elements


def test_a_model_shows_its_parameters_and_outputs(hostile):
    shown = page(hostile)
    at = shown.cells.index("n")
    assert shown.cells[at:at + 4] == ["n", "4", "1..9", '<script>alert("doc")</script>']
    assert "<b>source</b>" in shown.cells and "eager | rendezvous" in shown.cells
    assert page(hostile.params).words in shown.words and page(hostile.outputs).words in shown.words
    assert dict(hostile.params) == hostile.params


def test_a_sweep_shows_its_points_with_units_and_codes(hostile):
    points = hostile.sweep(n=[4, 5], name=["<script>", "b"], show=["total", "wrong", "title"])
    shown = page(points)
    assert shown.cells[:5] == ["n", "name", "total [us]", "wrong [s]", "title"]
    assert "<script>" in shown.cells and "E0513" in shown.cells
    assert "The first 20 of 60 points." in page(hostile.sweep(n="1..3", name=[str(i) for i in range(20)])).words


def test_tables_are_data_frames_that_show_their_units(hostile):
    frame = hostile.run().rows
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 30
    shown = page(frame)
    assert shown.cells[:4] == ["total [s]", "what", "1e-06", "<script>alert('name')</script>"]
    assert "The first 20 of 30 rows." in shown.words
    chosen = frame[frame["total"] > 28e-6]
    assert page(chosen).cells[:4] == ["", "total [s]", "what", "28"]
    # What pandas makes of them in other shapes, it shows itself.
    assert "<script>" not in frame.groupby(["what", "total"]).sum()._repr_html_()


def test_a_batch_shows_its_units(hostile):
    made = hostile.batch(pandas.DataFrame({"n": [1, 2]}, index=["a", "<b>"]), ["total", "title"])
    assert page(made).cells[:4] == ["", "total [us]", "title", "a"] and "<b>" in page(made).cells


def test_a_breakdown_has_bars_behind_its_percent(sweep3d):
    result = sweep3d.run(n=8)
    shown = result.breakdown("total")._repr_html_()
    assert shown.count("linear-gradient") >= 3 and "percent" in Page(shown).cells
    assert "time [s]" in Page(shown).cells


def test_records_and_errors_show_themselves(hostile, ping):
    assert page(hostile.run().costs).cells[:6] == ["field", "value", "unit", "total", "4e-06", "s"]
    with pytest.raises(wm.Error) as caught:
        ping.run(k=8)
    assert page(caught.value).words == str(caught.value)
