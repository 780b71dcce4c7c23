"""The report as JUnit XML, which CI servers show as test results.

There is no standard; this is what Jenkins, GitLab and Azure read alike, within the schema of Jenkins' xUnit plugin
(junit-10.xsd): a test case has no `file` or `line`, so its place stands in the text. One test suite a file, one test
case a diagnostic: what fails the run is a failure (errors, and more where options say so). The rest is a skipped test,
since servers show the text of a skipped test and fail nothing for it, while GitLab shows none of a passed one. A
suppressed diagnostic is a passed test with the reason as its output, and a clean file one passed test, so that no file
vanishes from the results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from xml.etree import ElementTree

from mcp_contracts.diagnostics import Diagnostic, Report, Severity
from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.summary import detail_lines
from mcp_contracts.reporting.visible import visible


def render(report: Report, context: RenderContext) -> str:
    """Render a report as JUnit XML. `context.texts` says which files were linted and are clean."""
    by_path: dict[str, list[Diagnostic]] = {path: [] for path in context.texts}
    for diagnostic in report.diagnostics:
        by_path.setdefault(diagnostic.place.path, []).append(diagnostic)
    suites = [_suite(path, by_path[path], context.failing) for path in sorted(by_path)]
    root = ElementTree.Element("testsuites", name="mcp-contracts")
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.attrib[name]) for suite in suites)))
    root.set("time", "0")
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(path: str, diagnostics: Sequence[Diagnostic], failing: frozenset[Severity]) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=visible(path), file=visible(path))
    # GitLab takes two cases of one suite, class and name for the same, so equal names are numbered.
    seen: Counter[str] = Counter()
    for diagnostic in diagnostics:
        name = _name(diagnostic)
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        suite.append(_case(path, f"{name}{number}", diagnostic, failing))
    if not diagnostics:
        suite.append(_element(path, "no problems"))
    kinds = Counter(child.tag for case in suite for child in case)
    suite.attrib |= {"tests": str(len(suite)), "failures": str(kinds["failure"]), "errors": "0"}
    suite.attrib |= {"skipped": str(kinds["skipped"]), "time": "0"}
    return suite


def _name(diagnostic: Diagnostic) -> str:
    """The name of a test case: what it is about but no line, so that a server recognises it when lines move."""
    words = (diagnostic.code, diagnostic.rule, diagnostic.tool, diagnostic.part, diagnostic.pointer)
    return visible(" ".join(word for word in words if word))


def _case(path: str, name: str, diagnostic: Diagnostic, failing: frozenset[Severity]) -> ElementTree.Element:
    case = _element(path, name)
    where = visible(f"{path}:{diagnostic.place.line}:{diagnostic.place.column}")
    headline = f"{where}: {diagnostic.severity.value} {diagnostic.code} {visible(diagnostic.message)}"
    text = "\n".join((headline, *detail_lines(diagnostic)))
    if diagnostic.suppressed is not None:
        output = ElementTree.SubElement(case, "system-out")
        output.text = f"suppressed: {visible(diagnostic.suppressed)}\n{text}"
        return case
    tag = "failure" if diagnostic.severity in failing else "skipped"
    message = f"{diagnostic.severity.value}: {visible(diagnostic.message)}"
    outcome = ElementTree.SubElement(case, tag, type=diagnostic.code, message=message)
    outcome.text = text
    return case


def _element(path: str, name: str) -> ElementTree.Element:
    """A test case. Jenkins cuts a class name at its last dot, so the file's suffix stays out of it."""
    stem, dot, suffix = path.rpartition(".")
    classname = stem if dot and "/" not in suffix else path
    return ElementTree.Element("testcase", name=name, classname=visible(classname), time="0")
