"""What cache_run and loop_run share: a replay server, and a program that is asked by lines and looked at from outside."""
import json
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

BIN = Path(__file__).resolve().parent.parent.parent / "build-bench/bin"
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    def __init__(self, corpus, count, form):
        self.child = subprocess.Popen([BIN / "replay_server", corpus, str(count), form],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.url = self.child.stdout.readline().strip()

    def post(self, what):
        request = urllib.request.Request(f"{self.url}/bench/{what}", data=b"")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def close(self):
        self.child.stdin.close()
        self.child.wait()


class Program:
    def __init__(self, name, *arguments):
        if not (BIN / name).exists():
            sys.exit(f"build-bench/bin/{name} is missing; run make bench first")
        self.name = name
        self.child = subprocess.Popen([BIN / name, *arguments],
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.child.stdin.write(line + "\n")
        self.child.stdin.flush()
        answer = self.child.stdout.readline().split()
        if not answer:
            sys.exit(f"{self.name} ended at \"{line}\"")
        return answer

    def memory(self):
        """RSS now and at its highest since the last reset, in bytes."""
        with open(f"/proc/{self.child.pid}/status", encoding="ascii") as file:
            fields = dict(line.split(":", 1) for line in file)
        return [int(fields[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")]

    def reset_peak(self):
        with open(f"/proc/{self.child.pid}/clear_refs", "w", encoding="ascii") as file:
            file.write("5")

    def cpu(self):
        with open(f"/proc/{self.child.pid}/stat", encoding="ascii") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def close(self):
        self.child.stdin.close()
        self.child.wait()
