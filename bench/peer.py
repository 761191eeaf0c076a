#!/usr/bin/env python3
"""PyTorch's side of the benchmark: the twin of each workload of fovea_bench, as fast as PyTorch does
it on a CPU. `peer.py --weights` draws the weights of the base model that is decoded.

Letters: B sequences, T their length (the longest if unequal), H heads, D columns of a head, E width.
"""

import os
import sys

import torch
import torch.nn.functional as F
from torch import nn

import peer_decode
import peer_infer
import peer_language
import peer_recurrent
import peer_tagging
import peer_translate
from precision import ENDING
from protocol import THREADS, Part, begin_growth, seconds_of, serve
from sentences import real_lengths

TRY_COMPILE = os.environ.get("FOVEA_BENCH_COMPILE", "1") == "1"


def fastest(choices):
    """The fastest of {note: run}, tried in turns."""
    best = {}
    for _ in range(3):
        for note, run in choices.items():
            best[note] = min(best.get(note, float("inf")), seconds_of(run, 2))
    note = min(best, key=best.get)
    others = ", ".join(f"{n} {best[n] * 1e3:.1f} ms" for n in best if n != note)
    return Part(choices[note], note=note + (f" ({others})" if others else ""))


def eager_or_compiled(module, ways):
    """Each of {note: run_with}, or only one, as run_with(module) and with the module through
    torch.compile, where that works; the fastest."""
    if callable(ways):
        ways = {"": ways}
    choices = {}
    for note, run_with in ways.items():
        after = f", {note}" if note else ""
        choices["eager" + after] = lambda f=run_with: f(module)
        if not TRY_COMPILE:
            continue
        # Dropout as eager does it: the compiler's own generator is slower on a CPU.
        quick = torch.compile(module, options={"fallback_random": True})
        try:
            run_with(quick)
            choices["compiled" + after] = lambda f=run_with, m=quick: f(m)
        except Exception as error:  # whatever a compiler that is not there may raise
            print(f"torch.compile: {str(error).splitlines()[0]}", file=sys.stderr)
    return fastest(choices)


# --- the stack of encoder layers -------------------------------------------------------------------


class EncoderLayer(nn.Module):
    """nn.TransformerEncoderLayer (ReLU, norm after), with q, k and v from one product and SDPA."""

    def __init__(self, width, heads, inner, dropout):
        super().__init__()
        self.heads, self.dropout = heads, dropout
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)

    def drop(self, x):
        return F.dropout(x, self.dropout, self.training)

    def attention(self, x, mask):
        B, T, E = x.shape
        q, k, v = self.qkv(x).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        drop = self.dropout if self.training else 0.0
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=drop)  # (B, H, T, D)
        return self.out(y.transpose(1, 2).reshape(B, T, E))

    def forward(self, x, mask=None):
        x = self.norm1(x + self.drop(self.attention(x, mask)))
        return self.norm2(x + self.drop(self.down(self.drop(F.relu(self.up(x))))))


class Stack(nn.Module):
    def __init__(self, width, heads, inner, layers=6, dropout=0.1):
        super().__init__()
        self.layers = nn.ModuleList(
            EncoderLayer(width, heads, inner, dropout) for _ in range(layers))

    def forward(self, x, mask=None):
        for layer in self.layers:
            x = layer(x, mask)
        return x


def padding_mask(lengths):
    """(B, 1, 1, T), true where there is a token; none if all lengths are the same."""
    if len(set(lengths)) == 1:
        return None
    places = torch.arange(max(lengths))
    return (places < torch.tensor(lengths)[:, None])[:, None, None, :]


def stack_step(stack, lengths, width):
    """One step of training: forward, backward, Adam. Gradients of padding are zero."""
    B, T = len(lengths), max(lengths)
    mask = padding_mask(lengths)
    x = torch.randn(B, T, width)
    dy = torch.randn(B, T, width) * 1e-3
    if mask is not None:
        dy = dy * mask.view(B, T, 1)
    adam = torch.optim.Adam(stack.parameters(), lr=1e-4, betas=(0.9, 0.98), eps=1e-9, fused=True)

    def step(module):
        adam.zero_grad(set_to_none=True)
        module(x, mask).backward(dy)
        adam.step()

    return step


def stack_training(width, heads, inner, lengths):
    stack = Stack(width, heads, inner)
    return [eager_or_compiled(stack, stack_step(stack, lengths, width))]


def stack_memory():
    """Not compiled: what the compiler itself takes would be counted too."""
    tiny = Stack(64, 4, 128)
    stack_step(tiny, [8] * 4, 64)(tiny)
    begin_growth()
    stack = Stack(512, 8, 2048)
    step = stack_step(stack, [32] * 32, 512)
    return [Part(lambda: step(stack), note="eager")]


# --- attention alone -------------------------------------------------------------------------------


def attention(length, causal):
    """Forward and backward of 8 heads of 64. Inputs as SDPA likes them best: (B, H, T, D)."""
    B = max(1, 1024 // length)
    q, k, v = (torch.randn(B, 8, length, 64, requires_grad=True) for _ in range(3))
    dy = torch.randn(B, 8, length, 64)

    def run():
        y = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        torch.autograd.grad(y, (q, k, v), dy)

    return [Part(run, note="SDPA")]


def attention_memory():
    attention(128, False)[0].run()
    begin_growth()
    return attention(8192, False)


# --- weights that are looked at --------------------------------------------------------------------


class SeenLayer(nn.Module):
    """As users write it who want the weights: nn.MultiheadAttention(need_weights=True)."""

    def __init__(self, width, heads, inner):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.up = nn.Linear(width, inner)
        self.down = nn.Linear(inner, width)
        self.norm1 = nn.LayerNorm(width)
        self.norm2 = nn.LayerNorm(width)

    def forward(self, x):
        y, weights = self.attention(x, x, x, need_weights=True, average_attn_weights=False)
        x = self.norm1(x + y)
        return self.norm2(x + self.down(F.relu(self.up(x)))), weights


class SeenStack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(SeenLayer(512, 8, 2048) for _ in range(6))

    def forward(self, x):
        seen = []
        for layer in self.layers:
            x, weights = layer(x)
            seen.append(weights)
        return x, seen


def no_gradient(module, x):
    def run_with(module):
        with torch.inference_mode():
            module(x)

    return [eager_or_compiled(module.eval(), run_with)]


def capture_all():
    return no_gradient(SeenStack(), torch.randn(2, 512, 512))


def forward():
    return no_gradient(Stack(512, 8, 2048), torch.randn(2, 512, 512))


# --- the rest --------------------------------------------------------------------------------------


def lstm():
    """Packed or padded, whichever is faster."""
    lengths = real_lengths(64)
    layer = nn.LSTM(256, 256, batch_first=True)
    x = torch.randn(64, max(lengths), 256, requires_grad=True)
    mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None])[:, :, None]
    dy = torch.randn(64, max(lengths), 256) * mask
    wanted = [x, *layer.parameters()]
    packed_dy = nn.utils.rnn.pack_padded_sequence(
        dy, torch.tensor(lengths), batch_first=True, enforce_sorted=False).data

    def padded():
        torch.autograd.grad(layer(x)[0], wanted, dy)

    def packed():
        rows = nn.utils.rnn.pack_padded_sequence(
            x, torch.tensor(lengths), batch_first=True, enforce_sorted=False)
        torch.autograd.grad(layer(rows)[0].data, wanted, packed_dy)

    return [fastest({"padded": padded, "packed": packed})]


def gemm():
    """The products of a linear layer at 1,024 rows: forward, gradient of x, gradient of the weight.
    The shapes are those of gemm.cc."""
    parts = []
    for inputs, outputs in [(512, 1536), (512, 512), (512, 2048), (2048, 512)]:
        x, dy = torch.randn(1024, inputs), torch.randn(1024, outputs)
        weight = torch.randn(outputs, inputs)
        flops = 2 * 1024 * inputs * outputs
        kinds = {
            "forward": lambda x=x, w=weight: F.linear(x, w),
            "dx": lambda dy=dy, w=weight: dy @ w,
            "dw": lambda dy=dy, x=x: dy.t() @ x,
        }
        parts += [Part(run, f"gemm-{inputs}-{outputs}-{kind}", flops) for kind, run in kinds.items()]
    return parts


EQUAL = [32] * 32
REAL = real_lengths(32)

# Those that know of forward_pass().
IN_BFLOAT16 = peer_translate.workloads(eager_or_compiled) | peer_recurrent.workloads(
    eager_or_compiled) | peer_language.workloads(eager_or_compiled) | peer_decode.WORKLOADS
WORKLOADS = {
    "gemm": gemm,
    "stack512-equal": lambda: stack_training(512, 8, 2048, EQUAL),
    "stack512-real": lambda: stack_training(512, 8, 2048, REAL),
    "stack128-equal": lambda: stack_training(128, 4, 256, EQUAL),
    "stack128-real": lambda: stack_training(128, 4, 256, REAL),
    "stack512-memory": stack_memory,
    "attention-8192-memory": attention_memory,
    "forward": forward,
    "capture-all": capture_all,
    "lstm": lstm,
} | IN_BFLOAT16 | {name + ENDING: make for name, make in IN_BFLOAT16.items()} | \
    peer_tagging.WORKLOADS | peer_infer.workloads(eager_or_compiled, real_lengths)
for _length in (128, 512, 2048, 8192):
    for _causal in (False, True):
        _name = f"attention-{_length}" + ("-causal" if _causal else "")
        WORKLOADS[_name] = lambda n=_length, c=_causal: attention(n, c)


if __name__ == "__main__":
    torch.set_num_threads(THREADS)
    torch.manual_seed(1)
    if sys.argv[1] == "--weights":
        peer_decode.write_weights()
    else:
        serve(WORKLOADS)
