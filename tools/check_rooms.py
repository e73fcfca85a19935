#!/usr/bin/env python3
"""Checks the includes of the rooms against the architecture.

- A room includes only itself and the rooms above it in ROOMS.
- A header includes only the standard library and Flyball: no third party crosses the API. (Those in detail/ may also
  use the operating system and the processor.)
- A third-party header appears only in .cpp files of the rooms THIRD_PARTY names for it.
- Tests, and headers named x_for_test.hpp, may use the test libraries; those of `cluster`, our own operators, also `testing`.
- flyball/flyball.hpp, the sum of the rooms, holds nothing but public headers of rooms; no room includes it, and no other
  file stands beside it.
- Headers in flyball/<room>/detail/ belong to that room alone. They are installed, because public headers may need them
  for their members and templates, but nobody else may include them.
"""
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# In the order of docs/architecture.md.
ROOMS = ["base", "json", "reflect", "kube", "cel", "net", "image", "client", "cache", "runtime", "apiserver", "cluster", "sim", "testing"]

# What users include: the sum of the rooms.
UMBRELLA = "flyball/flyball.hpp"

# Which rooms may use which third-party headers.
THIRD_PARTY = {
    "yaml-cpp/": {"json"},
    "openssl/": {"net"},
    "zlib.h": {"image", "net"},
    "sqlite3.h": {"apiserver"},
    "zstd.h": {"cache"},
    "zdict.h": {"cache"},
}
TEST_ONLY = ("gtest/", "gmock/", "rapidcheck.h", "rapidcheck/")

STANDARD = set("""
algorithm any array atomic barrier bit bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits
clocale cmath codecvt compare complex concepts condition_variable coroutine csetjmp csignal cstdarg cstddef cstdint
cstdio cstdlib cstring ctime cuchar cwchar cwctype deque exception execution filesystem format forward_list fstream
functional future initializer_list iomanip ios iosfwd iostream istream iterator latch limits list locale map memory
memory_resource mutex new numbers numeric optional ostream queue random ranges ratio regex scoped_allocator semaphore
set shared_mutex source_location span sstream stack stdexcept stop_token streambuf string string_view strstream
syncstream system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
variant vector version
""".split())

# The operating system and the processor: not in public headers either.
PLATFORM = re.compile(
    r"^(cxxabi|dirent|dlfcn|errno|execinfo|fcntl|grp|malloc|netdb|poll|pthread|pty|pwd|sched|signal|spawn|stdlib|syslog"
    r"|termios|time|unistd|[a-z0-9]+intrin|arm_neon)\.h$|^(sys|netinet|arpa|net|linux)/")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found[1], found[2]


def is_detail(path):
    return "/detail/" in path


def is_public_header(path):
    return path.startswith("flyball/") and path.endswith(".hpp") and not is_detail(path)


def is_test(path):
    return path.endswith(("_test.cpp", "_fuzz.cpp", "_for_test.hpp"))


def check_flyball_include(path, room, name):
    other = name.split("/")[1]
    if name == UMBRELLA:
        return None if room is None else f"includes {name}, the sum of all rooms; include the header of the one room you need"
    if other not in ROOMS:
        return f"includes {name}, but '{other}' is no room; the rooms are in tools/check_rooms.py"
    if not (ROOT / name).is_file():
        return f"includes {name}, which does not exist"
    for_test = name.endswith("_for_test.hpp")
    if room is None:
        shared = not is_detail(name) or (path.startswith("tests/") and for_test)
        return None if shared else f"includes {name}, which is private to the room {other}; use its public headers"
    # Tests of later rooms may share a room's test headers.
    if is_detail(name) and other != room and not (for_test and is_test(path)):
        return f"includes {name}, which is private to the room {other}; use a public header of {other}"
    # The test kit is for tests, also for our own.
    if other == "testing" and room == "cluster" and is_test(path):
        return None
    if ROOMS.index(other) > ROOMS.index(room):
        return f"includes {name}: {room} stands above {other} and may not use it; move the code down, or the shared part up"
    return None


def check_foreign_include(path, room, name):
    if name in STANDARD:
        return None
    if PLATFORM.match(name) and not is_public_header(path):
        return None
    if is_test(path) and name.startswith(TEST_ONLY):
        return None
    if path.endswith(".hpp"):
        return f"includes <{name}>, but headers use only the standard library and Flyball; move it into a .cpp file"
    for prefix, rooms in THIRD_PARTY.items():
        if name.startswith(prefix):
            if room in rooms:
                return None
            return f"includes <{name}>, which only these rooms may use: {', '.join(sorted(rooms))}"
    return (f"includes <{name}>, which is not a known dependency; state its reason in docs/dependencies.md "
            "and its rooms in tools/check_rooms.py")


def problems_of(path):
    """The problems of one file, given by its path from the root."""
    parts = path.split("/")
    room = parts[1] if parts[0] == "flyball" and len(parts) > 2 else None
    if parts[0] == "flyball" and room is None and path != UMBRELLA:
        yield 1, f"stands beside the rooms; move it into the one it belongs to ({UMBRELLA} alone is their sum)"
        return
    if parts[0] == "flyball" and room is not None and room not in ROOMS:
        yield 1, f"'{room}' is no room; the rooms are in tools/check_rooms.py"
        return
    for number, quote, name in includes(ROOT / path):
        if name.startswith("flyball/"):
            problem = check_flyball_include(path, room, name)
            if quote == "<" and (room is not None or path == UMBRELLA):
                problem = f'includes <{name}>; write "{name}"'
        elif path == UMBRELLA:
            problem = f"includes {name}: it is the sum of the rooms, and includes nothing but their public headers"
        elif room is not None and quote == '"':
            problem = f'includes "{name}"; write the path from the root: "flyball/{room}/{name}"'
        elif room is not None:
            problem = check_foreign_include(path, room, name)
        else:
            problem = None
        if problem:
            yield number, problem


def tracked(*patterns):
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
                            cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return sorted(path for path in set(listed) if (ROOT / path).is_file())


def main():
    count = 0
    for path in tracked("*.cpp", "*.hpp"):
        for number, problem in problems_of(path):
            print(f"{path}:{number}: {problem}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
