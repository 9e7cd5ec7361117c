"""What models, methods and runs look like: complete, escaped, and with numbers that people can read."""

import html.parser
import json
import math
import re

import pytest

import libration as lb
from libration import _core, _html, _latex, _markdown, _progress, _text

WICKED = "<script>alert('x')</script> & \"$y$\" `c` *b* [l](u) |"


class Outline(html.parser.HTMLParser):
    """Tags that are open, and all text."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("value, text", [
    (1.2000000000000001e-13, "1.2e-13"), (0.1, "0.1"), (2.0, "2"), (None, "-"), (math.nan, "-"), (math.inf, "inf"),
    (True, "yes"), (12345678, "12345678"), (1e300, "1e+300"), (1 / 3, "0.333333"),
    ([1.0, 0.5], "1, 0.5"), ("2.00", "2.00"),
    (1e7, "1e+7"), (-0.0, "0"), (10**400, str(10**400)),
])
def test_numbers_are_written_as_people_do(value, text):
    assert _text.number(value) == text


def test_everything_in_a_table_is_escaped():
    outline = Outline(_html.table_html([WICKED], [[WICKED], [None]], WICKED))
    assert "script" not in outline.tags
    assert outline.text.count(WICKED) == 3


def test_verdicts_have_colours_and_other_words_have_none():
    page = _html.table_html(["verdict"], [["confirmed"], ["contradicted"], ["not applicable"]])
    assert _html.GOOD in page and _html.BAD in page
    assert page.count("border-radius") == 2


def test_columns_of_numbers_are_aligned_to_the_right():
    page = _html.table_html(["method", "error"], [["rattle", 1e-3], ["verlet", None]])
    assert page.count("text-align: right") == 3
    assert page.count("text-align: left") == 3


def test_a_run_shows_what_it_is_judged_by():
    run = lb.load("pendulum").run("rattle", step=0.01, duration=1)
    error = f"{run.summary['energy']['max_error']:.3g}"
    for shown in (Outline(run._repr_html_()).text, str(run)):
        for wanted in ("pendulum", "rattle", "completed", f"maximum error {error}",
                       "round-off", "101 force evaluations",
                       "100 in ", "step size 0.01"):
            assert wanted in shown, (wanted, shown)


def test_what_nobody_watched_is_not_stated():
    model = lb.load("double-pendulum")
    watched, often, never = (model.run("rattle", step=0.01, duration=1, monitor=k) for k in (1, 7, 0))
    assert never.summary["monitor"] == 0 and often.summary["monitor"] == 7
    assert never.summary["energy"]["max_error"] is None and never.summary["constraint"]["max"] is None
    assert never.summary["constraint"]["hidden_max"] is None
    assert never.summary["energy"]["final_error"] == watched.summary["energy"]["final_error"]
    assert often.summary["energy"]["max_error"] <= watched.summary["energy"]["max_error"]
    assert "(every 7 steps)" in str(often) and "not monitored" not in str(often)
    assert "residuals not monitored" in str(never) and "maximum error not monitored" in str(never)


def test_a_failed_run_shows_its_message_escaped():
    class Failed:
        summary = {"model": "m", "method": "x", "t": None, "failure": {"kind": "newton", "message": WICKED}}
        status, facts, warnings = "failed", [("energy", WICKED)], [WICKED]

    outline = Outline(_html.run_html(Failed()))
    assert "script" not in outline.tags
    assert outline.text.count(WICKED) == 3 and "-" in outline.text


def test_certificates_and_comparisons_are_tables():
    claim = {"claim": "order of q", "claimed": "2", "measured": "2.00", "verdict": "confirmed"}
    page = Outline(_html.certificate_html({"method": WICKED, "model": "kepler", "claims": [claim]}))
    assert "order of q" in page.text and "script" not in page.tags
    row = {"method": "rattle", "step": 0.08, "steps": 50, "error_q": 0.000999, "error_p": None,
           "evaluations": {"force": 51},
           "seconds": 4.1302e-05, "status": "completed"}
    page = Outline(_html.comparison_html({"model": "pendulum", "duration": 4.0, "rows": [row]}))
    assert "0.000999" in page.text and "51" in page.text


def test_every_record_of_both_registries_is_displayed():
    for record in json.loads(_core.methods_json())["methods"]:
        page = Outline(lb.method(record["examples"][0])._repr_html_())
        record = lb.method(record["examples"][0])
        assert record["spec"] in page.text and record["reference"] in page.text
    for record in json.loads(_core.problems_json())["problems"]:
        assert record["description"] in Outline(_html.table_html(list(record), [list(record.values())])).text


def test_a_record_is_a_card_and_not_the_inside_of_an_object():
    for record, wanted in [
        (lb.method("rattle"), ["rattle", "RATTLE", "order", "symplectic", "yes", "with constraints"]),
        (lb.methods()["lobatto"], ["lobatto(s)", "examples", "lobatto(2), lobatto(3)"]),
        (lb.problems()["pendulum"], ["pendulum", "coordinates  2", "rigid rod"]),
        (lb.analyses()["drift"], ["drift", "of (default energy)", "ignore everything before"]),
        (lb.certify("rattle", "pendulum").findings[0], ["order of q", "claimed", "confirmed"]),
        (lb.compare("pendulum", "rattle", steps=0.1).rows[0], ["rattle", "evaluations", "force"]),
    ]:
        shown, page = repr(record), Outline(record._repr_html_())
        for word in wanted:
            assert word in shown and re.sub(r"  +", "", word) in page.text, (word, shown, page.text)
        assert "Record(" not in shown and "None" not in shown and "True" not in shown
        assert "table" in page.tags and max(map(len, shown.splitlines())) <= 120


def test_an_analysis_says_its_verdict_in_words_above_readable_numbers():
    found = lb.load("pendulum").run("rattle", step=0.02, duration=10).analyse("drift")
    page = found._repr_html_()
    assert page.index(_html.escape(found.verdict)) < page.index("<table") and "caption" not in Outline(page).tags
    assert "<svg" in page
    for shown in (repr(found), Outline(page.split("<svg")[0] + "</div>").text):
        assert found.verdict in shown and not re.search(r"\d{10}", shown), shown


def test_one_is_not_several():
    run = lb.load("pendulum").run("rattle", step=0.01, steps=1)
    assert "1 step " in repr(run) and "1 steps" not in repr(run)
    one = repr(lb.load("pendulum").ensemble("rattle", vary={"g": [1.0]}, step=0.01, steps=1))
    assert "1 trajectory; rattle, 1 step of 0.01" in one
    claims = repr(lb.certify("rattle", "pendulum"))
    assert "1 force per step" in claims and "1 forces" not in claims
    page = Outline(lb.load("pendulum").check()._repr_html_()).text
    assert "largest |G v|" in page and "hidden max" not in page


def test_an_item_shows_its_criterion_where_no_value_is_printed():
    shown = repr(lb.reproduce("001-fig3.1", quick=True)[0])
    assert "below 1e-14" in shown and "above 0.0005" in shown and "0.00149 to 5e-06" in shown


def test_progress_names_what_is_counted():
    news = {"done": 30, "total": 100, "seconds": 2.0, "restored": 10}
    assert "10 steps/s" in _progress.description_of(news)
    assert "10 trajectories/s" in _progress.description_of({**news, "noun": "trajectories"})


class Fake:
    """A model as the core gives it, with whatever name."""

    name, description, source = WICKED, WICKED, WICKED
    coordinates, multipliers = [f"x{k}" for k in range(40)], ["lambda_1"]
    parameters = [("g", 9.81), ("list", [1.0, 2.5])]
    observables = [("L", True)]
    run_defaults = {"method": "rattle", "step": 0.01}

    def latex_equations(self):
        return ["H &= T", "0 &= g"]


def test_a_model_is_escaped_markdown_with_its_equations():
    shown = _markdown.model_markdown(Fake())
    formula = re.search(r"\n\$\$\n(.*?)\n\$\$\n", shown, re.DOTALL).group(1)
    assert formula == _latex.model_latex(Fake()) and formula.startswith("\\begin{aligned}")
    rest = shown.replace(formula, "")
    for sign in "<>`[]":
        assert sign not in rest
    assert rest.count("$") == 4
    assert html.unescape(shown).count(WICKED) == 3
    assert "g = 9.81" in shown and "40: x0" in shown and "x39" in shown and "x20" not in shown


def test_every_problem_is_displayed_with_equations():
    for record in json.loads(_core.problems_json())["problems"]:
        shown = _markdown.model_markdown(lb.load(record["name"]))
        assert "\\begin{aligned}" in shown and "&=" in shown
        assert shown.count("$$") == 2
