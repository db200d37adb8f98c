"""The live page under abusive clients: training still ends and needs hardly more memory."""

import http.client
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

import pytest
from conftest import PROGRAM, TINY, call, write_data

CLIENTS = pathlib.Path(__file__).parent / "live_clients.py"
ALLOWED_MEGABYTES = 20


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    write_data(folder)
    return folder


def start(folder, out, *args):
    """A run with a live page, and the page's port."""
    run = subprocess.Popen([PROGRAM, "train", "--train", "train.csv", *TINY, "--threads", "1", "--out", out, "--live",
                            *args], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    return run, int(re.search(r"live view: http://127\.0\.0\.1:(\d+)/", run.stderr.readline())[1])


@pytest.fixture(scope="module")
def port(folder):
    """The port of a run that trains until it is stopped."""
    run, port = start(folder, "endless", "--epochs", "1000000")
    while run.poll() is None and not (folder / "endless/config.json").exists():
        time.sleep(0.01)  # until then the page only says that it waits
    yield port
    run.terminate()
    run.communicate(timeout=60)


def answer(port, request):
    """Send the bytes of a request and return all bytes of the answer."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
        client.sendall(request)
        return b"".join(iter(lambda: client.recv(65536), b""))


def status(port, request):
    return int(answer(port, request).split()[1])


def finish(run):
    """Wait for the end of a run and return its peak memory in MB."""
    run.stderr.close()
    _, code, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(code)
    assert run.returncode == 0
    return usage.ru_maxrss / 1024


def peak(folder, out, *clients):
    run, port = start(folder, out, "--epochs", "400", "--finetune-epochs", "4000")
    attack = subprocess.Popen([sys.executable, CLIENTS, str(port), *clients])
    try:
        megabytes = finish(run)
        attack.wait(timeout=60)  # the page has disappeared
        return megabytes
    finally:
        attack.kill()
        attack.wait()


def test_a_run_ends_under_slow_and_greedy_clients_and_stays_small(folder):
    alone = peak(folder, "alone", "--slow", "0", "--greedy", "1")
    assert peak(folder, "crowded", "--slow", "50", "--greedy", "50") < alone + ALLOWED_MEGABYTES
    models = [(folder / name / "model.safetensors").read_bytes() for name in ("alone", "crowded")]
    assert models[0] == models[1]


def test_watch_ends_while_clients_send_byte_by_byte(folder):
    run, _ = start(folder, "watched", "--epochs", "400", "--finetune-epochs", "4000")
    while not (folder / "watched/config.json").exists():
        time.sleep(0.01)
    watch = subprocess.Popen([PROGRAM, "watch", "watched"], cwd=folder, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.DEVNULL)
    port = int(watch.stdout.readline().rstrip("/\n").split(":")[-1])
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(10)]
    for client in slow:
        client.sendall(b"GET / HT")
    finish(run)
    assert watch.wait(timeout=30) == 0


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("command", ["train", "compare"])
def test_watch_ends_if_the_training_stops(folder, tmp_path, command, end):
    options = ["--algorithms", "popfast", "--runs", "1"] if command == "compare" else []
    run = subprocess.Popen([PROGRAM, command, "--train", folder / "train.csv", *TINY, "--epochs", "1000000", *options,
                            "--out", "my run"], cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while not list((tmp_path / "my run").rglob("config.json")):
        time.sleep(0.01)
    watch = subprocess.Popen([PROGRAM, "watch", "my run"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE)
    watch.stdout.readline()
    time.sleep(0.5)
    assert watch.poll() is None
    run.send_signal(end)
    run.communicate(timeout=60)
    told = watch.communicate(timeout=60)[1].splitlines()
    assert watch.returncode == 3 and "gopnet resume 'my run'" in told[-1], told


def test_watch_waits_for_a_stopped_run_to_go_on(folder, tmp_path):
    stopped = call(tmp_path, "train", "--train", folder / "train.csv", *TINY, "--epochs", "1000000", "--time-limit", "1", "--out", "run")
    assert stopped.returncode == 3, stopped.stderr
    watch = subprocess.Popen([PROGRAM, "watch", "run"], cwd=tmp_path, stdout=subprocess.PIPE, text=True,
                             stderr=subprocess.PIPE)
    watch.stdout.readline()
    time.sleep(0.5)
    assert watch.poll() is None
    resumed = subprocess.Popen([PROGRAM, "resume", "run"], cwd=tmp_path, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    while '"resume"' not in (tmp_path / "run/journal.jsonl").read_text():
        time.sleep(0.01)
    time.sleep(0.5)
    assert watch.poll() is None
    resumed.terminate()
    resumed.communicate(timeout=60)
    told = watch.communicate(timeout=60)[1]
    assert watch.returncode == 3 and told.count("gopnet resume run") == 2, told


def test_the_page_is_served_beside_slow_clients(port):
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(50)]
    for client in slow:
        client.sendall(b"G")
    assert answer(port, f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode()).endswith(b"</html>\n")


def test_a_request_that_never_ends_is_cut_off(port):
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), timeout=1) as client:
        with pytest.raises((ConnectionError, EOFError)):
            while time.monotonic() < began + 60:
                client.sendall(b"x")
                try:
                    if client.recv(1) == b"":
                        raise EOFError
                except TimeoutError:
                    pass


def test_large_and_strange_requests_get_short_answers(port):
    host = f"Host: 127.0.0.1:{port}\r\n".encode()
    page = len(answer(port, b"GET / HTTP/1.1\r\n" + host + b"\r\n"))
    parts = b"Range: bytes=" + b",".join(b"0-0" for _ in range(2600)) + b"\r\n"
    ranges = answer(port, b"GET / HTTP/1.1\r\n" + host + parts + b"\r\n")
    assert int(ranges.split()[1]) == 200 and len(ranges) < 1.1 * page
    assert status(port, b"GET / HTTP/1.1\r\n" + host + b"X: " + b"x" * 20000) == 431
    for line in (b"", b"GET", b"GET /", b"GET / HTTP/2.0", b"\0\xff / /"):
        assert status(port, line + b"\r\n" + host + b"\r\n") == 400, line
    assert status(port, b"GET / HTTP/1.1\r\n\r\n") == 400  # no host
    assert status(port, b"GET / HTTP/1.1\r\n" + 2 * host + b"\r\n") == 400
    assert status(port, b"GET /?a=b HTTP/1.1\r\nhOST:" + host[5:].strip() + b"\t\r\n\r\n") == 200


def test_head_is_the_page_without_its_body(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("HEAD", "/")
    head = connection.getresponse()
    assert head.status == 200 and int(head.getheader("Content-Length")) > 1000 and head.read() == b""
    assert head.getheader("Connection") == "close" and head.getheader("Cache-Control") == "no-store"
    assert "frame-ancestors 'none'" in head.getheader("Content-Security-Policy")


def test_a_port_can_be_used_again_at_once(folder):
    run, port = start(folder, "first", "--epochs", "4000")  # outlives the request
    answer(port, f"GET / HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n".encode())
    finish(run)
    done = call(folder, "train", "--train", "train.csv", *TINY, "--out", "second", "--live", "--port", port)
    assert done.returncode == 0, done.stderr
