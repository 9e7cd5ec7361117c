"""Links between the pages of the documentation lead somewhere: every relative link to a file, every anchor to a heading."""

import os
import pathlib
import re
import tempfile
import unittest

SOURCES = pathlib.Path(os.environ["LIBRATION_SOURCE_DIR"])
FENCED = re.compile(r"^(```|~~~).*?^\1[ ]*$", re.S | re.M)
LINK = re.compile(r"\]\(([^()\s]+)\)|<(?:img|a) [^>]*?(?:src|href)=\"([^\"]+)\"")
HEADING = re.compile(r"^ {0,3}#{1,6} +(.*?)(?: +#+)? *$", re.M)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def pages_of(sources):
    """The pages that a reader of the repository comes to."""
    folders = ["", "docs", "docs/decisions", "bench", "examples", "tests/files", "tests/mutants"]
    return sorted(page for folder in folders for page in (sources / folder).glob("*.md"))


def anchors_of(text):
    """The anchors that GitHub gives to the headings of a page."""
    anchors = set()
    for heading in HEADING.findall(FENCED.sub("", text)):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        anchor = re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")
        number = 0
        while (anchor if number == 0 else f"{anchor}-{number}") in anchors:
            number += 1
        anchors.add(anchor if number == 0 else f"{anchor}-{number}")
    return anchors


def links_of(text):
    return [first or second for first, second in LINK.findall(FENCED.sub("", text))]


def broken_links(sources):
    """All (page, link) that lead nowhere."""
    broken = []
    for page in pages_of(sources):
        for link in links_of(page.read_text(encoding="utf-8")):
            if ELSEWHERE.match(link):
                continue
            path, _, anchor = link.partition("#")
            target = page.parent / path if path else page
            if not target.exists():
                broken.append((page.relative_to(sources).as_posix(), link))
            elif anchor and anchor not in anchors_of(target.read_text(encoding="utf-8")):
                broken.append((page.relative_to(sources).as_posix(), link))
    return broken


class TheLinks(unittest.TestCase):
    def test_of_all_pages_lead_somewhere(self):
        self.assertGreater(sum(len(links_of(page.read_text(encoding="utf-8"))) for page in pages_of(SOURCES)), 100)
        self.assertEqual(broken_links(SOURCES), [])


class TheCheck(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def broken(self, **pages):
        for name, text in pages.items():
            (self.dir / f"{name}.md").write_text(text, encoding="utf-8")
        return [link for _, link in broken_links(self.dir)]

    def test_finds_a_missing_page_and_a_missing_picture(self):
        self.assertEqual(self.broken(a='[b](b.md) and <img src="c.svg">'), ["b.md", "c.svg"])

    def test_finds_a_heading_that_was_renamed(self):
        self.assertEqual(self.broken(a="[x](b.md#forces) [y](#here)\n# Here", b="# Applied forces"), ["b.md#forces"])

    def test_knows_how_anchors_are_made(self):
        text = "[1](#forces-damping-driving) [2](#families-for) [3](#certify) [4](#twice-1)\n"
        headings = "# Forces: damping, driving\n## Families (`for`)\n# [`certify`](a.md)\n# Twice\n# Twice\n"
        self.assertEqual(self.broken(a=text + headings), [])

    def test_reads_no_headings_and_links_in_code(self):
        self.assertEqual(self.broken(a="[x](#no)\n```\n# no\n[y](z.md)\n```\n"), ["#no"])
