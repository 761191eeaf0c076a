#!/usr/bin/env python3
"""onnxruntime's side of encoding texts: the graph that its own optimizer of Transformers makes of
BERT, with attention, norms and activations fused into single nodes, written down directly."""

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from models import ENCODER_EPS, ENCODERS, texts, weights_of
from protocol import THREADS, Part, begin_growth, serve
from sentences import files, real_lengths

FUSED = "com.microsoft"


class Graph:
    """Nodes one after the other; each gives the name of its output."""

    def __init__(self, weights):
        self.weights, self.nodes, self.used = weights, [], {}

    def weight(self, name, transposed=False):
        value = self.weights[name]
        self.used[name] = np.ascontiguousarray(value.T) if transposed else value
        return name

    def add(self, kind, inputs, domain=FUSED, outputs=1, **attributes):
        names = [f"{kind}{len(self.nodes)}.{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def product(self, x, name):
        return self.add("MatMul", [x, self.weight(f"{name}.weight", True)], domain="")

    def norm_after(self, y, x, norm, bias):
        """norm(x + y + bias)"""
        return self.add("SkipLayerNormalization",
                        [y, x, self.weight(f"{norm}.weight"), self.weight(f"{norm}.bias"),
                         self.weight(f"{bias}.bias")], epsilon=ENCODER_EPS)

    def layer(self, x, i, lengths, shape):
        attention = self.add("Attention", [x, self.weight(f"{i}.self.qkv.weight", True),
                                           self.weight(f"{i}.self.qkv.bias"), lengths],
                             num_heads=shape.heads)
        h = self.norm_after(self.product(attention, f"{i}.self.out"), x, f"{i}.norm1",
                            f"{i}.self.out")
        up = f"{i}.feed_forward.linear1"
        wide = self.add("BiasGelu", [self.product(h, up), self.weight(f"{up}.bias")])
        down = f"{i}.feed_forward.linear2"
        return self.norm_after(self.product(wide, down), h, f"{i}.norm2", down)


def write_model(name):
    path = files() / f"{name}.onnx"
    if path.exists():
        return path
    shape, graph = ENCODERS[name], Graph(weights_of(name))
    tables = [graph.weight(f"{table}.weight") for table in ("tokens", "places", "kinds", "norm")]
    x, lengths = graph.add("EmbedLayerNormalization",
                           ["ids", "kinds", *tables, graph.weight("norm.bias"), "mask"],
                           outputs=2, epsilon=ENCODER_EPS)
    for i in range(shape.layers):
        x = graph.layer(x, i, lengths, shape)
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT32, ["B", "T"])
              for n in ("ids", "kinds", "mask")]
    output = helper.make_tensor_value_info(x, TensorProto.FLOAT, ["B", "T", shape.width])
    stored = [numpy_helper.from_array(value, n) for n, value in graph.used.items()]
    model = helper.make_model(
        helper.make_graph(graph.nodes, name, inputs, [output], stored), ir_version=10,
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)])
    onnx.save(model, path)
    return path


def session_of(name):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = THREADS, 1
    return onnxruntime.InferenceSession(str(write_model(name)), options,
                                        providers=["CPUExecutionProvider"])


def inputs_of(batch):
    ids = np.zeros((len(batch), max(map(len, batch))), np.int32)
    mask = np.zeros_like(ids)
    for row, text in enumerate(batch):
        ids[row, :len(text)], mask[row, :len(text)] = text, 1
    return {"ids": ids, "kinds": np.zeros_like(ids), "mask": mask}


def encoding(name, lengths, size=None):
    """All in one batch, or in batches of `size` of like lengths."""
    session = session_of(name)
    every = texts(lengths, ENCODERS[name].vocabulary)
    in_order = sorted(every, key=len)
    whole = [inputs_of(every)]
    parts = [inputs_of(in_order[i:i + size]) for i in range(0, len(every), size)] if size else whole
    run = lambda inputs: [session.run(None, one)[0] for one in inputs]
    values = [float(row[0]) for text, length in zip(run(whole)[0], lengths) for row in text[:length]]
    note = f"batches of {size} by length" if size else "one batch"
    return [Part(lambda: run(parts), note=f"onnxruntime {onnxruntime.__version__}, {note}",
                 values=values)]


def loading(name):
    inputs = inputs_of(texts([128], ENCODERS[name].vocabulary))
    return [Part(lambda: session_of(name).run(None, inputs))]


def memory(name):
    write_model(name)
    begin_growth()
    return encoding(name, [128])


if __name__ == "__main__":
    serve({f"{name}-{what}": make for name in ENCODERS for what, make in {
        "1x128": lambda n=name: encoding(n, [128]),
        "32": lambda n=name: encoding(n, real_lengths(32)),
        "32-sorted": lambda n=name: encoding(n, real_lengths(32), 8),
        "load": lambda n=name: loading(n),
        "memory": lambda n=name: memory(n),
    }.items()})
