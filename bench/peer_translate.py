"""PyTorch's side of training translators: nn.Transformer's stacks as their users write them, with
padding and masks.

Letters: B pairs, S and T the rows of the longest source and target.
"""

import math
import os

import torch
import torch.nn.functional as F
from torch import nn

from precision import forward_pass
from protocol import Part, begin_growth
from sentences import BEGIN, END, LENGTHS, files

PAD = 0
QUICK = "FOVEA_BENCH_QUICK" in os.environ
QUICK_PAIRS = 2000  # as in epoch.cc


def sinusoids(longest, width):
    angles = torch.arange(longest)[:, None] / 10000 ** (torch.arange(0, width, 2) / width)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(1)


class Translator(nn.Module):
    """Vaswani et al. 2017, with one table for sources, targets and the last layer."""

    def __init__(self, vocabulary, width, heads, inner, layers, dropout):
        super().__init__()
        layer = dict(d_model=width, nhead=heads, dim_feedforward=inner, dropout=dropout,
                     batch_first=True)
        self.width = width
        self.table = nn.Embedding(vocabulary, width)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(**layer), layers)
        self.decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(**layer), layers)
        self.out = nn.Linear(width, vocabulary)
        self.out.weight = self.table.weight
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("places", sinusoids(256, width), persistent=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.xavier_uniform_(p)

    def embed(self, ids):
        return self.dropout(self.table(ids) * math.sqrt(self.width) + self.places[:ids.shape[1]])

    def forward(self, sources, targets):
        unseen = sources == PAD  # (B, S)
        later = torch.triu(torch.ones(targets.shape[1], targets.shape[1], dtype=torch.bool), 1)
        memory = self.encoder(self.embed(sources), src_key_padding_mask=unseen)
        h = self.decoder(self.embed(targets), memory, tgt_mask=later, tgt_is_causal=True,
                         tgt_key_padding_mask=targets == PAD, memory_key_padding_mask=unseen)
        return self.out(h)  # (B, T, V)


def base(vocabulary=8000):
    return Translator(vocabulary, 512, 8, 2048, 6, 0.1)


def tiny(vocabulary=6000):
    return Translator(vocabulary, 128, 4, 256, 4, 0.3)


def adam_of(model):
    return torch.optim.Adam(model.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)


def train_step(model, adam, sources, targets, wanted):
    adam.zero_grad(set_to_none=True)
    with forward_pass():
        logits = model(sources, targets)
        loss = F.cross_entropy(logits.flatten(0, 1), wanted.flatten(), label_smoothing=0.1,
                               ignore_index=PAD)
    loss.backward()
    adam.step()


def some_ids(lengths, vocabulary):
    """(B, longest), padded."""
    rows = [torch.randint(3, vocabulary, (length,)) for length in lengths]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD)


def lengths_within(rows):
    """The 32 pairs over and over, as many as have at most so many rows: the list of translate.cc."""
    chosen = []
    while rows >= sum(LENGTHS[len(chosen) % 32]):
        chosen.append(LENGTHS[len(chosen) % 32])
        rows -= sum(chosen[-1])
    return chosen


def step_of(model, rows):
    """step(module), where `module` is the model as it is or compiled."""
    vocabulary = model.table.num_embeddings
    lengths = lengths_within(rows)
    sources = some_ids([s for s, _ in lengths], vocabulary)
    targets = some_ids([t for _, t in lengths], vocabulary)
    adam = adam_of(model)
    return lambda module: train_step(module, adam, sources, targets, targets)


ONCE = 939  # rows of the 32 pairs


def training(make, rows, faster):
    """`faster` chooses between eager and compiled."""
    model = make()
    return [faster(model, step_of(model, rows))]


def memory(make, rows):
    """Not compiled: what the compiler itself takes would be counted too."""
    small = Translator(100, 128, 4, 256, 1, 0.3)
    step_of(small, 100)(small)
    begin_growth()
    model = make()
    step = step_of(model, rows)
    return [Part(lambda: step(model), note="eager")]


def read_ids():
    """Pairs of multi30k.ids, with end and beginning: what encoder and decoder read, what to write."""
    examples = []
    with open(files() / "multi30k.ids") as lines:
        for line in lines:
            source, target = ([int(word) for word in side.split()] for side in line.split("\t"))
            examples.append((torch.tensor(source + [END]), torch.tensor([BEGIN] + target),
                             torch.tensor(target + [END])))
            if QUICK and len(examples) == QUICK_PAIRS:
                break
    return examples


def bucketed(examples, rows=4096, pool=64):
    """Batches of at most so many rows: shuffled, sorted by length in pools, and shuffled again."""
    order = torch.randperm(len(examples)).tolist()
    per_pool = max(1, pool * rows * len(examples) // sum(len(s) + len(t) for s, t, _ in examples))
    batches = []
    for first in range(0, len(order), per_pool):
        batch, size = [], 0
        for i in sorted(order[first:first + per_pool],
                        key=lambda i: (len(examples[i][0]), len(examples[i][1]))):
            here = len(examples[i][0]) + len(examples[i][1])
            if batch and size + here > rows:
                batches.append(batch)
                batch, size = [], 0
            batch.append(examples[i])
            size += here
        batches.append(batch)
    return [batches[i] for i in torch.randperm(len(batches)).tolist()]


def epoch():
    model = tiny()
    adam = adam_of(model)

    def run():
        for batch in bucketed(read_ids()):
            train_step(model, adam, *(nn.utils.rnn.pad_sequence(side, batch_first=True)
                                      for side in zip(*batch)))

    return [Part(run, note="eager, batches of like length", cold=True)]


def workloads(faster):
    return {
        "transformer-base-step": lambda: training(base, ONCE, faster),
        "transformer-base-memory": lambda: memory(base, ONCE),
        "transformer-tiny-step": lambda: training(tiny, 4096, faster),
        "transformer-tiny-memory": lambda: memory(tiny, 4096),
        "multi30k-epoch": epoch,
    }
