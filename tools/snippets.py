#!/usr/bin/env python3
"""Puts compiled code into the documentation.   tools/snippets.py [--check]

A line `<!-- snippet: path/to/file region -->` directly above a fenced code block in README.md or docs/*.md says where
the block comes from: the lines between `// [snippet: region]` and `// [end]` of that file, without their common
indentation. Without a region it is the whole file. Without --check the blocks are rewritten; with it, the script fails
when one differs.
"""
import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MARK = re.compile(r"^<!-- snippet: (\S+)(?: (\S+))? -->$")
LOOSE_MARK = re.compile(r"^\s*<!--\s*snippet\b")


class Problem(Exception):
    pass


def region(path, name):
    file = ROOT / path
    if not file.is_file():
        raise Problem(f"there is no file {path}")
    lines = file.read_text().splitlines()
    if name is None:
        return lines
    starts = [i for i, line in enumerate(lines) if line.strip() == f"// [snippet: {name}]"]
    if len(starts) != 1:
        raise Problem(f"{path} has {len(starts)} regions '// [snippet: {name}]', expected one")
    for end in range(starts[0] + 1, len(lines)):
        if lines[end].strip() == "// [end]":
            return textwrap.dedent("\n".join(lines[starts[0] + 1:end])).strip("\n").splitlines()
        if lines[end].strip().startswith("// [snippet:"):
            break
    raise Problem(f"the region '{name}' of {path} has no '// [end]'")


def refreshed(lines):
    """The lines of a page with every snippet as its source has it. Raises Problem with the line number."""
    result = []
    i = 0
    while i < len(lines):
        result.append(lines[i])
        i += 1
        if not LOOSE_MARK.match(lines[i - 1]):
            continue
        at = i
        mark = MARK.match(lines[i - 1])
        try:
            if not mark:
                raise Problem("a snippet line reads `<!-- snippet: path/to/file region -->` or `<!-- snippet: path/to/file -->`")
            if i >= len(lines) or not lines[i].startswith("```"):
                raise Problem("the line below a snippet line must open a fenced code block")
            close = next((n for n in range(i + 1, len(lines)) if lines[n].strip() == "```"), None)
            if close is None:
                raise Problem("the code block is not closed")
            result += [lines[i], *region(mark[1], mark[2]), lines[close]]
            i = close + 1
        except Problem as problem:
            raise Problem(f"{at}: {problem}") from None
    return result


def main():
    check = "--check" in sys.argv[1:]
    failed = False
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]:
        name = page.relative_to(ROOT)
        before = page.read_text()
        try:
            after = "\n".join(refreshed(before.splitlines())) + "\n"
        except Problem as problem:
            print(f"{name}:{problem}")
            failed = True
            continue
        if before == after:
            continue
        if check:
            print(f"{name}: a snippet differs from the code it comes from; run tools/snippets.py and look at the diff")
            failed = True
        else:
            page.write_text(after)
            print(f"{name}: refreshed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
