"""Abusive clients of a live page: slow clients send a byte every two seconds and never finish their request; greedy
clients request the page again as soon as they get an answer. Runs until it is killed or the page disappears."""

import argparse
import asyncio


async def slow(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for letter in b"GET / HTTP/1.1\r\nX: " + b"x" * 10000:
        writer.write(bytes([letter]))
        await writer.drain()
        await asyncio.sleep(2)
        if reader.at_eof():
            break
    writer.close()


async def greedy(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    await reader.read()
    writer.close()


async def again_and_again(client, port):
    while True:
        try:
            await client(port)
        except ConnectionRefusedError:
            return
        except OSError:
            pass  # closed by the page


async def main():
    args = argparse.ArgumentParser()
    args.add_argument("port", type=int)
    args.add_argument("--slow", type=int, default=50)
    args.add_argument("--greedy", type=int, default=50)
    args = args.parse_args()
    await asyncio.gather(*[again_and_again(slow, args.port) for _ in range(args.slow)],
                         *[again_and_again(greedy, args.port) for _ in range(args.greedy)])


asyncio.run(main())
