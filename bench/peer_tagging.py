"""PyTorch's side of training a tagger, as its users write it: nn.LSTM over packed sequences,
nn.Conv1d over the letters of each word, and a conditional random field over the batch step by step,
as pytorch-crf has it.

Letters: B texts, T words of the longest, L letters of the longest word, C tags.
"""

import os

import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence, pad_sequence

from peer_translate import bucketed
from protocol import Part
from sentences import files

TAGS, VOCABULARY, LETTERS = 17, 21100, 100
QUICK = "FOVEA_BENCH_QUICK" in os.environ
QUICK_TEXTS = 2000  # as in tagging.cc


class Field(nn.Module):
    """The negative log-likelihood of tags, summed over the texts."""

    def __init__(self, tags):
        super().__init__()
        self.transitions = nn.Parameter(torch.zeros(tags, tags))
        self.begin, self.end = nn.Parameter(torch.zeros(tags)), nn.Parameter(torch.zeros(tags))

    def score(self, emissions, tags, mask):
        rows = torch.arange(tags.shape[0])
        each = emissions.gather(2, tags[..., None]).squeeze(2) * mask
        pairs = self.transitions[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]
        last = tags[rows, mask.sum(1).long() - 1]
        return self.begin[tags[:, 0]] + each.sum(1) + pairs.sum(1) + self.end[last]

    def forward(self, emissions, tags, mask):
        alpha = self.begin + emissions[:, 0]  # (B, C)
        for t in range(1, emissions.shape[1]):
            later = torch.logsumexp(alpha[:, :, None] + self.transitions + emissions[:, t, None], 1)
            alpha = torch.where(mask[:, t, None], later, alpha)
        return (torch.logsumexp(alpha + self.end, 1) - self.score(emissions, tags, mask)).sum()


class Tagger(nn.Module):
    def __init__(self, width=100, hidden=128, letter_width=32, filters=64, dropout=0.5):
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, width)
        self.letters = nn.Embedding(LETTERS + 1, letter_width, padding_idx=LETTERS)
        self.filters = nn.Conv1d(letter_width, filters, 3, padding=1)
        self.lstm = nn.LSTM(width + filters, hidden, bidirectional=True, batch_first=True)
        self.out = nn.Linear(2 * hidden, TAGS)
        self.field = Field(TAGS)
        self.dropout = nn.Dropout(dropout)

    def forward(self, words, letters, tags, lengths):
        spelled = self.filters(self.letters(letters).transpose(1, 2)).amax(2).tanh()  # (words, F)
        parts = pad_sequence(spelled.split(lengths.tolist()), batch_first=True)  # (B, T, F)
        x = self.dropout(torch.cat([self.words(words), parts], -1))
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        h, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True)  # (B, T, 2H)
        mask = torch.arange(words.shape[1]) < lengths[:, None]
        return self.field(self.out(self.dropout(h)), tags, mask) / lengths.sum()


def read_texts():
    """Of each text: words, tags, and the letters of each word."""
    texts = []
    with open(files() / "conll2003.ids") as lines:
        for line in lines:
            words = [[int(n) for n in word.split(",")] for word in line.split()]
            texts.append((torch.tensor([word[0] for word in words]),
                          torch.tensor([word[1] for word in words]),
                          [torch.tensor(word[2:]) for word in words]))
            if QUICK and len(texts) == QUICK_TEXTS:
                break
    return texts


def step(model, adam, batch):
    words, tags, letters = zip(*batch)
    lengths = torch.tensor([len(text) for text in words])
    spelled = pad_sequence([word for text in letters for word in text], batch_first=True,
                           padding_value=LETTERS)
    adam.zero_grad(set_to_none=True)
    model(pad_sequence(words, batch_first=True), spelled, pad_sequence(tags, batch_first=True),
          lengths).backward()
    adam.step()


def epoch():
    texts = read_texts()
    model = Tagger()
    adam = torch.optim.Adam(model.parameters(), fused=True)

    def run():
        for batch in bucketed(texts, rows=2 * 384):  # which counts words and tags
            step(model, adam, batch)

    return [Part(run, note="eager, batches of like length", cold=True)]


WORKLOADS = {"bilstm-crf-epoch": epoch}
