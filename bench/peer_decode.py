"""PyTorch's side of decoding: the base Transformer with keys and values in caches, those of the
source computed once, as someone writes it who cares about speed. Also draws the weights that all
sides read; parameters have Fovea's names.

Letters: B sentences, K hypotheses of each, S rows of the longest source, T steps, H heads, D columns
of a head, E width, V vocabulary.
"""

import math

import safetensors.torch
import torch
import torch.nn.functional as F
from torch import nn

from peer_translate import sinusoids
from precision import forward_pass
from protocol import Part
from sentences import BEGIN, END, VOCABULARY, WRITTEN, batches, files

WIDTH, HEADS, INNER, LAYERS = 512, 8, 2048, 6


def heads_of(x):
    """(B, N, E) as (B, H, N, D)."""
    return x.view(*x.shape[:2], HEADS, -1).transpose(1, 2)


def joined(x):
    return x.transpose(1, 2).flatten(2)


class FeedForward(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear1 = nn.Linear(WIDTH, INNER)
        self.linear2 = nn.Linear(INNER, WIDTH)

    def forward(self, x):
        return self.linear2(F.relu(self.linear1(x)))


class SelfAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, x, mask):
        q, k, v = map(heads_of, self.qkv(x).chunk(3, -1))
        return self.out(joined(F.scaled_dot_product_attention(q, k, v, attn_mask=mask)))

    def step(self, x, cache, t):
        """x (B K, 1, E); cache (2, B K, H, T, D)."""
        q, k, v = map(heads_of, self.qkv(x).chunk(3, -1))
        cache[0, :, :, t:t + 1] = k
        cache[1, :, :, t:t + 1] = v
        k, v = cache[:, :, :, :t + 1]
        return self.out(joined(F.scaled_dot_product_attention(q, k, v)))


class CrossAttention(nn.Module):
    def __init__(self):
        super().__init__()
        self.query = nn.Linear(WIDTH, WIDTH)
        self.memory = nn.Linear(WIDTH, 2 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def keys(self, memory):
        return [heads_of(part).contiguous() for part in self.memory(memory).chunk(2, -1)]

    def forward(self, x, keys, mask):
        """The hypotheses of a sentence are rows of one query: x (B, K, E)."""
        q = heads_of(self.query(x))
        return self.out(joined(F.scaled_dot_product_attention(q, *keys, attn_mask=mask)))


class EncoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("self", SelfAttention())
        self.feed_forward = FeedForward()
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)

    def forward(self, x, mask):
        x = self.norm1(x + getattr(self, "self")(x, mask))
        return self.norm2(x + self.feed_forward(x))


class DecoderLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.add_module("self", SelfAttention())
        self.cross = CrossAttention()
        self.feed_forward = FeedForward()
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(WIDTH) for _ in range(3))

    def step(self, x, cache, t, keys, mask):
        x = self.norm1(x + getattr(self, "self").step(x, cache, t))
        looked = self.cross(x.view(len(mask), -1, WIDTH), keys, mask)
        x = self.norm2(x + looked.view(x.shape))
        return self.norm3(x + self.feed_forward(x))


class Stack(nn.ModuleDict):
    def __init__(self, kind):
        super().__init__({str(i): kind() for i in range(LAYERS)})


class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Stack(EncoderLayer), Stack(DecoderLayer)
        self.encoder["tokens"] = nn.Embedding(VOCABULARY, WIDTH)
        self.decoder["out"] = nn.Linear(WIDTH, VOCABULARY)
        self.decoder["out"].weight = self.encoder["tokens"].weight
        self.places = sinusoids(256, WIDTH)

    def embed(self, ids, first=0):
        places = self.places[first:first + ids.shape[1]]
        return self.encoder["tokens"](ids) * math.sqrt(WIDTH) + places

    def encode(self, sources):
        """Keys and values of each decoder layer, and the mask of the source: (B, 1, 1, S)."""
        mask = (sources != 0)[:, None, None, :]
        x = self.embed(sources)
        for i in range(LAYERS):
            x = self.encoder[str(i)](x, mask)
        return [self.decoder[str(i)].cross.keys(x) for i in range(LAYERS)], mask

    def step(self, last, t, caches, keys, mask):
        """Logits (B K, V) after the last tokens (B K)."""
        x = self.embed(last[:, None], t)
        for i in range(LAYERS):
            x = self.decoder[str(i)].step(x, caches[i], t, keys[i], mask)
        logits = self.decoder["out"](x[:, 0])
        logits[:, END] = -math.inf
        return logits


def new_caches(rows):
    return [torch.empty(2, rows, HEADS, WRITTEN, WIDTH // HEADS) for _ in range(LAYERS)]


def greedy(model, sources):
    keys, mask = model.encode(sources)
    caches = new_caches(len(sources))
    written = [torch.full((len(sources),), BEGIN)]
    for t in range(WRITTEN):
        written.append(model.step(written[-1], t, caches, keys, mask).argmax(-1))
    return torch.stack(written[1:], 1).tolist()


def beam(model, sources, width):
    """All hypotheses have the same length, so the likeliest is the best."""
    B = len(sources)
    keys, mask = model.encode(sources)
    caches = new_caches(B)
    last = torch.full((B,), BEGIN)
    written = torch.empty(B, 1, 0, dtype=torch.int64)  # (B, K, t)
    scores = torch.zeros(B, 1)
    for t in range(WRITTEN):
        logs = torch.log_softmax(model.step(last, t, caches, keys, mask), -1)
        every = (scores[:, :, None] + logs.view(B, -1, VOCABULARY)).flatten(1)  # (B, K V)
        scores, best = every.topk(width, -1)
        parent, token = best // VOCABULARY, best % VOCABULARY  # (B, width)
        written = torch.cat([written.take_along_dim(parent[:, :, None], 1), token[:, :, None]], -1)
        last = token.flatten()
        rows = (torch.arange(B)[:, None] * (every.shape[1] // VOCABULARY) + parent).flatten()
        if t + 1 < WRITTEN:
            caches = [reordered(cache, rows, t + 1) for cache in caches]
    return written[:, 0].tolist()


def reordered(cache, rows, seen):
    """Only what was seen is copied."""
    new = torch.empty(2, len(rows), *cache.shape[2:])
    new[:, :, :, :seen] = cache[:, rows, :, :seen]
    return new


def write_weights():
    """Scales of random signs in the norms, or the model would say one token over and over: what
    comes out is what went in where the table is that of the last layer too."""
    torch.manual_seed(1)
    model = Base()
    with torch.no_grad():
        for name, p in model.named_parameters():
            if name.endswith("tokens.weight"):
                p.normal_(0, WIDTH**-0.5)
            elif name.endswith("bias"):
                p.normal_(0, 0.02)
            elif "norm" in name:
                p.normal_()
            else:
                nn.init.xavier_uniform_(p, 0.7)
    weights = {k: v for k, v in model.state_dict().items() if k != "decoder.out.weight"}
    safetensors.torch.save_file(weights, files() / "base.safetensors")


def decoding(search):
    model = Base().eval()
    weights = safetensors.torch.load_file(files() / "base.safetensors")
    model.load_state_dict(weights | {"decoder.out.weight": weights["encoder.tokens.weight"]})
    padded = [nn.utils.rnn.pad_sequence([torch.tensor(ids) for ids in batch], batch_first=True)
              for batch in batches()]

    @torch.inference_mode()
    def run():
        with forward_pass():
            return [ids for sources in padded for ids in search(model, sources)]

    return [Part(run, note="eager, cached", answers=run())]


WORKLOADS = {
    "decode-greedy": lambda: decoding(greedy),
    "decode-beam4": lambda: decoding(lambda model, sources: beam(model, sources, 4)),
}
