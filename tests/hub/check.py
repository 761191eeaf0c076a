#!/usr/bin/env python3
"""Loads what `fovea export --hf` wrote with transformers: python check.py FOVEA FIXTURES

Each fixture (tests/fixtures/hub) is imported and exported; transformers must load the result
without missing or unexpected weights and give the very logits of the original, and its tokenizer
the same ids. Needs torch and transformers.
"""
import pathlib
import subprocess
import sys
import tempfile

import torch
import transformers as tf

tf.logging.set_verbosity_error()
TEXTS = ["the quick brown fox", "jumps over [SEP] the lazy dog's 42 <s>", "ÄÖ 😀"]


def loaded(folder):
    config = tf.AutoConfig.from_pretrained(folder)
    kind = getattr(tf, config.architectures[0])
    # In float32 whatever the file has: a half is computed with as the float that it is.
    model, report = kind.from_pretrained(folder, dtype=torch.float32, output_loading_info=True)
    missing = [n for n in report["missing_keys"] if ".pooler." not in n and not n.startswith("pooler.")]
    if missing or report["unexpected_keys"] or report["mismatched_keys"]:
        raise SystemExit(f"{folder}: {missing} are missing, {report['unexpected_keys']} are odd")
    return model.eval()


def outputs(model, ids):
    with torch.no_grad():
        found = model(ids)
    if "last_hidden_state" in found:
        return [found.last_hidden_state]
    return [v for k, v in found.items() if k.endswith("logits")]


def check(fovea, fixture, folder):
    def run(*words):
        subprocess.run([fovea, *map(str, words)], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
    run("import", fixture, "--out", folder / "ours", "--quiet")
    run("export", folder / "ours", "--hf", folder / "theirs")
    first, second = loaded(fixture), loaded(folder / "theirs")
    ids = torch.randint(5, first.config.vocab_size, (2, 7))
    for a, b in zip(outputs(first, ids), outputs(second, ids), strict=True):
        if not torch.equal(a, b):
            raise SystemExit(f"{fixture.name}: logits differ by {(a - b).abs().max():.2g}")
    one, two = (tf.PreTrainedTokenizerFast(tokenizer_file=str(f / "tokenizer.json"))
                for f in (fixture, folder / "theirs"))
    if one(TEXTS).input_ids != two(TEXTS).input_ids:
        raise SystemExit(f"{fixture.name}: the tokenizers differ")
    tf.AutoTokenizer.from_pretrained(folder / "theirs")


def main():
    fovea, fixtures = sys.argv[1], pathlib.Path(sys.argv[2])
    names = sorted(f.name for f in fixtures.iterdir() if "-" in f.name)
    if not names:
        raise SystemExit(f"{fixtures}: nothing to import")
    for name in names:
        torch.manual_seed(1)
        with tempfile.TemporaryDirectory() as folder:
            check(fovea, fixtures / name, pathlib.Path(folder))
    print(f"{len(names)} models imported and exported as transformers {tf.__version__} loads them, "
          "with the same logits bit for bit")


main()
