#!/usr/bin/env python3
"""Time a training epoch of a GOP network with one hidden layer in PyTorch, float32, for speed.py.

The layer is written as PyGOP writes it: inputs [n, K, 1] broadcast against weights [1, K, M], pooled over axis 1,
then activation, batch norm, dropout, linear output, softmax cross-entropy, Adam; gradients by autograd.
Prints JSON: milliseconds per epoch (minimum over repeats) of each (nodal, pool) pair.
"""
import argparse
import json
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import torch

NODAL = {
    "multiplication": lambda y, w: y * w,
    "exponential": lambda y, w: torch.exp(y * w) - 1,
    "harmonic": lambda y, w: torch.sin(y * w),
    "quadratic": lambda y, w: w * y * y,
    "gaussian": lambda y, w: w * torch.exp(-w * y * y),
    "dog": lambda y, w: w * y * torch.exp(-w * y * y),
}
POOL = {
    "sum": lambda z: z.sum(1),
    "correlation1": lambda z: (z[:, :-1] * z[:, 1:]).sum(1),
    "correlation2": lambda z: (z[:, :-2] * z[:, 1:-1] * z[:, 2:]).sum(1),
    "maximum": lambda z: z.max(1)[0],
}


class Gop(torch.nn.Module):
    def __init__(self, nodal, pool, inputs, units, classes):
        super().__init__()
        limit = (6 / (inputs + units)) ** 0.5
        self.w = torch.nn.Parameter(torch.empty(1, inputs, units).uniform_(-limit, limit))
        self.b = torch.nn.Parameter(torch.zeros(units))
        self.nodal, self.pool = NODAL[nodal], POOL[pool]
        self.norm = torch.nn.BatchNorm1d(units, eps=1e-3)
        self.drop = torch.nn.Dropout(0.5)
        self.out = torch.nn.Linear(units, classes)

    def forward(self, x):
        hidden = torch.tanh(self.pool(self.nodal(x.unsqueeze(2), self.w)) + self.b)
        return self.out(self.drop(self.norm(hidden)))


def seconds_per_epoch(nodal, pool, shape, batch, repeats):
    rows, inputs, units, classes = shape
    torch.manual_seed(0)
    x, y = torch.randn(rows, inputs), torch.randint(0, classes, (rows,))
    model = Gop(nodal, pool, inputs, units, classes)
    adam = torch.optim.Adam(model.parameters(), lr=1e-2, eps=1e-7)
    best = float("inf")
    for _ in range(repeats + 1):  # the first epoch warms up
        start = time.perf_counter()
        order = torch.randperm(rows)
        for first in range(0, rows, batch):
            rows_of_batch = order[first : first + batch]
            loss = torch.nn.functional.cross_entropy(model(x[rows_of_batch]), y[rows_of_batch])
            adam.zero_grad()
            loss.backward()
            adam.step()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shape", default="600,100,40,14", help="rows, inputs, units, classes (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(args.threads)
    shape = [int(n) for n in args.shape.split(",")]
    table = {f"{n}/{p}": 1e3 * seconds_per_epoch(n, p, shape, args.batch, args.repeats) for n in NODAL for p in POOL}
    print(json.dumps({"torch": torch.__version__, "threads": args.threads, "shape": shape, "ms_per_epoch": table}))


if __name__ == "__main__":
    main()
