#!/usr/bin/env python3
"""From a graph and a partition of it, as METIS writes them, to the tables of a model: halo.csv and cells.csv.

usage: graph_to_csv.py GRAPH PARTITION BYTES-OF-A-VERTEX
"""
import sys
from collections import Counter


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [line.split() for line in file if not line.startswith("%")]


def write(path, columns, rows):
    with open(path, "w", encoding="utf-8") as file:
        print(", ".join(columns), *(", ".join(map(str, row)) for row in rows), sep="\n", file=file)


header, *lines = lines_of(sys.argv[1])
part = [int(number) + 1 for number, in lines_of(sys.argv[2])]       # METIS counts parts from 0, a grid from 1
fmt, weights = (*header[2:], *["0", "1"][len(header) - 2:])[:2]     # 011: no sizes, but weights and weights of edges
has_size, has_weights, has_edge_weights = (digit == "1" for digit in fmt.zfill(3))
first, step = has_size + has_weights * int(weights), 1 + has_edge_weights
halo = Counter()
for mine, words in zip(part, lines):
    others = {part[int(word) - 1] for word in words[first::step]} - {mine}
    halo.update((mine, other) for other in others)                  # a vertex goes once to each part that borders on it

write("halo.csv", ["rank", "neighbour", "bytes [B]"],
      [(rank, other, vertices * int(sys.argv[3])) for (rank, other), vertices in sorted(halo.items())])
write("cells.csv", ["rank", "cells"], sorted(Counter(part).items()))
