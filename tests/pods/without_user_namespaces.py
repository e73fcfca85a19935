#!/usr/bin/env python3
"""Runs a command as nobody, whom the kernel allows no user namespace.   (as root) without_user_namespaces.py <command>…

The limit is that of a user namespace made for it, so that nobody else on the machine feels it.
"""
import ctypes
import os
import signal
import sys

CLONE_NEWUSER = 0x10000000
PR_SET_PDEATHSIG = 1
NOBODY = 65534


def child(libc, here, go):
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if libc.unshare(CLONE_NEWUSER) != 0:
        sys.exit("cannot make a user namespace: " + os.strerror(ctypes.get_errno()))
    os.write(here, b"x")
    os.read(go, 1)  # the ids have been mapped
    with open("/proc/sys/user/max_user_namespaces", "w", encoding="ascii") as limit:
        limit.write("0")
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # forgotten with the user
    os.execvp(sys.argv[1], sys.argv[1:])


def main():
    libc = ctypes.CDLL(None, use_errno=True)
    here, there = os.pipe(), os.pipe()
    pid = os.fork()
    if pid == 0:
        child(libc, here[1], there[0])
    os.close(here[1])
    if os.read(here[0], 1):
        for kind in ("uid", "gid"):
            with open(f"/proc/{pid}/{kind}_map", "w", encoding="ascii") as ids:
                ids.write("0 0 65536")
        os.write(there[1], b"x")
    signal.signal(signal.SIGTERM, lambda number, _: os.kill(pid, number))
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


if __name__ == "__main__":
    sys.exit(main())
