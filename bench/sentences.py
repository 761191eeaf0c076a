"""The sentences of workloads, for peers of any kind."""

import os
from pathlib import Path

# Of the first 32 pairs of Multi30k: rows that the encoder reads, rows that the decoder reads. The
# same list as in pairs.h.
LENGTHS = [(12, 16), (15, 16), (11, 12), (16, 16), (10, 11), (16, 17), (10, 12), (20, 20),
           (13, 13), (12, 10), (14, 15), (17, 19), (10, 11), (17, 17), (9, 10), (25, 23),
           (14, 12), (16, 18), (11, 9), (19, 16), (14, 18), (19, 14), (10, 13), (13, 12),
           (17, 21), (23, 20), (11, 11), (13, 12), (14, 16), (18, 16), (14, 16), (12, 12)]

BEGIN, END = 1, 2

# What is decoded, as in decode.cc.
VOCABULARY = 8000
SENTENCES, BATCH = 64, 32
WRITTEN = 20


def files():
    """Where bench/run keeps what both sides read."""
    return Path(os.environ["FOVEA_BENCH_FILES"])


def real_lengths(count):
    """As of sentences: from 8 to 56, 32 a sequence on average. The same list as in workload.cc."""
    return [8 + (48 * (13 * i % 32) + 15) // 31 for i in range(count)]


def sources():
    """From the shortest to the longest; the ids of decode.cc."""
    sentences, state = [], 1
    for s in range(SENTENCES):
        ids = []
        for _ in range(LENGTHS[s % len(LENGTHS)][0] - 1):
            state = state * 48271 % 2147483647
            ids.append(3 + state % (VOCABULARY - 3))
        sentences.append(ids + [END])
    return sorted(sentences, key=len)


def batches():
    everything = sources()
    return [everything[i:i + BATCH] for i in range(0, SENTENCES, BATCH)]
