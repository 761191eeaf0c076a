#!/usr/bin/env python3
"""Trains tiny models of every task and family and compares all bits with same_bits.json.

A change that is not meant to change results changes none of these hashes:
    model       the tensors of model.safetensors
    checkpoint  those of the last checkpoint (weights, optimizer, averages) and where the run stands
    figures     metrics.jsonl without times
    run, eval, look  what these commands print as JSON; look is null where there is no attention
A change that is meant to change results says so in its commit and runs this with --update.

Bits depend on the instruction set, which is AVX2 here, on the compiler and on libm: with others
than those that the table was made with (--built-by) the test is skipped. They do not depend on
threads. With --keep, outputs of two programs can be compared file by file.
"""
import argparse
import concurrent.futures
import contextlib
import fnmatch
import hashlib
import json
import os
import pathlib
import platform
import random
import struct
import subprocess
import sys
import tempfile

TABLE = pathlib.Path(__file__).with_suffix(".json")
INSTRUCTIONS = "AVX2"
SKIPPED = 77  # what CTest knows as skipped
SHOWN = 5  # tensors that a mismatch names


# The data: small languages, written with the same draws each time.


def write_data(folder):
    source = random.Random(5)

    def below(n):
        return int(source.random() * n)  # random() alone is the same in all versions of Python

    def write(name, lines):
        (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")

    english = "one two three four five six seven eight nine ten eleven twelve".split()
    german = "eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf".split()
    pairs = [[below(12) for _ in range(2 + below(5))] for _ in range(240)]
    write("en", [" ".join(english[w] for w in line) for line in pairs])
    write("de", [" ".join(german[w] for w in line) for line in pairs])
    write("ed", [" ".join(german[w] for w in reversed(line)) for line in pairs])
    write("links", [" ".join(f"{i}-{i}" for i in range(len(line))) for line in pairs])

    who, what = "Ann Bob Cid Dan Eve Fay".split(), "tea gold time bees wine rain".split()
    write("text", [f"{who[below(6)]} likes {what[a := below(6)]}. {what[a].title()} wins, not "
                   f"{what[below(6)]}." for _ in range(240)])
    write("mail.tsv", [f"{'neg pos'.split()[label := below(2)]}\tThe {what[below(6)]} is "
                       f"{(('bad', 'dull'), ('good', 'fine'))[label][below(2)]}! "
                       f"{who[below(6)]} likes {what[below(6)]}." for _ in range(160)])
    said = [(below(6), below(6), below(6)) for _ in range(160)]
    write("said.tsv", [f"{'yes' if a == b else 'no'}\t{who[w]} likes {what[a]}\t{what[b]} wins"
                       for w, a, b in said])

    words, tags, intents = [], [], []
    for _ in range(160):
        city, to = "Rome,Oslo,New York,San Jose".split(",")[below(4)].split(), below(2)
        words.append(["fly", "to" if to else "from", *city, str(below(40))])
        kind = "TO" if to else "FROM"
        tags.append(["O", "O", "B-" + kind, *["I-" + kind] * (len(city) - 1), "O"])
        intents.append("flight" if len(city) == 1 else "price")
    write("words", map(" ".join, words))
    write("tags", map(" ".join, tags))
    write("intents", intents)
    write("tags.conll", ["\n".join(f"{w} X {t}" for w, t in zip(*both)) + "\n"
                         for both in zip(words, tags)])

    choice, span, cloze = [], [], []
    for i in range(90):
        asked, place = below(6), below(4)  # 3: none of them answers
        for s in range(3):
            person = asked if s == place else (asked + 1 + below(5)) % 6
            choice.append(f"What has {who[asked]} today{i}?\t{who[person]} has {what[below(6)]}.\t"
                          f"{int(s == place)}")
        one, other, asked = below(3), 3 + below(3), below(6)
        passage = f"{who[one]} has süßen {what[below(6)]}, {who[other]} has {what[below(6)]}."
        begin = passage.find(who[asked] + " has ") + 8
        answer = f"{begin}-{begin + len(passage[begin:].split(',')[0].rstrip('.'))}"
        span.append(f"What has {who[asked]} today{i}?\t{passage}\t"
                    f"{answer if asked in (one, other) else 'none'}")
        things = [what[below(6)] for _ in range(3)]
        told = [f"{who[(asked + k) % 6]} likes {thing} ." for k, thing in enumerate(things)]
        k = below(3)
        cloze.append(f"{' '.join(told)}\t{who[(asked + k) % 6]} likes @placeholder\t{things[k]}")
    write("choice.tsv", choice)
    write("span.tsv", span)
    write("cloze.tsv", cloze)


# The recipes: what those of a task have in common, and what each of them sets beside it.

TRAIN = """
[train]
steps = 120
validate_every = 40
log_every = 10
clip = 1.0
schedule = { kind = "linear", rate = 1e-2, warmup = 10 }
"""
SPLIT = "split = { dev = 0.15, test = 0.15 }\n"
TASKS = {
    "translate": ('[data]\ntrain = ["en", "de"]\n' + SPLIT + """
[batch]
rows = 160
[text]
joint = false
source = { kind = "words" }
target = { kind = "words" }
[decode]
beam = 3
n_best = 2
max_length = 12
[evaluate]
metrics = ["bleu", "chrf", "wer"]
""", ["two one", "five four three two one"]),
    "language": ('[data]\ntrain = ["text"]\n' + SPLIT + """
[batch]
context = 24
sequences = 8
[decode]
max_length = 12
""", ["Ann likes", "Bob"]),
    "classify": ('[data]\ntrain = ["mail.tsv#1", "mail.tsv#2"]\n' + SPLIT + """
[batch]
rows = 160
[text]
words = { kind = "words", vocabulary = 0, lowercase = true, marks_apart = true }
""", ["The tea is fine! Bob likes wine.", "So dull."]),
    "tag": ('[data]\ntrain = ["words", "tags"]\n' + SPLIT + "[batch]\nrows = 96\n",
            ["fly to New York", "fly from Oslo 7"]),
    "elmo": ('[data]\ntrain = ["text"]\n' + SPLIT + """
[batch]
rows = 160
[words]
kind = "words"
vocabulary = 0
""", ["Ann likes tea.", "Gold wins, not rain."]),
    "mask": ('[data]\ntrain = ["text"]\nlongest = 16\n' + SPLIT + """
[batch]
rows = 160
[words]
kind = "words"
vocabulary = 0
lowercase = true
marks_apart = true
""", ["Ann likes [MASK]. Tea wins.", "[MASK] likes [MASK]."]),
    "embed": ('[data]\ntrain = ["en", "de"]\n' + SPLIT + """
[batch]
rows = 96
[words]
kind = "words"
vocabulary = 0
""", ["two one", "five four three two one"]),
    "cloze": ('[data]\ntrain = ["cloze.tsv#1", "cloze.tsv#2", "cloze.tsv#3"]\n' + SPLIT + """
[batch]
rows = 160
[words]
kind = "words"
vocabulary = 0
""", ["Ann likes tea . Bob likes gold .\tBob likes @placeholder",
      "Cid likes wine . Bob likes wine .\tCid likes @placeholder"]),
    "answer": ('[data]\ntrain = ["span.tsv#1", "span.tsv#2", "span.tsv#3"]\n' + SPLIT + """
[batch]
rows = 256
""", ["What has Bob?\tBob has süßen tea, Eve has gold.", "What has Cid?\tBob has tea."]),
}

SMALL = "layers = 1, width = 16, hidden = 16, heads = 2"
TRANSFORMER = "encoder_layers = 2, decoder_layers = 2, width = 16, hidden = 32, heads = 2"
RECURRENT = 'family = "recurrent", embedding = 16, hidden = 16'
SAID = 'data.train=["said.tsv#1", "said.tsv#2", "said.tsv#3"]'
CHOICE = 'data.train=["choice.tsv#1", "choice.tsv#2", "choice.tsv#3"]'
CHOICE_LINES = ["What has Bob?\tAnn has tea.\tBob has gold.",
                "What has Eve?\tEve has time.\tIt rains."]
SAID_LINES = ["Ann likes tea\ttea wins", "Bob likes gold\train wins"]
WORDPIECES = '{ kind = "bpe", vocabulary = 60 }'
CASES = {}


def case(name, model, *settings, lines=None, also=(), needs=None, resume=None):
    """`also`: further commands on the model, hashed with `run`; what begins with "<" is stdin.
    `needs`: a case to train before. `resume`: settings that the run is resumed with."""
    CASES[name] = dict(task=name.split("-")[0], settings=[f"model={{ {model} }}", *settings],
                       lines=lines, also=also, needs=needs, resume=resume)


case("translate-transformer", TRANSFORMER, also=[
    ["run", "--align", "--beam", "1", "--n-best", "1", "two one"],
    ["run", "--json", "--search", "sample", "--temperature", "0.8", "--top-k", "5", "two one"],
    ["run", "--json", "--prefix", "eins", "--set", "decode.no_repeat=2", "two one"],
    ["run", "--json", "--set", "decode.coverage_penalty=0.2", "two one five"],
    ["eval", "en", "de", "--links", "links", "--by-length", "3,5"],
    ["look", "--words", "--keep", "top-2", "two one five"]])
case("translate-pre-rotary", TRANSFORMER + ', norm = "pre", positions = "rotary", dropout = 0.2, '
     "attention_dropout = 0.1, activation_dropout = 0.1", "train.accumulate=2", "train.average=0.9",
     "train.optimizer=adamw", "train.weight_decay=0.01", "train.average_checkpoints=2")
case("translate-wide", "encoder_layers = 1, decoder_layers = 1, width = 256, hidden = 512, "
     "heads = 4", "batch.rows=1200", "train.steps=10")  # wide enough for several threads
case("translate-both", TRANSFORMER + ', positions = "relation-aware", norm = "pre"',
     "objective.direction=both", "decode.rerank=0.5", "train.schedule.kind=cosine")
case("translate-reverse", TRANSFORMER + ', positions = "learned", longest = 300, offset = 2',
     "objective.direction=reverse", 'train.schedule={ kind = "noam", warmup = 6, width = 16 }',
     "text.target.kind=characters", "text.target.vocabulary=0")
case("translate-heads", TRANSFORMER,
     'data={ train = ["en", "de"], dev = ["en", "de"], test = ["en", "de"] }', "evaluate.lines=20",
     'heads=[{ name = "back", train = "ed", dev = "ed", weight = 0.5, layers = 1, '
     'text = { kind = "words" } }]', also=[["run", "--json", "--head", "back", "two one five"]])
case("translate-alignments", TRANSFORMER, "data.alignments=links", "objective.alignment.weight=1",
     also=[["run", "--align", "--n-best", "1", "two one five"]])
case("translate-lag", TRANSFORMER + ", lag = 1", "objective.lags=[1, 2, 3]",
     also=[["run", "--live", "<two one five\none two\n"]])
case("translate-relative-bpe", TRANSFORMER + ', tied = "all", positions = "relative"',
     f"text={{ joint = true, dropout = 0.2, source = {WORDPIECES} }}",
     "train.average=0.9", "train.steps=70", resume=["train.steps=120"])
case("translate-unigram-join", TRANSFORMER + ', positions = "sinusoidal-halves"', "data.join=2",
     'text={ joint = true, dropout = 0.3, source = { kind = "unigram", vocabulary = 50 } }',
     "train.schedule.kind=inverse_sqrt")
case("translate-ngrams", TRANSFORMER + ", source_ngrams = [2, 3], ngram_buckets = 64, "
     "ngram_dropout = 0.1", "text.source.kind=characters", "text.source.vocabulary=0",
     "train.optimizer=adafactor")
case("translate-neighbours", TRANSFORMER, "data.neighbours=true", "data.longest=12",
     "data.cut=true")
case("translate-neighbours-convolutional", 'family = "convolutional", encoder_layers = 2, '
     "decoder_layers = 2, width = 16, hidden = 16, longest = 32, dropout = 0.1",
     "data.neighbours=true", "objective.direction=reverse")
case("translate-second", TRANSFORMER, "decode.second=translate-reverse", "decode.rerank=0.4",
     needs="translate-reverse")
case("translate-no-attention", RECURRENT + ', cell = "lstm", layers = 2, reversed = true, '
     'bidirectional = false, attention = { score = "none" }', "train.optimizer=sgd")
case("translate-bahdanau", RECURRENT, "train.accumulate=2", "train.watch=bleu",
     "train.optimizer=adadelta", 'train.schedule={ kind = "constant", rate = 1.0, warmup = 1 }',
     also=[["run", "--json", "--set", "decode.coverage_penalty=0.2", "two one five"]])
case("translate-luong-feed", RECURRENT + ', cell = "lstm", layers = 2, read = "feed", '
     'attention = { score = "general", reach = "local-p", window = 2 }', "train.steps=70",
     resume=["train.steps=120"])
case("translate-luong-after", RECURRENT + ', cell = "lstm", read = "after", bidirectional = false, '
     'attention = { score = "dot", reach = "local-m", window = 2 }', "train.optimizer=lion",
     "train.schedule.rate=1e-3")
case("translate-location", RECURRENT + ', read = "after", attention = { score = "location", '
     "longest = 20 }", "train.optimizer=adagrad")
case("translate-location-aware", RECURRENT + ', attention = { score = "location-aware", '
     'reach = "monotone", window = 3, filters = 4, filter_width = 5, sharpness = 2.0 }')
case("translate-scaled-dot", RECURRENT + ', bidirectional = false, tied = false, read = "after", '
     'attention = { score = "scaled-dot" }')
case("translate-hard", RECURRENT + ', attention = { allocate = "hard" }')
case("translate-hard-feed", RECURRENT + ', read = "feed", reward = 0.5, '
     'attention = { score = "general", allocate = "hard", reach = "local-m", window = 2 }')
case("translate-convolutional", 'family = "convolutional", encoder_layers = 2, decoder_layers = 2, '
     "width = 16, hidden = 16, longest = 64", "train.accumulate=2", "data.alignments=links")
case("translate-abs", 'family = "abs", embedding = 16, hidden = 16, context = 3')
case("translate-universal", 'family = "universal", steps = 3, width = 16, hidden = 32, heads = 2, '
     "offset = 2")
case("translate-universal-fixed", 'family = "universal", steps = 2, halting = false, width = 16, '
     'hidden = 32, heads = 2, positions = "relative", norm = "pre"')

case("language-transformer", SMALL, "evaluate.stride=8", "train.accumulate=2",
     also=[["run", "--json", "--search", "beam", "Ann"], ["look", "--words", "Ann likes"]])
case("language-llama", SMALL + ', kv_heads = 1, activation = "silu", gated = true, bias = false, '
     'norm_kind = "rms", positions = "rotary", tied = false, out_bias = true, dropout = 0.2',
     f"text={WORDPIECES}", 'train.schedule={ kind = "plateau", rate = 1e-2, '
     "warmup = 2, plateau_patience = 1 }")
case("language-recurrent", 'family = "recurrent", layers = 2, width = 16, hidden = 16, '
     "dropout = 0.2", "evaluate.streams=3", "train.average=0.9", "train.steps=70",
     resume=["train.steps=120"])
case("language-gru", 'family = "recurrent", cell = "gru", layers = 1, width = 16, hidden = 16, '
     "tied = false", 'text={ kind = "words", vocabulary = 0 }')

case("classify-class-query", "width = 16, heads = 2, ngrams = 2, buckets = 64, dropout = 0.1")
case("classify-class-query-windows", "width = 16, hidden = 16, windows = [1, 2], "
     "projections = false", "objective.smoothing=0.1", 'data.names=["bad", "good"]')
case("classify-static-sum", 'family = "static-sum", width = 16, ngrams = 3, buckets = 64')
case("classify-hierarchical", 'family = "hierarchical", width = 16, hidden = 8, attention = 8',
     "train.accumulate=2", "text.sentence=6")
for family in ["conditional", "attentive", "word-by-word", "aligned"]:
    case(f"classify-{family}", f'family = "{family}", width = 16, hidden = 16, dropout = 0.1', SAID,
         lines=SAID_LINES)
case("classify-attentive-scaled-dot", 'family = "attentive", width = 16, hidden = 16, '
     'score = "scaled-dot"', SAID, lines=SAID_LINES)
case("classify-encoder-first", 'family = "encoder", ' + f"encoder = {{ {SMALL} }}, dropout = 0.1",
     "text.word_dropout=0.1", "train.accumulate=2")
case("classify-encoder-attention", 'family = "encoder", pooling = "attention", encoder = { '
     'family = "recurrent", layers = 1, width = 16, hidden = 8 }', "data.longest=8")
case("classify-encoder-convolution", 'family = "encoder", pooling = "max", encoder = { '
     'family = "convolution", width = 16, hidden = 8, windows = [1, 2, 3] }',
     'text.words={ kind = "characters", vocabulary = 0 }')
case("classify-encoder-pairs", 'family = "encoder", pooling = "mean", ' +
     f"encoder = {{ {SMALL}, kinds = 2, input_norm = true, norm = \"post\" }}", SAID,
     "text.word_dropout=0.1", lines=SAID_LINES)

case("tag-recurrent", 'family = "recurrent", layers = 1, width = 16, hidden = 16, '
     "letter_width = 8, letter_filters = 8", 'data.train=["words", "tags", "intents"]',
     "objective.intent=1.0", "train.accumulate=2")
case("tag-columns", 'family = "recurrent", cell = "gru", layers = 1, width = 16, hidden = 16, '
     "crf = false", "data.form=columns", 'data.train=["tags.conll#1", "tags.conll#3"]',
     "text.letters=false")
case("tag-transformer", SMALL, "text.letters=false", f"text.words={WORDPIECES}")
case("tag-elmo", 'family = "recurrent", layers = 1, width = 16, hidden = 16, letter_width = 8, '
     'letter_filters = 8, elmo = "elmo"', needs="elmo")

case("elmo", "letter_width = 8, letter_windows = [1, 2], letter_filters = 8, projection = 16, "
     "hidden = 16")
case("elmo-documents", "letter_width = 8, letter_windows = [2], letter_filters = 8, "
     "projection = 16, hidden = 16, layers = 1, highways = 2, dropout = 0.2",
     "data.documents=true", "train.accumulate=2")

case("mask-dynamic", f"encoder = {{ {SMALL} }}", "train.accumulate=2", "train.steps=70",
     resume=["train.steps=120"])
case("mask-next-sentence", f"next_sentence = true, encoder = {{ {SMALL}, kinds = 2 }}",
     "objective.dynamic=false")
case("mask-pack-words", f'encoder = {{ {SMALL}, positions = "relative" }}', "data.pack=true",
     "data.longest=24", "objective={ share = 0.3, whole_words = true }", f"words={WORDPIECES}")
case("classify-from-mask", 'family = "encoder", from = "mask-next-sentence"', SAID,
     "train.watch=accuracy", "train.patience=1", "data.apart=true",
     lines=SAID_LINES, needs="mask-next-sentence")
case("tag-from-mask", 'from = "mask-dynamic", crf = false', "text.letters=false",
     needs="mask-dynamic")
case("answer-from-mask", 'kind = "span", match = false, from = "mask-next-sentence"',
     needs="mask-next-sentence")

case("embed-transformer", f"encoder = {{ {SMALL} }}",
     also=[["run", "--json", "--nearest", "de", "two one"]])
case("embed-recurrent", 'pooling = "attention", encoder = { family = "recurrent", layers = 1, '
     "width = 16, hidden = 8 }", "train.accumulate=2")

case("cloze-over", "width = 16, hidden = 16", "train.accumulate=2")
case("cloze-sum", 'family = "attention-sum", width = 16, hidden = 16, layers = 2, dropout = 0.3')

case("answer-choice", f"hidden = 16, encoder = {{ {SMALL} }}", CHOICE, lines=CHOICE_LINES)
case("answer-choice-recurrent", 'hidden = 16, match = false, encoder = { family = "recurrent", '
     "layers = 1, width = 16, hidden = 8 }", "train.accumulate=2", CHOICE, lines=CHOICE_LINES)
case("answer-span", f'kind = "span", encoder = {{ {SMALL}, positions = "relative" }}',
     "train.accumulate=2")


# Hashes.


def hash_of(data, digits=16):
    return hashlib.sha256(data if isinstance(data, bytes) else data.encode()).hexdigest()[:digits]


def hash_of_json(value):
    return hash_of(json.dumps(value, sort_keys=True))


class Tensors:
    """Those of a safetensors file: a hash of everything, and two digits for each by its name."""

    def __init__(self, path):
        data = path.read_bytes()
        end = 8 + struct.unpack("<Q", data[:8])[0]
        header = json.loads(data[8:end])
        metadata = header.pop("__metadata__", {})
        header.pop("checksum", None)  # of a checkpoint: of the whole file, times included
        self.names = sorted(header)
        self.short, everything = "", []
        for name in self.names:
            begin, stop = header[name]["data_offsets"]
            content = hash_of(data[end + begin:end + stop])
            self.short += content[:2]
            everything.append([name, header[name]["dtype"], header[name]["shape"], content])
        state = json.loads(metadata.get("state", "{}"))
        for measured in ["seconds", "log"]:  # log: bytes of a file that holds times
            state.pop(measured, None)
        self.hash = hash_of_json([everything, state])

    def entry(self):
        return [self.hash, self.short]

    def differences(self, expected):
        """In words, from an entry of the table."""
        if len(expected[1]) != len(self.short):
            return f"expected {len(expected[1]) // 2} tensors, found {len(self.names)}"
        different = [name for i, name in enumerate(self.names)
                     if expected[1][2 * i:2 * i + 2] != self.short[2 * i:2 * i + 2]]
        more = f" and {len(different) - SHOWN} more" if len(different) > SHOWN else ""
        return ", ".join(different[:SHOWN]) + more or "names, types, shapes or the state differ"


def figures(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        for measured in ["seconds", "per_second"]:
            line.pop(measured, None)
    return lines


class Failure(Exception):
    pass


class Program:
    def __init__(self, path, folder, threads):
        self.path, self.folder = str(pathlib.Path(path).resolve()), folder
        self.environment = {**os.environ, "FOVEA_INSTRUCTIONS": INSTRUCTIONS, "LC_ALL": "C.UTF-8",
                            "OMP_NUM_THREADS": str(threads), "FOVEA_CACHE": str(folder / "cache"),
                            "FOVEA_DATA": ""}

    def call(self, *arguments, stdin=""):
        return subprocess.run([self.path, *arguments], input=stdin, cwd=self.folder, text=True,
                              env=self.environment, capture_output=True, check=False)

    def __call__(self, *arguments, stdin=""):
        """What it prints, without names of the folder that it is in."""
        done = self.call(*arguments, stdin=stdin)
        if done.returncode != 0:
            call = " ".join(arguments)
            raise Failure(f"fovea {call}: exit code {done.returncode}, {done.stderr}")
        return done.stdout.replace(str(self.folder), "")


def train(fovea, name, extra):
    spec = CASES[name]
    recipe = fovea.folder / f"{name}.toml"
    recipe.write_text(f'task = "{spec["task"]}"\n' + TASKS[spec["task"]][0] + TRAIN)
    command = ["train", recipe.name, "--out", name, "--quiet"]
    fovea(*command, "--overwrite", *(f"--set={one}" for one in [*spec["settings"], *extra]))
    if spec["resume"]:
        fovea(*command, "--resume", *(f"--set={one}" for one in spec["resume"]))


def look(fovea, name, line):
    done = fovea.call("look", name, line, "--json", f"{name}/look.json")
    if done.returncode == 0:
        return hash_of((fovea.folder / name / "look.json").read_bytes())
    if "no attention" in done.stderr:
        return None
    raise Failure(f"fovea look {name}: {done.stderr}")


def measure(fovea, name, extra):
    """The entry of the table, and the tensors by its keys."""
    train(fovea, name, extra)
    folder, spec = fovea.folder / name, CASES[name]
    lines = spec["lines"] or TASKS[spec["task"]][1]
    last = max((folder / "checkpoints").glob("step-*.safetensors"),
               key=lambda path: int(path.stem.split("-")[1]))
    tensors = {"model": Tensors(folder / "model.safetensors"), "checkpoint": Tensors(last)}
    run = fovea("run", name, "--json", *lines)
    for command, *arguments in spec["also"]:
        stdin = "".join(one[1:] for one in arguments if one.startswith("<"))
        rest = [one for one in arguments if not one.startswith("<")]
        run += fovea(command, name, *rest, stdin=stdin)
    entry = {key: file.entry() for key, file in tensors.items()}
    entry["figures"] = hash_of_json(figures(folder / "metrics.jsonl"))
    for command, output in [("run", run), ("eval", fovea("eval", name, "--json"))]:
        (folder / f"{command}.out").write_text(output)
        entry[command] = hash_of(output)
    entry["look"] = look(fovea, name, lines[0])
    return entry, tensors


# The table.


def write_table(table):
    rows = [f"{json.dumps(name)}: {json.dumps(entry)}" for name, entry in table["cases"].items()]
    text = ('{"built_by": %s,\n"cases": {\n' % json.dumps(table["built_by"]) + ",\n".join(rows) +
            "\n}}\n")
    TABLE.write_text(text)


def complaints(expected, found, tensors):
    for key in {**expected, **found}:
        if expected.get(key) != found.get(key):
            what = tensors[key].differences(expected[key]) if key in tensors else "another output"
            yield f"{key}: {what}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--update", action="store_true", help="write the table anew")
    parser.add_argument("--only", default="*", help="cases by their names: 'translate-*'")
    parser.add_argument("--keep", type=pathlib.Path, help="folder to train in, kept afterwards")
    parser.add_argument("--threads", type=int, default=1, help="of each of two programs at a time")
    parser.add_argument("--set", action="append", default=[], help="a setting of all recipes")
    parser.add_argument("--built-by", help="the compiler and its options, as CTest gives them")
    options = parser.parse_args()
    table = json.loads(TABLE.read_text()) if TABLE.exists() else {"built_by": "", "cases": {}}
    built_by = f"{options.built_by}, {' '.join(platform.libc_ver())}"
    if options.built_by and not options.update and built_by != table["built_by"]:
        print(f"skipped: this is built by {built_by}, the table by {table['built_by']}")
        return SKIPPED
    names = fnmatch.filter(CASES, options.only)
    with contextlib.ExitStack() as stack:
        folder = options.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder = folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        fovea = Program(options.program, folder, options.threads)
        refused = fovea.call("recipes")
        if "FOVEA_INSTRUCTIONS" in refused.stderr:
            print(f"skipped: {refused.stderr.strip()}")
            return SKIPPED
        write_data(folder)
        failures = compare(fovea, names, table, options)
    if options.update:
        table["built_by"] = built_by if options.built_by else table["built_by"]
        table["cases"] = {name: table["cases"][name] for name in CASES if name in table["cases"]}
        write_table(table)
    print(f"{len(names)} models, {failures} of them differ" if failures else "all well")
    return 1 if failures else 0


def compare(fovea, names, table, options):
    """How many differ; with --update they become the table's."""
    failures, begun = 0, {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:

        def begin(name):
            needs = CASES[name]["needs"]
            before = begin(needs) if needs else None
            if name not in begun:
                begun[name] = pool.submit(after, before, name)
            return begun[name]

        def after(before, name):
            if before:
                before.result()
            return measure(fovea, name, options.set)

        for name in names:
            begin(name)
        for name in names:
            try:
                entry, tensors = begun[name].result()
            except Failure as failure:
                print(f"FAILED: {name}: {failure}")
                failures += 1
                continue
            if options.update:
                table["cases"][name] = entry
                continue
            expected = table["cases"].get(name)
            found = ["not in the table; add it with --update"] if expected is None else list(
                complaints(expected, entry, tensors))
            failures += bool(found)
            for complaint in found:
                print(f"FAILED: {name}: {complaint}", flush=True)
    return failures


if __name__ == "__main__":
    sys.exit(main())
