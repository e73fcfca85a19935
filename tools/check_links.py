#!/usr/bin/env python3
"""Checks that every relative link in the Markdown files leads somewhere, headings included."""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page):
    """The lines of a page, those of code blocks blank."""
    fenced = False
    for line in page.read_text().splitlines():
        if line.lstrip().startswith("```"):
            fenced = not fenced
            yield ""
        else:
            yield "" if fenced else line


def anchors(page):
    """The anchors GitHub gives to the headings."""
    for line in text_of(page):
        if found := re.match(r"#+ (.*)", line):
            title = re.sub(r"[^\w\- ]", "", found[1].strip().lower())
            yield title.replace(" ", "-")


def problem_with(page, target):
    if re.match(r"[a-z]+:", target):
        return None
    path, _, anchor = target.partition("#")
    file = (page.parent / path).resolve() if path else page
    if not file.exists() or not file.is_relative_to(ROOT):
        return f"the link {target} leads nowhere"
    if anchor and file.suffix == ".md" and anchor not in anchors(file):
        return f"the link {target} names a heading that {file.relative_to(ROOT)} does not have"
    return None


def main():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"], cwd=ROOT,
                            check=True, capture_output=True, text=True).stdout.splitlines()
    failed = False
    for page in sorted({ROOT / name for name in listed if (ROOT / name).is_file()}):
        for number, line in enumerate(text_of(page), 1):
            for target in LINK.findall(re.sub(r"`[^`]*`", "", line)):
                if problem := problem_with(page, target):
                    print(f"{page.relative_to(ROOT)}:{number}: {problem}")
                    failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
