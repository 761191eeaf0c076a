"""PyTorch's side of training Bahdanau's translator, as its users write it: nn.GRU over padded
sources, and a loop over the rows of the targets.

Letters: B pairs, S rows of the longest source, H hidden units.
"""

import torch
import torch.nn.functional as F
from torch import nn

from peer_translate import PAD, adam_of, lengths_within, some_ids, train_step


class Attention(nn.Module):
    """v' tanh(W s + U h); the keys U h are computed once for all steps."""

    def __init__(self, query, key, hidden):
        super().__init__()
        self.query = nn.Linear(query, hidden)
        self.key = nn.Linear(key, hidden, bias=False)
        self.out = nn.Linear(hidden, 1, bias=False)

    def forward(self, state, keys, memory, unseen):
        e = self.out(torch.tanh(self.query(state)[:, None] + keys)).squeeze(-1)  # (B, S)
        weights = F.softmax(e.masked_fill(unseen, float("-inf")), -1)
        return torch.bmm(weights[:, None], memory).squeeze(1)  # (B, 2H)


class Bahdanau(nn.Module):
    def __init__(self, vocabulary, width, hidden, dropout):
        super().__init__()
        self.sources, self.targets = (nn.Embedding(vocabulary, width) for _ in range(2))
        self.encoder = nn.GRU(width, hidden, bidirectional=True, batch_first=True)
        self.bridge = nn.Linear(2 * hidden, hidden)
        self.attention = Attention(hidden, 2 * hidden, hidden)
        self.cell = nn.GRUCell(width + 2 * hidden, hidden)
        self.join = nn.Linear(3 * hidden + width, width)
        self.out = nn.Linear(width, vocabulary)
        self.out.weight = self.targets.weight
        self.dropout = nn.Dropout(dropout)

    def forward(self, sources, targets):
        unseen = sources == PAD
        lengths = (~unseen).sum(1)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(self.sources(sources)), lengths, batch_first=True, enforce_sorted=False)
        rows, last = self.encoder(packed)
        memory, _ = nn.utils.rnn.pad_packed_sequence(rows, batch_first=True)  # (B, S, 2H)
        state = torch.tanh(self.bridge(torch.cat([last[0], last[1]], -1)))
        keys = self.attention.key(memory)
        x = self.dropout(self.targets(targets))
        joined = []
        for t in range(targets.shape[1]):
            context = self.attention(state, keys, memory, unseen)
            state = self.cell(torch.cat([x[:, t], context], -1), state)
            joined.append(torch.cat([state, context, x[:, t]], -1))
        h = torch.tanh(self.join(torch.stack(joined, 1)))
        return self.out(self.dropout(h))  # (B, T, V)


def bahdanau_step(faster):
    vocabulary = 6000
    model = Bahdanau(vocabulary, 256, 256, 0.2)
    lengths = lengths_within(2048)
    sources = some_ids([s for s, _ in lengths], vocabulary)
    targets = some_ids([t for _, t in lengths], vocabulary)
    adam = adam_of(model)
    return [faster(model, lambda module: train_step(module, adam, sources, targets, targets))]


def workloads(faster):
    return {"bahdanau-step": lambda: bahdanau_step(faster)}
