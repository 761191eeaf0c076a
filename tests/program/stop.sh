# Runs that are stopped, and disks that are full.
source "$(dirname "$0")/common.sh"
tiny_recipe

long=(--set train.steps=10000000 --set train.validate_every=10000000)

# train_and_signal FOLDER SIGNAL TIMES: a run that would go on for a minute; sets `code`.
train_and_signal() {
  call="fovea train --out $1, $2 $3 times"
  "$PROGRAM" train tiny.toml --out "$1" "${long[@]}" --set train.minutes=1 >out 2>err &
  local run=$! i
  for ((i = 0; i < 200; i++)); do
    grep -q parameters err && break
    kill -0 $run 2>/dev/null || break
    sleep 0.05
  done
  sleep 0.3
  for ((i = 0; i < $3; i++)); do kill -s "$2" $run; done
  wait $run
  code=$?
}

train_and_signal m INT 1
[[ $code == 130 ]] || fail "$call: exit code $code"
says "--resume"
says "saved and stopped by Ctrl-C"
steps=$(sed -n 's/^saved and stopped by .* after step \([0-9]*\);.*/\1/p' err)
[[ $steps -gt 0 ]] || fail "$call: no step is told"
[[ $(grep -c stopped err) == 1 ]] || fail "$call: the same is told twice"
expect 0 train tiny.toml --out m --resume --set train.steps=$((steps + 5))
expect 0 run m "a b c 1"; lines 1
train_and_signal m2 TERM 1
[[ $code == 143 ]] || fail "$call: exit code $code"
train_and_signal m3 INT 2
[[ $code == 130 ]] || fail "$call: exit code $code"
train_and_signal m4 USR1 2  # as batch systems send it; a second one changes nothing
[[ $code == 138 ]] || fail "$call: exit code $code"
says "saved and stopped by SIGUSR1"
[[ -n $(ls m4/checkpoints) ]] || fail "$call: no checkpoint"
expect 0 train tiny.toml --out m4 --resume --set train.steps=5

# A disk that fills up while saving: an error, and what was saved before is still whole.
expect 0 train tiny.toml --out full --quiet
cp full/model.safetensors before
(ulimit -f 8; trap '' XFSZ; expect 4 train tiny.toml --out full --resume --set train.steps=40; says "cannot be written"
 exit $failures) || failures=$((failures + 1))
cmp -s full/model.safetensors before || fail "the earlier model was lost"
expect 0 run full "a b c 1"
expect 0 train tiny.toml --out full --resume --set train.steps=40 --quiet
finish
