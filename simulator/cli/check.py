"""`falai check`: says what is wrong with files, without playing any."""

import sys
from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from simulator.check import Finding, check_paths
from simulator.cli.files import write_file
from simulator.cli.printer import counted

_COLOURS = {"ok": "green", "warning": "yellow", "error": "red"}


@click.command(name="check")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write every finding to FILE.",
)
@click.option(
    "--cassettes",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Where recorded model calls lie.",
)
def command(paths: Sequence[Path], json_file: Path | None, cassettes: Path | None) -> None:
    """Validate scenarios, agents, flows and recorded model calls; no model is asked.

    Exit code 0: nothing is wrong (warnings are fine); 2: a file is bad, or there is none.

    \b
    Examples:
        falai check scenarios
        falai check scenarios/agents --json findings.json
    """
    findings = list(check_paths(paths, cassettes=cassettes))
    for finding in findings:
        if finding.message:
            click.echo(_line(finding))
    if json_file is not None:
        write_file(json_file, msgspec.json.encode(findings))
    click.echo(_summary(findings))
    sys.exit(2 if _count(findings, "error") or not findings else 0)


def _line(finding: Finding) -> str:
    status = click.style(finding.status, fg=_COLOURS[finding.status], bold=True)
    return f"{finding.file}:{finding.line}:{finding.column}: {status}: {finding.message}"


def _summary(findings: Sequence[Finding]) -> str:
    files = len({finding.file for finding in findings})
    if not files:
        return "There is no .yaml, .yml or .json file here. Check the paths."
    errors, warnings = _count(findings, "error"), _count(findings, "warning")
    found = f"{counted(errors, 'error')}, {counted(warnings, 'warning')}"
    return f"{counted(files, 'file')} checked: {found}"


def _count(findings: Sequence[Finding], status: str) -> int:
    return sum(finding.status == status for finding in findings)
