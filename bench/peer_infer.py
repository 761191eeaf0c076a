"""PyTorch's side of models that are only run: encoders of texts, and language models that write one
text with keys and values in a cache. Parameters have Fovea's names; models.py has the shapes.

Letters: B texts, T the longest, H heads, G heads of keys, D columns of a head, E width.
"""

import sys

import safetensors.torch
import torch
import torch.nn.functional as F
from torch import nn

from models import (ENCODER_EPS, ENCODERS, PROMPT, WRITER_EPS, WRITERS, WRITTEN, prompt, texts)
from protocol import Part, begin_growth
from sentences import files


def padding_mask(lengths):
    """(B, 1, 1, T), true where there is a token; none if all lengths are the same."""
    if len(set(lengths)) == 1:
        return None
    return (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])[:, None, None, :]


class FeedForward(nn.Module):
    def __init__(self, shape, activation, bias):
        super().__init__()
        self.linear1 = nn.Linear(shape.width, shape.inner, bias)
        self.gate = None if bias else nn.Linear(shape.width, shape.inner, bias)
        self.linear2 = nn.Linear(shape.inner, shape.width, bias)
        self.activation = activation

    def forward(self, x):
        if self.gate is None:
            return self.linear2(self.activation(self.linear1(x)))
        return self.linear2(self.activation(self.gate(x)) * self.linear1(x))


class SelfAttention(nn.Module):
    def __init__(self, shape, bias):
        super().__init__()
        self.shape = shape
        self.qkv = nn.Linear(shape.width, shape.width + 2 * shape.keys, bias)
        self.out = nn.Linear(shape.width, shape.width, bias)

    def heads(self, x):
        """q (B, H, T, D), k and v (B, G, T, D)."""
        shape = self.shape
        parts = self.qkv(x).split([shape.width, shape.keys, shape.keys], -1)
        return (part.view(*x.shape[:2], -1, shape.head).transpose(1, 2) for part in parts)

    def joined(self, y):
        return self.out(y.transpose(1, 2).flatten(2))

    def forward(self, x, mask):
        q, k, v = self.heads(x)
        return self.joined(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))

    def step(self, x, cache, seen, turned):
        """x (1, T, E) after `seen` places; cache (2, 1, G, places, D)."""
        q, k, v = self.heads(x)
        if turned is not None:
            q, k = rotated(q, turned), rotated(k, turned)
        end = seen + x.shape[1]
        cache[0, :, :, seen:end] = k
        cache[1, :, :, seen:end] = v
        k, v = cache[:, :, :, :end]
        return self.joined(F.scaled_dot_product_attention(
            q, k, v, is_causal=seen == 0, enable_gqa=q.shape[1] != k.shape[1]))


# --- encoders --------------------------------------------------------------------------------------


class EncoderLayer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.add_module("self", SelfAttention(shape, True))
        self.feed_forward = FeedForward(shape, F.gelu, True)
        self.norm1 = nn.LayerNorm(shape.width, ENCODER_EPS)
        self.norm2 = nn.LayerNorm(shape.width, ENCODER_EPS)

    def forward(self, x, mask):
        x = self.norm1(x + getattr(self, "self")(x, mask))
        return self.norm2(x + self.feed_forward(x))


class Encoder(nn.ModuleDict):
    def __init__(self, shape):
        super().__init__({str(i): EncoderLayer(shape) for i in range(shape.layers)})
        self["tokens"] = nn.Embedding(shape.vocabulary, shape.width)
        self["places"] = nn.Embedding(shape.places, shape.width)
        self["kinds"] = nn.Embedding(2, shape.width)
        self["norm"] = nn.LayerNorm(shape.width, ENCODER_EPS)
        self.layers = shape.layers

    def forward(self, ids, mask):
        x = self["tokens"](ids) + self["places"].weight[:ids.shape[1]] + self["kinds"].weight[0]
        x = self["norm"](x)  # (B, T, E)
        for i in range(self.layers):
            x = self[str(i)](x, mask)
        return x


def loaded(kind, name, shape):
    """Without drawing weights first."""
    with torch.device("meta"):
        model = kind(shape)
    weights = safetensors.torch.load_file(files() / f"{name}.safetensors")
    if "encoder.tokens.weight" in weights and shape.places:
        weights["out.weight"] = weights["encoder.tokens.weight"]
    model.load_state_dict(weights, assign=True)
    return model.eval().requires_grad_(False)


def padded(batch):
    return nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in batch], batch_first=True)


def by_length(every, size):
    """Batches of texts of like lengths: less padding."""
    every = sorted(every, key=len)
    return [every[i:i + size] for i in range(0, len(every), size)]


def encoding(name, lengths, best_of, size=None):
    """All in one batch, or in batches of `size` of like lengths."""
    shape = ENCODERS[name]
    model = loaded(Encoder, name, shape)
    every = texts(lengths, shape.vocabulary)

    def with_batches(batches):
        inputs = [(padded(batch), padding_mask([len(ids) for ids in batch])) for batch in batches]

        def run_with(module):
            with torch.inference_mode():
                return [module(ids, mask) for ids, mask in inputs]

        return run_with

    whole = with_batches([every])
    part = best_of(model, {f"batches of {size} by length": with_batches(by_length(every, size))}
                   if size else {"one batch": whole})
    part.values = [row[0].item() for text, length in zip(whole(model)[0], lengths)
                   for row in text[:length]]
    return [part]


# --- language models -------------------------------------------------------------------------------


def turns(shape):
    """(2, places, D / 2): cosines and sines."""
    angles = torch.arange(PROMPT + WRITTEN)[:, None] * 10000.0**(
        -torch.arange(0, shape.head, 2) / shape.head)
    return torch.stack([angles.cos(), angles.sin()])


def rotated(x, turned):
    a, b = x.chunk(2, -1)
    cos, sin = turned
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class WriterLayer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        bias = shape.places > 0
        self.add_module("self", SelfAttention(shape, bias))
        gelu = nn.GELU(approximate="tanh")
        self.feed_forward = FeedForward(shape, gelu if bias else F.silu, bias)
        norm = nn.LayerNorm if bias else nn.RMSNorm
        self.norm1, self.norm2 = norm(shape.width, WRITER_EPS), norm(shape.width, WRITER_EPS)

    def forward(self, x, cache, seen, turned):
        x = x + getattr(self, "self").step(self.norm1(x), cache, seen, turned)
        return x + self.feed_forward(self.norm2(x))


class Writer(nn.Module):
    def __init__(self, shape):
        super().__init__()
        self.shape = shape
        self.encoder = nn.ModuleDict({str(i): WriterLayer(shape) for i in range(shape.layers)})
        self.encoder["tokens"] = nn.Embedding(shape.vocabulary, shape.width)
        if shape.places:
            self.encoder["places"] = nn.Embedding(shape.places, shape.width)
        norm = nn.LayerNorm if shape.places else nn.RMSNorm
        self.encoder["last"] = norm(shape.width, WRITER_EPS)
        self.out = nn.Linear(shape.width, shape.vocabulary)

    def forward(self, ids, caches, seen, turned):
        """The logits after the last of ids (1, T), which follow `seen` others."""
        end = seen + ids.shape[1]
        x = self.encoder["tokens"](ids)
        if turned is None:
            x = x + self.encoder["places"].weight[seen:end]
        else:
            turned = turned[:, seen:end]
        for i in range(self.shape.layers):
            x = self.encoder[str(i)](x, caches[i], seen, turned)
        return self.out(self.encoder["last"](x[:, -1]))


@torch.inference_mode()
def written(model, name, count):
    shape = model.shape
    heads = shape.kv_heads or shape.heads
    caches = [torch.empty(2, 1, heads, PROMPT + WRITTEN, shape.head) for _ in range(shape.layers)]
    turned = None if shape.places else turns(shape)
    next_, seen, ids = torch.tensor([prompt(name)]), 0, []
    while len(ids) < count:
        logits = model(next_, caches, seen, turned)
        seen += next_.shape[1]
        next_ = logits.argmax(-1)[None]
        ids.append(next_.item())
    return ids


def writing(name):
    model = loaded(Writer, name, WRITERS[name])
    return [Part(lambda: written(model, name, WRITTEN), note="eager, cached",
                 answers=[written(model, name, WRITTEN)])]


# --- loading ---------------------------------------------------------------------------------------


def load_encoder(name):
    shape = ENCODERS[name]
    ids = padded(texts([128], shape.vocabulary))

    def run():
        with torch.inference_mode():
            loaded(Encoder, name, shape)(ids, None)

    return [Part(run, note="from the file to the first answer")]


def load_writer(name):
    return [Part(lambda: written(loaded(Writer, name, WRITERS[name]), name, 1),
                 note="from the file to the first answer")]


def memory_of(make):
    begin_growth()
    return make()


def workloads(best_of, real_lengths):
    """best_of(module, {note: run_with}) gives the fastest Part, eager or compiled."""
    eager = lambda module, ways: Part(lambda: ways["one batch"](module), note="eager")
    all_ = {}
    for name in ENCODERS:
        one, many = [128], real_lengths(32)
        all_ |= {
            f"{name}-1x128": lambda n=name, l=one: encoding(n, l, best_of),
            f"{name}-32": lambda n=name, l=many: encoding(n, l, best_of),
            f"{name}-32-sorted": lambda n=name, l=many: encoding(n, l, best_of, 8),
            f"{name}-load": lambda n=name: load_encoder(n),
            f"{name}-memory": lambda n=name, l=one: memory_of(lambda: encoding(n, l, eager)),
        }
    for name in WRITERS:
        all_ |= {
            f"{name}-generate": lambda n=name: writing(n),
            f"{name}-load": lambda n=name: load_writer(n),
            f"{name}-memory": lambda n=name: memory_of(lambda: writing(n)),
        }
    return all_
