"""A report as JUnit XML, which CI servers show as test results.

JUnit XML has no standard; this is the subset that Jenkins, GitLab and Azure all read, within the schema of Jenkins'
xUnit plugin (junit-10.xsd): a test case has no `file` or `line`, so the text contains its place. Each tool or file is a
test suite, and each change or diagnostic a test case: what fails the run is a failure (errors, and more where options
say so). Other diagnostics and undecided changes are skipped tests, because servers show the text of a skipped test
without failing the run, while GitLab shows no text of a passing one. Every other change is a passing test with its
words as output, and so is a suppressed diagnostic with its reason. A clean file or an unchanged tool is one passing
test, so that none disappears from the results.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from mcp_contracts.reporting.context import RenderContext
from mcp_contracts.reporting.document import Document, Entry, FileSection, ToolSection, Urgency
from mcp_contracts.reporting.visible import visible


def render(document: Document, context: RenderContext) -> str:
    """Render a document as JUnit XML that contains every file, tool, change and diagnostic."""
    suites = [_suite(section, context) for section in document.sections()]
    root = ElementTree.Element("testsuites", name="mcp-contracts")
    for name in ("tests", "failures", "errors"):
        root.set(name, str(sum(int(suite.attrib[name]) for suite in suites)))
    root.set("time", "0")
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _suite(section: FileSection | ToolSection, context: RenderContext) -> ElementTree.Element:
    suite = ElementTree.Element("testsuite", name=visible(section.title))
    if isinstance(section, FileSection):
        suite.set("file", visible(section.title))
    # GitLab treats cases with the same suite, class and name as one, so equal names are numbered.
    seen: Counter[str] = Counter()
    for entry in section.entries:
        name = _name(entry)
        seen[name] += 1
        number = f" ({seen[name]})" if seen[name] > 1 else ""
        case = _case(section, f"{name}{number}")
        case.append(_outcome(entry, context))
        suite.append(case)
    if not section.entries:
        suite.append(_case(section, section.outcome))
    kinds = Counter(child.tag for case in suite for child in case)
    suite.attrib |= {"tests": str(len(suite)), "failures": str(kinds["failure"]), "errors": "0"}
    suite.attrib |= {"skipped": str(kinds["skipped"]), "time": "0"}
    return suite


def _name(entry: Entry) -> str:
    """Return the name of a test case, without a line number, so that a server recognizes it when lines move."""
    about = (entry.tool, entry.part) if entry.verdict is None else ()  # the suite of a change names the tool
    return visible(" ".join(word for word in (entry.code, entry.rule, *about, entry.pointer) if word))


def _case(section: FileSection | ToolSection, name: str) -> ElementTree.Element:
    """Return a test case. Jenkins splits a class name at its last dot, so a file's suffix is left out; a tool's module
    is kept.
    """
    classname = section.title
    if isinstance(section, FileSection):
        stem, dot, suffix = section.title.rpartition(".")
        classname = stem if dot and "/" not in suffix else section.title
    return ElementTree.Element("testcase", name=name, classname=visible(classname), time="0")


def _outcome(entry: Entry, context: RenderContext) -> ElementTree.Element:
    place = entry.place
    where = "" if place is None else visible(f"{place.path}:{place.line}:{place.column}: ")
    headline = f"{where}{entry.label} {entry.code} {visible(entry.message)}"
    text = "\n".join((headline, *entry.detail_lines(), *entry.related_lines()))
    is_failing = entry.suppressed is None and entry.severity in context.failing
    is_diagnostic = entry.verdict is None and entry.suppressed is None
    if is_failing or is_diagnostic or entry.urgency is Urgency.UNDECIDED:
        message = f"{entry.label}: {visible(entry.message)}"
        outcome = ElementTree.Element("failure" if is_failing else "skipped", type=entry.code, message=message)
    else:
        outcome = ElementTree.Element("system-out")
        if entry.verdict is None:
            text = f"suppressed: {visible(entry.suppressed or '')}\n{text}"
    outcome.text = text
    return outcome
