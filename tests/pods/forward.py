#!/usr/bin/env python3
"""Connections to a memcached through kubectl port-forward.   forward.py <port of the pod> <local port>"""
import socket
import sys

pod_port, port = map(int, sys.argv[1:])


def connect():
    connection = socket.create_connection(("127.0.0.1", port), 30)
    connection.settimeout(30)
    return connection


if pod_port == 9:
    try:
        assert connect().recv(1) == b""
    except ConnectionResetError:
        pass
    sys.exit()

# Many at once, and many megabytes.
size = 1000000
connections = [connect() for _ in range(10)]
for number, each in enumerate(connections):
    each.sendall(b"set key%d 0 0 %d\r\n" % (number, size) + bytes([97 + number]) * size + b"\r\n")
for each in connections:
    assert each.recv(100) == b"STORED\r\n"
for number, each in enumerate(connections):
    each.sendall(b"get key%d\r\n" % number)
for number, each in enumerate(connections):
    got = b""
    while not got.endswith(b"END\r\n"):
        got += each.recv(65536)
    assert bytes([97 + number]) * size in got
# Its end ends ours.
connections[0].sendall(b"quit\r\n")
assert connections[0].recv(1) == b""
# Half of it: what was asked before is answered after.
connections[1].sendall(b"version\r\n")
connections[1].shutdown(socket.SHUT_WR)
assert connections[1].recv(100).startswith(b"VERSION")
