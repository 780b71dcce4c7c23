"""The diff report as JUnit XML, which CI servers show as test results.

One test suite a tool, one test case a change: an uncovered break fails with the call that fails now; an undecided
change is a skipped test, or a failed one where the context says so; every other change is a passed test with its words
as output, and an unchanged tool one passed test. What the sources say follows, as `lint` writes it.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from mcp_contracts.change import Change, DiffReport, ToolDiff
from mcp_contracts.diagnostics import Report
from mcp_contracts.reporting import junit
from mcp_contracts.reporting.changes.context import DiffContext
from mcp_contracts.reporting.changes.summary import (
    Standing,
    detail_lines,
    other_diagnostics,
    place_of,
    severity_of,
    standing,
)
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.visible import visible


def render(report: DiffReport, context: DiffContext) -> str:
    """Render a diff report as JUnit XML that holds every tool, change and diagnostic."""
    root = ElementTree.Element("testsuites", name="mcp-contracts")
    root.extend(_suite(tool, context) for tool in report.tools)
    root.extend(
        ElementTree.fromstring(junit.render(Report(other_diagnostics(report)), RenderContext(failing=context.failing)))
    )
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.attrib[name]) for suite in root)))
    root.set("time", "0")
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(tool: ToolDiff, context: DiffContext) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=visible(tool.tool))
    # GitLab takes two cases of one suite, class and name for the same, so equal names are numbered.
    seen: Counter[str] = Counter()
    for change in tool.changes:
        name = _name(change)
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        suite.append(_case(tool, change, f"{name}{number}", context))
    if not tool.changes:
        suite.append(_element(tool, tool.state.value))
    kinds = Counter(child.tag for case in suite for child in case)
    suite.attrib |= {"tests": str(len(suite)), "failures": str(kinds["failure"]), "errors": "0"}
    suite.attrib |= {"skipped": str(kinds["skipped"]), "time": "0"}
    return suite


def _name(change: Change) -> str:
    """The name of a test case: what it is about but no line, so that a server recognises it when lines move."""
    pointer = change.old_pointer if change.new_pointer is None else change.new_pointer
    return visible(" ".join(word for word in (change.code, change.rule, pointer) if word))


def _case(tool: ToolDiff, change: Change, name: str, context: DiffContext) -> ElementTree.Element:
    stands = standing(tool, change)
    place = place_of(tool, change)
    case = _element(tool, name)
    where = f"{visible(place.path)}:{place.line}:{place.column}: " if place is not None else ""
    headline = f"{where}{change.verdict.value} {change.code} {visible(change.message)}"
    text = "\n".join((headline, *detail_lines(tool, change, stands)))
    severity = severity_of(change, stands, context)
    is_failing = change.accepted is None and severity in context.failing
    if not is_failing and stands is not Standing.UNDECIDED:
        ElementTree.SubElement(case, "system-out").text = text
        return case
    tag = "failure" if is_failing else "skipped"
    message = f"{change.verdict.value}: {visible(change.message)}"
    ElementTree.SubElement(case, tag, type=change.code, message=message).text = text
    return case


def _element(tool: ToolDiff, name: str) -> ElementTree.Element:
    """A test case. Jenkins cuts a class name at its last dot, which leaves a tool's module and its name."""
    return ElementTree.Element("testcase", name=name, classname=visible(tool.tool), time="0")
