#!/usr/bin/env python3
"""kubectl exec -it, run -it and debug -it on a terminal of our own.   terminal.py <kubectl> <kubeconfig>"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

kubectl, kubeconfig = sys.argv[1:]


def talk(arguments, steps, size=(33, 111)):
    """Types each text once the one it waits for is there; gives all that was shown, and the exit status."""
    pid, fd = pty.fork()
    if pid == 0:
        os.execv(kubectl, [kubectl, "--kubeconfig", kubeconfig, *arguments])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
    shown, deadline, steps = "", time.monotonic() + 60, list(steps)
    while time.monotonic() < deadline:
        while steps and steps[0][0] in shown:
            _, text, new_size = (*steps.pop(0), None)[:3]
            if new_size:
                fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *new_size, 0, 0))
            os.write(fd, text.encode())
        if not select.select([fd], [], [], 1)[0]:
            continue
        try:
            piece = os.read(fd, 4096)
        except OSError:
            break
        if not piece:
            break
        shown += piece.decode(errors="replace")
    else:
        os.kill(pid, 9)
        sys.exit(f"{arguments}: it did not end; shown so far:\n{shown}")
    return shown, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def check(holds, shown):
    if not holds:
        sys.exit("not as expected:\n" + shown)


for sockets in ("true", "false"):
    os.environ["KUBECTL_REMOTE_COMMAND_WEBSOCKETS"] = sockets
    wait_for_size = "until [ \"$(stty size)\" = '20 90' ]; do :; done; echo resi''zed; exit 5\n"
    shown, code = talk(
        ["exec", "-it", "web", "-c", "main", "--", "sh"],
        [
            ("# ", "stty -echo; until [ \"$(stty size)\" = '33 111' ]; do :; done; echo $TERM fir''st\n"),
            ("xterm first", wait_for_size, (20, 90)),
        ],
    )
    check("resized" in shown and code == 5, f"{code}\n{shown}")

shown, code = talk(
    ["run", "-it", "shell", "--image=busybox", "--restart=Never", "--rm", "--command", "--", "sh"],
    [("", "echo sum $((40 + 2))\n"), ("sum 42", "exit 0\n")],
)
check("sum 42" in shown and code == 0, f"{code}\n{shown}")

# A container beside those of the pod, which sees their processes.
shown, code = talk(
    ["debug", "-it", "web", "--image=busybox", "--target=main", "--container=look", "--profile=general", "--", "sh"],
    [("", "ps ax | grep -c '[s]leep 1000'; echo loo''ked\n"), ("looked", "exit 0\n")],
)
check("looked" in shown and code == 0, f"{code}\n{shown}")
