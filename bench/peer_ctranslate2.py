#!/usr/bin/env python3
"""CTranslate2's side of decoding: the weights of base.safetensors in its own format, in float32, or
in int8 where the name of the workload ends so."""

import ctranslate2
import numpy as np
from ctranslate2.specs import Activation, TransformerSpec
from safetensors.numpy import load_file

from protocol import THREADS, Part, serve
from sentences import VOCABULARY, WRITTEN, batches, files

WIDTH, HEADS, LAYERS = 512, 8, 6
SYMBOLS = ["<unk>", "<s>", "</s>"] + [f"t{i}" for i in range(3, VOCABULARY)]


class Weights:
    """Those under a name: w / "encoder" / 0 / "norm1"."""

    def __init__(self, all_, name=""):
        self.all, self.name = all_, name

    def __truediv__(self, name):
        return Weights(self.all, f"{self.name}.{name}" if self.name else str(name))

    def __getitem__(self, name):
        return self.all[f"{self.name}.{name}"]


def set_linear(spec, w):
    spec.weight, spec.bias = w["weight"], w["bias"]


def set_norm(spec, w):
    spec.gamma, spec.beta = w["weight"], w["bias"]


def set_self(spec, w, norm):
    set_linear(spec.linear[0], w / "qkv")
    set_linear(spec.linear[1], w / "out")
    set_norm(spec.layer_norm, norm)


def set_cross(spec, w, norm):
    for linear, name in zip(spec.linear, ("query", "memory", "out")):
        set_linear(linear, w / name)
    set_norm(spec.layer_norm, norm)


def set_feed_forward(spec, w, norm):
    set_linear(spec.linear_0, w / "linear1")
    set_linear(spec.linear_1, w / "linear2")
    set_norm(spec.layer_norm, norm)


def sinusoids(longest):
    angles = np.arange(longest)[:, None] / 10000 ** (np.arange(0, WIDTH, 2) / WIDTH)
    return np.stack([np.sin(angles), np.cos(angles)], -1).reshape(longest, WIDTH).astype("f")


def set_ends(spec, w):
    """What encoder and decoder have in common: the way in."""
    embeddings = spec.embeddings[0] if isinstance(spec.embeddings, list) else spec.embeddings
    embeddings.weight = w["encoder.tokens.weight"]
    spec.scale_embeddings = True
    spec.position_encodings.encodings = sinusoids(256)


def convert(folder):
    w = load_file(files() / "base.safetensors")
    root = Weights(w)
    spec = TransformerSpec.from_config((LAYERS, LAYERS), HEADS, pre_norm=False,
                                       activation=Activation.RELU)
    set_ends(spec.encoder, w)
    set_ends(spec.decoder, w)
    for i, layer in enumerate(spec.encoder.layer):
        own = root / "encoder" / i
        set_self(layer.self_attention, own / "self", own / "norm1")
        set_feed_forward(layer.ffn, own / "feed_forward", own / "norm2")
    for i, layer in enumerate(spec.decoder.layer):
        own = root / "decoder" / i
        set_self(layer.self_attention, own / "self", own / "norm1")
        set_cross(layer.attention, own / "cross", own / "norm2")
        set_feed_forward(layer.ffn, own / "feed_forward", own / "norm3")
    spec.decoder.projection.weight = w["encoder.tokens.weight"]
    spec.decoder.projection.bias = w["decoder.out.bias"]
    spec.register_source_vocabulary(SYMBOLS)
    spec.register_target_vocabulary(SYMBOLS)
    spec.validate()
    folder.mkdir(exist_ok=True)
    spec.save(str(folder))


def decoding(width, compute_type):
    folder = files() / "base.ctranslate2"
    convert(folder)
    translator = ctranslate2.Translator(str(folder), device="cpu", compute_type=compute_type,
                                        inter_threads=1, intra_threads=THREADS)
    words = [[[SYMBOLS[i] for i in ids] for ids in batch] for batch in batches()]
    ids_of = {symbol: i for i, symbol in enumerate(SYMBOLS)}

    def run():
        results = []
        for batch in words:
            results += translator.translate_batch(
                batch, beam_size=width, min_decoding_length=WRITTEN, max_decoding_length=WRITTEN,
                max_batch_size=0)
        return results

    answers = [[ids_of[symbol] for symbol in result.hypotheses[0]] for result in run()]
    return [Part(run, note=f"CTranslate2 {ctranslate2.__version__}, {translator.compute_type}", answers=answers)]


if __name__ == "__main__":
    serve({f"decode-{name}{ending}": lambda w=width, t=compute_type: decoding(w, t)
           for name, width in (("greedy", 1), ("beam4", 4))
           for ending, compute_type in (("", "float32"), ("-int8", "int8"))})
