"""The models that are only run, for peers of any kind: their shapes, their weights, what they read.

`models.py FILE` draws the weights of FILE (minilm.safetensors, ...) that all sides read, in Fovea's
names; `models.py gpt2.gguf` writes the same as llama.cpp reads them.
"""

import sys
from dataclasses import dataclass

import numpy as np
from safetensors.numpy import load_file, save_file

from sentences import files


@dataclass(frozen=True)
class Shape:
    """As in infer.cc."""
    vocabulary: int
    layers: int
    width: int
    heads: int
    inner: int
    kv_heads: int = 0  # 0: as many as heads
    places: int = 0  # 0: rotary

    @property
    def head(self):
        return self.width // self.heads

    @property
    def keys(self):
        return self.head * (self.kv_heads or self.heads)


ENCODERS = {"minilm": Shape(30522, 6, 384, 12, 1536, places=512),
            "bert-base": Shape(30522, 12, 768, 12, 3072, places=512)}
WRITERS = {"gpt2": Shape(50257, 12, 768, 12, 3072, places=1024),
           "llama": Shape(32000, 12, 768, 12, 2048, kv_heads=4)}
ENCODER_EPS, WRITER_EPS = 1e-12, 1e-5

PROMPT, WRITTEN = 16, 48  # tokens


def ids_of(count, vocabulary, state=1):
    """The ids of infer.cc."""
    ids = []
    for _ in range(count):
        state = state * 48271 % 2147483647
        ids.append(3 + state % (vocabulary - 3))
    return ids


def prompt(name):
    return ids_of(PROMPT, WRITERS[name].vocabulary)


def texts(lengths, vocabulary):
    ids = ids_of(sum(lengths), vocabulary)
    return [ids[end - length:end] for length, end in zip(lengths, np.cumsum(lengths))]


def weights_of(name):
    return load_file(files() / f"{name}.safetensors")


class Drawn(dict):
    """Weights by their names, each drawn when it is named."""

    def __init__(self):
        super().__init__()
        self.random = np.random.default_rng(1)

    def normal(self, name, shape, deviation):
        self[name] = self.random.standard_normal(shape, np.float32) * np.float32(deviation)

    def linear(self, name, inputs, outputs, bias):
        self.normal(f"{name}.weight", (outputs, inputs), inputs**-0.5)
        if bias:
            self.normal(f"{name}.bias", (outputs,), 0.02)

    def norm(self, name, width, bias):
        self.normal(f"{name}.weight", (width,), 0.1)
        self[f"{name}.weight"] += 1
        if bias:
            self.normal(f"{name}.bias", (width,), 0.02)


def drawn_layers(w, at, shape, bias):
    """The layers of a text encoder; those without biases have a gate."""
    for i in range(shape.layers):
        layer = f"{at}{i}"
        w.linear(f"{layer}.self.qkv", shape.width, shape.width + 2 * shape.keys, bias)
        w.linear(f"{layer}.self.out", shape.width, shape.width, bias)
        w.linear(f"{layer}.feed_forward.linear1", shape.width, shape.inner, bias)
        if not bias:
            w.linear(f"{layer}.feed_forward.gate", shape.width, shape.inner, bias)
        w.linear(f"{layer}.feed_forward.linear2", shape.inner, shape.width, bias)
        w.norm(f"{layer}.norm1", shape.width, bias)
        w.norm(f"{layer}.norm2", shape.width, bias)


def drawn_encoder(shape):
    w = Drawn()
    w.normal("tokens.weight", (shape.vocabulary, shape.width), 1)
    w.normal("places.weight", (shape.places, shape.width), 0.1)
    w.normal("kinds.weight", (2, shape.width), 0.1)
    w.norm("norm", shape.width, True)
    drawn_layers(w, "", shape, True)
    return w


def drawn_writer(shape):
    """The last norm has scales of random signs: what comes out is what went in where one table serves
    both, and the model would say one token over and over."""
    bias = shape.places > 0
    w = Drawn()
    w.normal("encoder.tokens.weight", (shape.vocabulary, shape.width), 1)
    if shape.places:
        w.normal("encoder.places.weight", (shape.places, shape.width), 0.1)
    drawn_layers(w, "encoder.", shape, bias)
    w.norm("encoder.last", shape.width, bias)
    w.normal("encoder.last.weight", (shape.width,), 1)
    w["out.bias"] = np.zeros(shape.vocabulary, np.float32)
    if not shape.places:
        w.normal("out.weight", (shape.vocabulary, shape.width), shape.width**-0.5)
    return w


# --- GGUF, the file of llama.cpp --------------------------------------------------------------------


def interleaved(weight, head):
    """Rows of q or k with those in turn that rotary positions turn together: llama.cpp pairs 2i with
    2i + 1, Fovea and Hugging Face i with i + D/2."""
    heads = weight.shape[0] // head
    return weight.reshape(heads, 2, head // 2, -1).swapaxes(1, 2).reshape(weight.shape)


def add_settings(writer, shape):
    writer.add_context_length(shape.places or 1024)
    writer.add_embedding_length(shape.width)
    writer.add_block_count(shape.layers)
    writer.add_feed_forward_length(shape.inner)
    writer.add_head_count(shape.heads)
    if shape.places:
        writer.add_layer_norm_eps(WRITER_EPS)
    else:
        writer.add_head_count_kv(shape.kv_heads)
        writer.add_layer_norm_rms_eps(WRITER_EPS)
        writer.add_rope_dimension_count(shape.head)
        writer.add_rope_freq_base(10000.0)
    writer.add_tokenizer_model("gpt2")  # never used: prompts are ids
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list([f"t{i}" for i in range(shape.vocabulary)])
    writer.add_token_types([1] * shape.vocabulary)
    writer.add_token_merges(["t 0"])
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)


def add_layer(writer, w, i, shape):
    def add(name, part, kinds=("weight", "bias")):
        for kind in kinds:
            if f"encoder.{i}.{part}.{kind}" in w:
                writer.add_tensor(f"blk.{i}.{name}.{kind}", w[f"encoder.{i}.{part}.{kind}"])

    add("attn_norm", "norm1")
    add("attn_output", "self.out")
    add("ffn_norm", "norm2")
    add("ffn_up", "feed_forward.linear1")
    add("ffn_gate", "feed_forward.gate")
    add("ffn_down", "feed_forward.linear2")
    if shape.places:
        add("attn_qkv", "self.qkv")
        return
    q, k, v = np.split(w[f"encoder.{i}.self.qkv.weight"],
                       [shape.width, shape.width + shape.keys])
    writer.add_tensor(f"blk.{i}.attn_q.weight", interleaved(q, shape.head))
    writer.add_tensor(f"blk.{i}.attn_k.weight", interleaved(k, shape.head))
    writer.add_tensor(f"blk.{i}.attn_v.weight", np.ascontiguousarray(v))


def write_gguf(name):
    import gguf

    shape, w = WRITERS[name], weights_of(name)
    writer = gguf.GGUFWriter(files() / f"{name}.gguf", name)
    add_settings(writer, shape)
    writer.add_tensor("token_embd.weight", w["encoder.tokens.weight"])
    if shape.places:
        writer.add_tensor("position_embd.weight", w["encoder.places.weight"])
        writer.add_tensor("output_norm.bias", w["encoder.last.bias"])
    else:
        writer.add_tensor("output.weight", w["out.weight"])
    writer.add_tensor("output_norm.weight", w["encoder.last.weight"])
    for i in range(shape.layers):
        add_layer(writer, w, i, shape)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    name, kind = sys.argv[1].split(".")
    if kind == "gguf":
        write_gguf(name)
    elif name in ENCODERS:
        save_file(drawn_encoder(ENCODERS[name]), files() / sys.argv[1])
    else:
        save_file(drawn_writer(WRITERS[name]), files() / sys.argv[1])


if __name__ == "__main__":
    main()
