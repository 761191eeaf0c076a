"""PyTorch's side of training language models, written as nanoGPT writes GPT-2: learned positions, norm
before each half of a layer, SDPA, one table for tokens and the last layer, AdamW with decay of
matrices only.

Letters: B texts, T their length, E width.
"""

import math
import os

import torch
import torch.nn.functional as F
from torch import nn

from precision import forward_pass
from protocol import Part
from sentences import files

STEPS = 20 if "FOVEA_BENCH_QUICK" in os.environ else 250  # as in language.cc


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def attention(self, x):
        B, T, E = x.shape
        q, k, v = (part.view(B, T, self.heads, -1).transpose(1, 2)
                   for part in self.qkv(x).split(E, dim=2))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).contiguous().view(B, T, E))

    def forward(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.down(F.gelu(self.up(self.norm2(x))))


class Gpt2(nn.Module):
    def __init__(self, layers, width, vocabulary, context):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(context, width)
        self.layers = nn.ModuleList(Layer(width, layers) for _ in range(layers))
        self.norm = nn.LayerNorm(width)
        self.last = nn.Linear(width, vocabulary, bias=False)
        self.last.weight = self.tokens.weight
        for name, p in self.named_parameters():
            if p.dim() > 1:
                halves = name.endswith(("out.weight", "down.weight"))
                nn.init.normal_(p, 0, 0.02 / math.sqrt(2 * layers) if halves else 0.02)

    def forward(self, ids, following):
        x = self.tokens(ids) + self.places(torch.arange(ids.shape[1]))  # (B, T, E)
        for layer in self.layers:
            x = layer(x)
        logits = self.last(self.norm(x))
        return F.cross_entropy(logits.view(-1, logits.shape[-1]), following.reshape(-1))


def adamw_of(model):
    groups = [{"params": [p for p in model.parameters() if p.dim() > 1], "weight_decay": 0.1},
              {"params": [p for p in model.parameters() if p.dim() < 2], "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=1e-3, betas=(0.9, 0.99), fused=True)


def train_step(module, model, adam, ids, following):
    with forward_pass():
        loss = module(ids, following)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    adam.step()
    adam.zero_grad(set_to_none=True)


def gpt2_step(faster):
    model = Gpt2(12, 768, 50257, 1024)
    adam = adamw_of(model)
    text = 7919 * torch.arange(4 * 64 + 1) % 50257
    ids, following = text[:-1].view(4, 64), text[1:].view(4, 64)
    return [faster(model, lambda module: train_step(module, model, adam, ids, following))]


def rate_of(step, rate=1e-3, lowest=1e-4, warmup=100):
    if step < warmup:
        return rate * step / warmup
    part = (step - warmup) / max(1, STEPS - warmup)
    return lowest + 0.5 * (1 + math.cos(math.pi * part)) * (rate - lowest)


def learn_shakespeare(context=64, sequences=12):
    with open(files() / "shakespeare.ids") as lines:
        text = torch.tensor([int(line) for line in lines])
    model = Gpt2(4, 128, int(text.max()) + 1, context)
    adam = adamw_of(model)
    for step in range(1, STEPS + 1):
        for group in adam.param_groups:
            group["lr"] = rate_of(step)
        begins = torch.randint(len(text) - context, (sequences,))
        ids = torch.stack([text[i:i + context] for i in begins])
        following = torch.stack([text[i + 1:i + 1 + context] for i in begins])
        train_step(model, model, adam, ids, following)


def workloads(faster):
    return {
        "gpt2-step": lambda: gpt2_step(faster),
        "shakespeare-train": lambda: [Part(learn_shakespeare, note="eager", cold=True)],
    }
