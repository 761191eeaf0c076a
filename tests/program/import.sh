# Checkpoints of Hugging Face's: import, run, look, and begin another task with one.
hub=$(cd "$(dirname "$0")/../fixtures/hub" && pwd)
source "$(dirname "$0")/common.sh"

expect 0 import "$hub/bert-vectors" --out vectors; shows "for the task embed"; says "modules.json"
expect 1 import "$hub/bert-vectors" --out vectors; says "is there already"
expect 0 run vectors "the quick brown fox" --json; parses
expect 0 look vectors "the quick brown fox"
expect 0 tokenizer encode vectors --name words "The [SEP] fox"; lines 1
expect 0 import "$hub/bert-masks" --out masks
expect 0 run masks "the quick [MASK]"
expect 0 import "$hub/gpt2-next" --out gpt --quiet
expect 0 run gpt "the quick" --set decode.max_length=3
expect 0 run gpt "the quick" --max-length 3 --beam 2; says "--beam has no effect, as the search is sample"
expect 0 import "$hub/bert-masks" --task embed --out others; says "left out: cls.predictions"
expect 1 import "$hub/bert-masks" --task tag --out no; says "needs a head of tags"
expect 3 import "$hub/bert-masks" --task tga --out no; says "did you mean 'tag'?"
expect 5 import "$hub/bert-masks" --weights nowhere --out no; says "nowhere"
expect 1 import nowhere --out no; says "nowhere"
expect 1 import gpt --out no; says "fovea: gpt: is a model of Fovea's already"
mkdir empty
expect 5 import empty --out no; says "fovea: empty/config.json: cannot be opened"
expect 1 export nowhere --onnx no; says "fovea: nowhere: no model there"
expect 1 export nowhere --hf no; says "fovea: nowhere: no model there"
[[ ! -e no ]] || fail "something was left of an import that failed"

for i in {1..40}; do
  ((i % 2)) && echo "good the quick fox $((i % 5))" || echo "bad that lazy dog $((i % 5))"
done >reviews
cat >tiny.toml <<'TOML'
task = "classify"
[data]
train = ["reviews#first", "reviews#rest"]
dev = ["reviews#first", "reviews#rest"]
test = ["reviews#first", "reviews#rest"]
[batch]
rows = 64
[model]
family = "encoder"
from = "vectors"
pooling = "mean"
[train]
epochs = 20
optimizer = "adamw"
watch = "accuracy"
schedule = { kind = "linear", rate = 5e-3, warmup = 5 }
TOML
expect 0 train tiny.toml --out tuned; shows "accuracy 100"
[[ -f tuned/tokenizer.json ]] || fail "the tokenizer did not come along"
expect 0 run tuned "the quick fox"; shows "good"
expect 0 eval tuned; shows "accuracy"

finish
