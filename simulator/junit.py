"""The verdicts of a run as JUnit XML, which every CI can show."""

from collections.abc import Sequence
from xml.etree import ElementTree

from simulator.told import failure_lines
from simulator.trace import ScenarioRecord

_UNFIT = {number: None for number in range(32) if chr(number) not in "\t\n\r"}
"""Signs that XML cannot hold."""


def junit_xml(records: Sequence[ScenarioRecord]) -> bytes:
    """One suite with a test case for each scenario; a failure holds what is told of it."""
    suite = ElementTree.Element(
        "testsuite",
        name="falai",
        tests=str(len(records)),
        failures=str(sum(record.status == "failed" for record in records)),
        errors=str(sum(record.status == "error" for record in records)),
        time=_seconds(sum(record.duration_ms for record in records)),
    )
    for record in records:
        _case(suite, record)
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _case(suite: ElementTree.Element, record: ScenarioRecord) -> None:
    line = record.failures[0].line if record.failures else 1
    case = ElementTree.SubElement(
        suite,
        "testcase",
        classname=_fit(record.file),
        name=_fit(record.scenario),
        file=_fit(record.file),
        line=str(line),
        time=_seconds(record.duration_ms),
    )
    if record.status == "passed":
        return
    told = _fit("\n".join(failure_lines(record)))
    kind = "failure" if record.status == "failed" else "error"
    ElementTree.SubElement(case, kind, message=told.partition("\n")[0]).text = told


def _seconds(duration_ms: int) -> str:
    return f"{duration_ms / 1000:.3f}"


def _fit(text: str) -> str:
    return text.translate(_UNFIT)
