# The command line: help, what is unknown, where output goes.
source "$(dirname "$0")/common.sh"

expect 2; says "Usage: fovea"
expect 0 --help; shows "Usage: fovea"
expect 0 help; shows "Usage: fovea"
expect 0 help data get; shows "Usage: fovea data get"; ! grep -q "Exit codes" out || fail "exit codes of a command"
expect 0 help; shows "Exit codes:"
expect 0 --version; lines 1
for command in recipes train run eval look import data "data list" "data get" "data path" tokenizer \
  "tokenizer train" "tokenizer encode" "tokenizer decode" "tokenizer show"; do
  expect 0 $command --help; shows "Usage: fovea $command"
done
for command in recipes train run eval import data tokenizer doctor completion; do
  expect 0 $command --help
  [[ $(grep -c "^  fovea $command" out) -ge 1 ]] || fail "$command --help: no example"
done

expect 2 trian x; says "fovea: no command 'trian'; did you mean 'train'?"
expect 2 foo; says "fovea: no command 'foo'; there are: "
expect 2 tokenzier train x; says "did you mean 'tokenizer'?"
expect 2 train x --quite; says "fovea: no option '--quite'; did you mean '--quiet'?"
expect 2 train; says "fovea: recipe is required"
expect 2 train a b; says "'b' is one argument too many"
expect 2 data; says "there are: list, get, path"
expect 2 --threads many recipes; says "--threads"
expect 0 recipes --threads 1
FOVEA_INSTRUCTIONS=AVX1 expect 3 recipes; says "FOVEA_INSTRUCTIONS: expected"; says "found 'AVX1'"

mkdir -p recipes/good recipes/bad
printf 'task = "translate"\ntitle = "Good"\n[[figures]]\nmetric = "BLEU"\npublished = 30\n' >recipes/good/recipe.toml
echo 'task = ' >recipes/bad/recipe.toml
expect 0 recipes; shows "Good"; shows "cannot be read"; shows "g2p-cmudict"
expect 0 recipes --folder recipes --json
python3 - <out <<'PY' || fail "recipes --json"
import json, sys
bad, good = json.load(open("out"))
assert "recipe.toml" in bad["error"], bad
assert good == {"name": "good", "title": "Good", "metric": "BLEU", "published": 30, "measured": None, "minutes": None}, good
PY
expect 5 recipes --folder nowhere; says "fovea: nowhere"
expect 5 recipes --folder recipes/good; says "fovea: recipes/good: no recipes there"
expect 1 train goood; says "did you mean 'good'?"

expect 0 doctor; shows "GF/s"; shows "SentencePiece"
expect 0 doctor --json --threads 1
python3 -c 'import json; assert json.load(open("out"))["threads"] == 1' || fail "doctor --json"
expect 0 doctor; shows "threads       2, set by OMP_NUM_THREADS"
expect 0 doctor --threads 1; shows "threads       1, set by --threads"
(failures=0; unset OMP_NUM_THREADS
 fovea() { taskset -c "$(taskset -cp $$ | grep -o '[0-9]*$')" "$PROGRAM" "$@"; }
 expect 0 doctor --json
 python3 - <out <<'PY' || fail "doctor --json on one core"
import json
found = json.load(open("out"))
assert found["threads"] == found["affinity"] == 1, found
assert found["thread_limit"] == ("affinity" if found["cores"] > 1 else "cores"), found
PY
 exit $failures) || failures=$((failures + 1))
FOVEA_DATA=/nowhere expect 0 doctor; shows "/nowhere, which is not there"

expect 0 data list; shows "multi30k: not here"
expect 0 data list --json; python3 -m json.tool <out >/dev/null || fail "data list --json"
expect 5 data get multi30; says "did you mean 'multi30k'?"
expect 5 data get g2p-cmudict; says "cannot be fetched automatically"
expect 5 data path multi30k train.en.gz; says "fovea data get multi30k"
mkdir -p cache/data/ptb && touch cache/data/ptb/ptb.{train,valid,test}.txt
expect 0 data path ptb ptb.train.txt; shows "cache/data/ptb/ptb.train.txt"
expect 0 data get ptb; shows "here already"

printf 'Two dogs play.\nA dog runs.\n' >text
expect 0 tokenizer train text --kind words --vocabulary 0 --lowercase --out pieces
expect 0 tokenizer show pieces; shows "words"
expect 0 tokenizer encode pieces "A DOG plays"; shows "a"
fovea tokenizer encode pieces --ids <text | fovea tokenizer decode pieces >out 2>err
[[ $(cat out) == $'two dogs play.\na dog runs.' ]] || fail "encode | decode"
expect 1 tokenizer decode pieces "3 x"; says "found 'x'"
expect 1 tokenizer train text --kind words --out pieces; says "is there already"
expect 3 tokenizer train text --kind wrods --out pieces; says "did you mean 'words'?"
expect 3 tokenizer train text --vocabulary 5 --out few; says "fovea: vocabulary: 5 ids are too few"; says "give at least"
expect 5 tokenizer show nowhere; says "fovea: nowhere"

# What the system refuses is told as everything else is, not in the words of a library.
ln -s loop loop
expect 4 run loop x; says "fovea: loop/config.json: Too many levels of symbolic links"
expect 5 tokenizer train text --kind words --out text/x; says "fovea: text/x: Not a directory; a file stands where"
expect 5 export nowhere --hf text/x; says "/text/x: Not a directory; a file stands where"
if [[ $(id -u) != 0 ]]; then
  mkdir locked && chmod 000 locked
  expect 4 run locked x; says "fovea: locked/config.json: Permission denied; name another place"
  expect 4 tokenizer train text --kind words --out locked/x; says "Permission denied; name another place"
fi

# completes WORDS... EXPECTED: what the script makes of the last of the words.
completes() {
  local expected=${!#} found
  found=$(bash -c 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _fovea; echo "${COMPREPLY[*]}"' \
    - out "${@:1:$#-1}")
  [[ $found == "$expected" ]] || fail "completion of '${*:1:$#-1}': expected '$expected', found '$found'"
}
expect 0 completion bash
bash -n out || fail "completion bash: no script"
completes fovea tr train
completes fovea train --ov --overwrite
completes fovea data g get
completes fovea data list --j --json
completes fovea train rec ""
expect 0 completion zsh; shows "#compdef fovea"
if command -v zsh >/dev/null; then zsh -n out || fail "completion zsh: no script"; fi
expect 0 completion fish; shows "complete -c fovea"
if command -v fish >/dev/null; then
  [[ $(fish -c 'source out; complete -C "fovea tr"' | cut -f1) == train ]] || fail "completion fish"
fi
expect 2 completion ksh; says "ksh"

# A closed pipe is nobody's error; a full disk is one.
for i in {1..20000}; do echo "a dog runs"; done >many
fovea tokenizer encode pieces <many 2>err | head -1 >out
[[ ! -s err ]] || fail "| head"
(trap '' PIPE; fovea tokenizer encode pieces <many 2>err | head -1 >out)
[[ ! -s err ]] || fail "| head where SIGPIPE is ignored"
fovea recipes >/dev/full 2>err && fail "/dev/full was not noticed"
says "fovea: stdout: No space left on device"
finish
