# For the tests of the program: PROGRAM is the built executable; each test works in a folder of its own.
set -uo pipefail
export OMP_NUM_THREADS=2 LC_ALL=C.UTF-8
unset FOVEA_DATA
PROGRAM=$1
cd "$(mktemp -d)" || exit 1
trap 'rm -rf "$PWD"' EXIT
export FOVEA_CACHE=$PWD/cache
failures=0

fail() {
  echo "FAILED: $*" >&2
  sed 's/^/    stdout: /' out >&2
  sed 's/^/    stderr: /' err >&2
  failures=$((failures + 1))
}

fovea() { "$PROGRAM" "$@"; }

# expect CODE ARGUMENTS...: runs the program; its output is in out and err, for says and shows.
expect() {
  local code=$1 found
  shift
  call="fovea $*"
  fovea "$@" >out 2>err
  found=$?
  ((found == code)) || fail "$call: expected exit code $code, found $found"
}
# What stderr says (an error is told as "fovea: ..."), what stdout shows.
says() { grep -qF -- "$1" err || fail "$call: stderr does not say '$1'"; }
shows() { grep -qF -- "$1" out || fail "$call: stdout does not show '$1'"; }
lines() { [[ $(wc -l <out) == "$1" ]] || fail "$call: expected $1 lines"; }
parses() { python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <out || fail "$call: no JSON"; }

# A recipe that is learned in a second: words that are spelled in capitals.
tiny_recipe() {
  for i in {1..60}; do echo "a b c $((i % 7))"; done >source
  for i in {1..60}; do echo "A B C $((i % 7))"; done >target
  cat >tiny.toml <<'TOML'
task = "translate"
[data]
train = ["source", "target"]
dev = ["source", "target"]
test = ["source", "target"]
[text]
source = { kind = "characters", vocabulary = 0 }
[model]
preset = "tiny"
width = 16
hidden = 16
heads = 2
encoder_layers = 1
decoder_layers = 1
[train]
steps = 20
validate_every = 10
[decode]
beam = 2
TOML
}

finish() {
  ((failures == 0)) && echo "all well" && exit 0
  echo "$failures failures" >&2
  exit 1
}
