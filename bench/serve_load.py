"""A server of one's own and many clients on loopback: for bench/serve and tools/soak. No packages."""
import asyncio
import contextlib
import json
import os
import re
import subprocess
import time
import urllib.request


@contextlib.contextmanager
def serving(program, model, *options):
    """Starts `fovea serve` on a free port, gives (port, process), and stops it with SIGTERM."""
    process = subprocess.Popen([program, "serve", f"model={model}", "--port", "0", "--quiet", *options],
                               stderr=subprocess.PIPE, text=True)
    try:
        found = None
        while not found:
            line = process.stderr.readline()
            if not line:
                raise SystemExit(f"{program} serve {model}: it does not serve")
            found = re.search(r"http://.*:(\d+)/", line)
        yield int(found.group(1)), process
    finally:
        process.terminate()
        process.stderr.read()
        if process.wait(60) != 0:
            raise SystemExit(f"{program} serve: exit code {process.returncode}")


def post(path, body):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(data)}\r\n\r\n").encode() + data


async def answer(reader):
    """(status, body) of the next answer."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head[9:12])
    length = re.search(rb"Content-Length: (\d+)", head)
    return status, await reader.readexactly(int(length.group(1))) if length else b""


async def client(port, requests, seconds, statuses):
    """Takes requests from a list that all clients share until it is empty; notes how long each took."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    while requests:
        request = requests.pop()
        begin = time.perf_counter()
        writer.write(request)
        status, _ = await answer(reader)
        seconds.append(time.perf_counter() - begin)
        statuses[status] = statuses.get(status, 0) + 1
    writer.close()


def load(port, requests, clients):
    """Sends all requests from so many clients. (seconds in all, seconds of each, answers by status)"""
    async def run():
        left, seconds, statuses = list(reversed(requests)), [], {}
        begin = time.perf_counter()
        await asyncio.gather(*(client(port, left, seconds, statuses) for _ in range(clients)))
        return time.perf_counter() - begin, seconds, statuses
    return asyncio.run(run())


def share(values, part):
    """The value below which this part of all values is."""
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))]


def metric(port, name):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=60) as response:
        text = response.read().decode()
    return float(re.search(rf"^{name} (\S+)$", text, re.M).group(1))


def program():
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ.get("FOVEA", os.path.join(root, "build/release/apps/fovea/fovea"))
