"""What `bench/run` measures: one visible list, a Row for each line of the table.

A side is (program, workload): `fovea` is fovea_bench, `torch` is peer.py,
`ctranslate2` is peer_ctranslate2.py, `onnxruntime` is peer_onnx.py, `llama.cpp` is peer_llama.mjs.
"""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    TIME = "time"  # ratio = the peer's time / ours
    RATE = "rate"  # ratio = our FLOP/s / the peer's; each side says how many FLOP it does
    MEMORY = "memory"  # ratio = our growth of resident memory / the peer's; less is better


@dataclass(frozen=True)
class Row:
    name: str
    ours: tuple
    peer: tuple
    goal: float
    kind: Kind = Kind.TIME
    also: tuple = None  # a third side, for the table only
    needs: tuple = ()  # files that are made before; run says how
    rounds: int = 99  # at most


WEIGHTS, MULTI30K = "base.safetensors", "multi30k.ids"
SHAKESPEARE, CONLL2003 = "shakespeare.ids", "conll2003.ids"


def twin(name, goal, **more):
    """Our workload against PyTorch's of the same name."""
    return Row(name, ("fovea", name), ("torch", name), goal, **more)


def rounded(name, goal, **more):
    """With products of bfloat16, where the CPU multiplies them; PyTorch by autocast, and beside it in
    floats, which its users have unless they ask and which may be the faster of both."""
    return Row(f"{name}-bfloat16", ("fovea", f"{name}-bfloat16"), ("torch", f"{name}-bfloat16"), goal,
               also=("torch", name), **more)


def in_int8(name, goal, **more):
    """With weights of int8, where the CPU multiplies them; PyTorch in floats."""
    return Row(f"{name}-int8", ("fovea", f"{name}-int8"), ("torch", name), goal, **more)


def against(program, short, name, goal, needs, ours=None, **more):
    """Our workload against the one of the same name of another program than PyTorch."""
    return Row(f"{name}-{short}", ("fovea", ours or name), (program, name), goal, needs=needs, **more)


def inferences(model, what, rival, goals):
    """What is done with a model whose weights were drawn, against PyTorch and against `rival`; with
    the time from its file to its first answer and the memory of both."""
    needs = (f"{model}.safetensors",)
    program, short = rival
    rival_needs = needs + ((f"{model}.gguf",) if program == "llama.cpp" else ())
    kinds = {**{name: (goal, Kind.TIME) for name, goal in zip(what, goals)},
             "load": (1.0, Kind.TIME), "memory": (1.0, Kind.MEMORY)}
    rows = []
    for asked, (goal, kind) in kinds.items():
        name = f"{model}-{asked}"
        ours = name.removesuffix("-sorted")  # how the peers sort is nothing to us
        rows.append(Row(name, ("fovea", ours), ("torch", name), goal, needs=needs, kind=kind))
        rows.append(against(program, short, name, goal, rival_needs, ours=ours, kind=kind))
    return rows


ORT, LLAMA = ("onnxruntime", "ort"), ("llama.cpp", "llama.cpp")


def own(name, peer, goal, **more):
    """Our workload against another of ours."""
    return Row(name, ("fovea", name), ("fovea", peer), goal, **more)


ROWS = [
    # 6 encoder layers, forward + backward + Adam, 1,024 rows: 32 sequences of 32, or of 8 to 56.
    twin("stack512-equal", goal=1.25),
    twin("stack512-real", goal=1.8),
    Row("stack512-flops", ("fovea", "stack512-equal"), ("fovea", "onednn-step"), goal=0.75,
        kind=Kind.RATE),
    twin("stack512-memory", goal=0.6, kind=Kind.MEMORY),
    twin("stack128-equal", goal=3),
    twin("stack128-real", goal=3),
    # The whole Transformer with real lengths of sentence pairs: forward, loss, backward, Adam.
    twin("transformer-base-step", goal=1.8),
    twin("transformer-base-memory", goal=0.6, kind=Kind.MEMORY),
    twin("transformer-tiny-step", goal=3),
    twin("transformer-tiny-memory", goal=0.6, kind=Kind.MEMORY),
    # Bahdanau's recurrent translator, one layer of 256 each way, in the same way.
    twin("bahdanau-step", goal=2),
    # An epoch of Multi30k with the tiny Transformer; with --quick of its first 2,000 pairs.
    twin("multi30k-epoch", goal=3, needs=(MULTI30K,), rounds=3),
    # GPT-2 small, 4 texts of 64 tokens: forward, loss, backward, clipping, AdamW.
    twin("gpt2-step", goal=1.3),
    # 250 steps of a small one on Shakespeare's characters, with all that is around them.
    twin("shakespeare-train", goal=3, needs=(SHAKESPEARE,), rounds=3),
    # An epoch of CoNLL-2003 with words, letters, an LSTM each way and a field; with --quick of its
    # first 2,000 sentences.
    twin("bilstm-crf-epoch", goal=2, needs=(CONLL2003,), rounds=3),
    # 20 tokens for each of 64 sentences, by the base model in batches of 32.
    twin("decode-greedy", goal=3, needs=(WEIGHTS,)),
    twin("decode-beam4", goal=3, needs=(WEIGHTS,)),
    against("ctranslate2", "ct2", "decode-greedy", 1.0, (WEIGHTS,)),
    against("ctranslate2", "ct2", "decode-beam4", 1.0, (WEIGHTS,)),
    rounded("transformer-base-step", goal=1.8),
    rounded("transformer-tiny-step", goal=3),
    rounded("bahdanau-step", goal=2),
    rounded("multi30k-epoch", goal=3, needs=(MULTI30K,), rounds=3),
    rounded("gpt2-step", goal=1.3),
    rounded("shakespeare-train", goal=3, needs=(SHAKESPEARE,), rounds=3),
    rounded("decode-greedy", goal=3, needs=(WEIGHTS,)),
    rounded("decode-beam4", goal=3, needs=(WEIGHTS,)),
    in_int8("decode-greedy", goal=3, needs=(WEIGHTS,)),
    in_int8("decode-beam4", goal=3, needs=(WEIGHTS,)),
    against("ctranslate2", "ct2", "decode-greedy-int8", 1.0, (WEIGHTS,)),
    against("ctranslate2", "ct2", "decode-beam4-int8", 1.0, (WEIGHTS,)),
    # Encoding 1 text of 128 tokens and 32 of 8 to 56; models of the shapes of MiniLM and BERT. The
    # peers pad 32 texts in one batch, as they are called, or sort them first into batches of 8.
    *inferences("minilm", ("1x128", "32", "32-sorted"), ORT, goals=(1.0, 1.3, 1.0)),
    *inferences("bert-base", ("1x128", "32", "32-sorted"), ORT, goals=(1.0, 1.3, 1.0)),
    # 48 tokens after 16, one text, greedy.
    *inferences("gpt2", ("generate",), LLAMA, goals=(1.0,)),
    *inferences("llama", ("generate",), LLAMA, goals=(1.0,)),
    # Attention alone, forward + backward, 8 heads of 64.
    twin("attention-128", goal=1.3),
    twin("attention-128-causal", goal=1.3),
    twin("attention-512", goal=1.3),
    twin("attention-512-causal", goal=1.3),
    twin("attention-2048", goal=1.3),
    twin("attention-2048-causal", goal=1.3),
    twin("attention-8192", goal=1.3),
    twin("attention-8192-causal", goal=1.3),
    twin("attention-8192-memory", goal=1.0, kind=Kind.MEMORY),
    # What looking costs: forward of the stack, 2 sequences of 512. Under 10% is a ratio of 0.91.
    own("capture-off", "forward", goal=0.98),
    own("capture-top8", "forward", goal=0.91),
    own("capture-received", "forward", goal=0.91),
    twin("capture-all", goal=1.0),
    twin("forward", goal=1.0),
    twin("lstm", goal=1.3),
    # The products of the stack's linear layers against oneDNN's, and beside them PyTorch's: a
    # workload of many parts is a line for each.
    Row("gemm", ("fovea", "gemm"), ("fovea", "onednn"), goal=1.0, also=("torch", "gemm")),
]
