"""Judgements: what counts of a reply to the understand call."""

import json
import logging
from typing import Any

import pytest

from falai.providers.base import ModelReply
from falai.text.envelope import Envelope, understand_envelope
from falai.text.judgement import Judgement, read_judgement
from falai.text.judging import BranchQuestion, Judging
from falai.text.profile import Profile
from falai.words.field import Field
from falai.words.flow import Flow, Mention, Message, Param, Talk

KEY = "triagem#m1/quem/1"
TRIAGEM = Flow(id="triagem", name="T", on=[Message(["x"])], steps=[Talk("quem", prompt="p")])
CUPOM = Flow(id="cupom #1", name="C", on=[Mention(["y"], {"código": Param(type="string")})])
PROFILE = Profile(
    name="Ana",
    fields={"nome": Field(type="string"), "preço (R$)": Field(type="number")},
    flows=[TRIAGEM, CUPOM],
)


def envelope() -> Envelope:
    asked = Judging(
        flow=TRIAGEM,
        step=Talk("quem", prompt="p"),
        pending=[],
        candidates=[TRIAGEM],
        mentions=[],
        branches=[BranchQuestion(KEY, "aceitou")],
        fields=["nome"],
        asks=False,
        message="oi",
    )
    return understand_envelope(PROFILE, asked)


def read(found: Any) -> Judgement:
    return read_judgement(ModelReply(message=json.dumps(found)), envelope())


@pytest.mark.parametrize(
    ("raw", "score"),
    [(90, 90), ("90", 90), (" 85,5 ", 85.5), (54.5, 54.5), (120, 100), ("1e3", 100), (-5, 0)],
)
def test_a_score_is_a_number_held_to_its_range(raw: Any, score: float):
    assert read({"flows": {"triagem": raw}}).flows == {"triagem": score}


@pytest.mark.parametrize("raw", [None, "", "alto", True, [90], {"score": 90}, "90%"])
def test_what_is_no_score_is_none(raw: Any):
    assert read({"flows": {"triagem": raw}}).flows == {}


def test_real_names_and_aliases_are_understood_asked_or_not():
    judged = read(
        {"flows": {"flow_1": 1, "triagem": 2}, "mentions": {"cupom #1": "sim", "x": False}}
    )
    assert judged.flows == {"cupom #1": 1, "triagem": 2}
    assert judged.mentions == {"cupom #1": True, "x": False}


@pytest.mark.parametrize(
    ("raw", "verdict"),
    [(True, True), ("TRUE ", True), ("não", False), ("1", True), (1, None), ("talvez", None)],
)
def test_a_verdict_reads_like_a_boolean_field(raw: Any, verdict: bool | None):
    expected = {} if verdict is None else {"cupom #1": verdict}
    assert read({"mentions": {"flow_1": raw}}).mentions == expected
    assert read({"asks": raw}).asks is verdict
    branches = {} if verdict is None else {KEY: verdict}
    assert read({"branches": {"branch_1": raw}}).branches == branches


@pytest.mark.parametrize("name", ["branch_1", KEY, "quem/1"])
def test_a_branch_is_found_under_any_of_its_names(name: str):
    assert read({"branches": {name: "sim"}}).branches == {KEY: True}


@pytest.mark.parametrize("name", ["branch_2", "triagem#m1/quem/0", "quem/0", "1", ""])
def test_a_branch_that_was_not_asked_is_dropped(name: str):
    assert read({"branches": {name: True}}).branches == {}


def test_fields_keep_the_replys_order_and_whatever_was_not_asked_for():
    judged = read({"fields": {"x": 1, "field_1": "10", "nome": None, "": "v", "y": "", "z": " "}})
    assert list(judged.fields.items()) == [("x", 1), ("preço (R$)", "10"), ("", "v"), ("z", " ")]


def test_values_stay_raw():
    values = {"nome": ["a"], "preço (R$)": True, "z": {"a": None}, "n": 0, "f": False}
    assert read({"fields": values}).fields == values


def test_an_extract_drops_what_was_not_given_and_may_end_up_empty():
    entries = {
        "flow_1": {"value_1": "N", "a": None, "b": "", "c": 0, "d": [None]},
        "triagem": {"a": None},
        "x": {},
        "y": None,
        "z": "texto",
        "w": [1],
    }
    assert read({"extract": entries}).extract == {
        "cupom #1": {"código": "N", "c": 0, "d": [None]},
        "triagem": {},
        "x": {},
    }


@pytest.mark.parametrize("section", ["flows", "mentions", "extract", "branches", "fields", "asks"])
@pytest.mark.parametrize("value", [None, "x", 3, [], [["a", 1]]])
def test_a_section_of_another_shape_holds_nothing(
    section: str, value: Any, caplog: pytest.LogCaptureFixture
):
    assert read({section: value}) == Judgement()
    assert not caplog.records


@pytest.mark.parametrize("found", [{"triagem": 90}, {"message": "oi"}])
def test_an_object_without_sections_is_no_judgement_and_is_warned_of(
    found: Any, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.WARNING, logger="falai"):
        assert read(found) == Judgement()
    assert "none of the sections asks, branches, extract, fields, flows, mentions" in caplog.text


def test_an_empty_object_judges_nothing_and_needs_no_warning(caplog: pytest.LogCaptureFixture):
    assert read({}) == Judgement()
    assert not caplog.records


def test_a_reply_without_json_is_no_judgement(caplog: pytest.LogCaptureFixture):
    assert read_judgement(ModelReply(message="não entendi"), envelope()) == Judgement()
    assert not caplog.records


def test_what_the_provider_parsed_is_used():
    reply = ModelReply(message="x", structured={"flows": {"triagem": 50}})
    assert read_judgement(reply, envelope()).flows == {"triagem": 50}


def test_a_cut_off_reply_counts_as_far_as_it_goes():
    reply = ModelReply(message='```json\n{"flows": {"triagem": 90}, "fields": {"nome": "An')
    judged = read_judgement(reply, envelope())
    assert (judged.flows, judged.fields) == ({"triagem": 90}, {})
