#!/usr/bin/env python3
"""Runs the files that `onnx_cases FOLDER` wrote with onnxruntime: python check.py FOLDER

Texts are padded after their end and before their beginning; what onnxruntime computes for their
tokens must be what Fovea computed for texts without padding. Needs onnx, onnxruntime, safetensors.
"""
import pathlib
import sys

import numpy
import onnx
import onnxruntime
from safetensors.numpy import load_file

BOUND = 2e-5  # of the largest difference, relative to the largest number
PADDING = 3  # any id will do


def parts(rows, lengths):
    """Rows of all texts, one after the other, as one array a text."""
    return numpy.split(rows, numpy.cumsum(lengths)[:-1])


def padded(texts, before, value):
    longest = max(len(t) for t in texts) + 2
    out = numpy.full((len(texts), longest) + texts[0].shape[1:], value, texts[0].dtype)
    for row, text in zip(out, texts):
        row[longest - len(text):] = 0 if before else value
        if before:
            row[longest - len(text):] = text
        else:
            row[:len(text)] = text
    return out


def feeds(expected, before):
    lengths = expected["lengths"]
    texts = [t.astype(numpy.int64) for t in parts(expected["ids"], lengths)]
    ones = [numpy.ones(n, numpy.int64) for n in lengths]
    fed = {"input_ids": padded(texts, before, PADDING), "attention_mask": padded(ones, before, 0)}
    if "kinds" in expected:
        kinds = [t.astype(numpy.int64) for t in parts(expected["kinds"], lengths)]
        fed["token_type_ids"] = padded(kinds, before, 0)
    if "states" in expected:  # a decoder: targets have no mask, sources are padded
        del fed["attention_mask"]
        sources = expected["source_lengths"]
        fed["encoder_hidden_states"] = padded(parts(expected["states"], sources), before, 7)
        fed["encoder_attention_mask"] = padded([numpy.ones(n, numpy.int64) for n in sources],
                                               before, 0)
    return fed


def rows_of(found, lengths, rows, before):
    """What belongs to tokens, if the output has rows for places."""
    if len(rows) != sum(lengths) or found.shape[:2] == rows.shape:
        return found
    return numpy.concatenate([f[len(f) - n:] if before else f[:n] for f, n in zip(found, lengths)])


def check(path):
    onnx.checker.check_model(str(path), full_check=True)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    expected = load_file(path.with_suffix(".safetensors"))
    names = [o.name for o in session.get_outputs()]
    worst = 0
    for before in [False] if "states" in expected else [False, True]:
        fed = feeds(expected, before)
        if {i.name for i in session.get_inputs()} != set(fed):
            raise SystemExit(f"{path.name}: asks for {[i.name for i in session.get_inputs()]}")
        for name, found in zip(names, session.run(names, fed)):
            rows = expected[name]
            found = rows_of(found, expected["lengths"], rows, before)
            if found.shape != rows.shape:
                raise SystemExit(f"{path.name}: {name} is {found.shape}, expected {rows.shape}")
            worst = max(worst, abs(found - rows).max() / max(1, abs(rows).max()))
    if not worst <= BOUND:
        raise SystemExit(f"{path.name}: differs by {worst:.2g}")
    return worst


def main():
    files = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
    worst = {path.name: check(path) for path in files}
    if not worst:
        raise SystemExit(f"{sys.argv[1]}: no files")
    name = max(worst, key=worst.get)
    print(f"{len(worst)} models as onnxruntime {onnxruntime.__version__} computes them, "
          f"padded on either side; the largest difference is {worst[name]:.1e}, of {name}")


main()
