# Train, run, eval and resume; input that is not as it should be.
source "$(dirname "$0")/common.sh"
tiny_recipe

expect 0 train tiny.toml --out m; shows "The model is in m"; shows "fovea eval m"; says "validation at step 20"
expect 0 train tiny.toml --out bare --quiet --set 'data.dev=[]' --set 'data.test=[]' --set train.watch=bleu
says "train.watch has no effect, as there is no dev set"; shows "fovea run bare"
grep -q "fovea eval" out && fail "$call: advises to measure on a test set that there is not"
expect 0 train tiny.toml --out untested --quiet --set 'data.test=[]'; shows "fovea eval untested --dev"
[[ ! -s err ]] || fail "$call: a note too many"
expect 1 train tiny.toml --out m; says "fovea: "; says "--resume"
expect 0 train tiny.toml --out m --resume
expect 0 train tiny.toml --out m --resume --set train.steps=25; says "steps 20 -> 25"
cp -r m m5
expect 0 train tiny.toml --out m5 --resume --set train.steps=30 --set batch.rows=77
says "other settings than before: batch.rows"; says "-> 77, train.steps 25 -> 30"
expect 0 train tiny.toml --out m2 --quiet --set train.steps=25
[[ ! -s err ]] || fail "--quiet is not"
cmp -s m/model.safetensors m2/model.safetensors || fail "a resumed run is not the whole one"
expect 0 train tiny.toml --out m2 --overwrite --quiet
expect 0 train tiny.toml --out m6 --resume --quiet; says "there is no run in m6 to go on with; a new one begins"
expect 0 train tiny.toml --out m3 --quiet --set train.steps=25 --watch --port 0; says "watch it at http://127.0.0.1:"
cmp -s m/model.safetensors m3/model.safetensors || fail "a run that is watched is another one"
expect 2 train tiny.toml --out m4 --watch --port nowhere; says "--port"
expect 3 train tiny.toml --out x --set train.stesp=5; says "did you mean 'steps'?"
[[ ! -e x ]] || fail "a refused run left a folder"
expect 3 train tiny.toml --out x --set steps; says "fovea: "
expect 3 train tiny.toml --out w --set decode.n_best=4; says "a beam of 2 does not hold the 4 best"
expect 1 train tiny.toml --out w --set evaluate.lines=-1; says "evaluate.lines: expected"
before=$(cd m && cat config.json settings.json model.safetensors checkpoints/* | cksum)
expect 3 train tiny.toml --out m --overwrite --set train.watch=nothing; says "no figure 'nothing'"
expect 3 train tiny.toml --out m --overwrite --set objective.smoothing=1.5; says "smoothing"
expect 3 train tiny.toml --out m --resume --set train.steps=40 --set train.watch=nothing
expect 3 train tiny.toml --out m --resume --overwrite --set train.seed=7; says "either resumed or overwritten"
[[ $(cd m && cat config.json settings.json model.safetensors checkpoints/* | cksum) == "$before" ]] ||
  fail "a run was changed by one that failed"
mkdir theirs && echo '{"model_type": "bert"}' >theirs/config.json
expect 1 train tiny.toml --out theirs --overwrite; says "theirs/config.json: is of something else"

expect 0 run m "a b c 1" "a b c 2"; lines 2
expect 0 run m "a b c 1" "" "a b" --json; lines 3; parses
expect 0 run m $'a \xff'; says "not UTF-8"; lines 1
expect 0 run m "[a, b] c [1]" "[]" "++" "[a]" --json; lines 4; parses; shows '"source":"[a, b] c [1]"'
expect 0 train tiny.toml --out places --quiet --set model.positions=learned --set model.longest=12
expect 0 run places "a" "$(printf 'a %.0s' {1..60})"; lines 2; says "line 2 is longer"
expect 3 run m --live --beam 3 </dev/null; says "--live takes the likeliest"
expect 0 run m --set decode.second=m "a b"; says "decode.second has no effect without"
expect 0 run m --set decode.second=m --set decode.rerank=0.5 "a b"; says "has one answer to rank"
printf 'a b c 1\r\n\n\xfe b\n\xff\na b c' >text
expect 0 run m <text; lines 5; says "stdin:3: not UTF-8"
[[ $(wc -l <err) == 1 ]] || fail "the warning is not given once"
expect 0 run m --json <text; lines 5; parses
expect 0 run m </dev/null; lines 0
head -c 100000 /dev/zero | tr '\0' a >long
SECONDS=0
expect 0 run m <long; lines 1
((SECONDS < 10)) || fail "a long line took $SECONDS seconds"
expect 0 run m "a" "$(printf 'a %.0s' {1..1000})"; lines 2; says "line 2 is longer"
expect 3 run m --beam many x; says "decode.beam"
expect 3 run m --beam 20000 x; says "expected a beam of 1 to 1024, found 20000"
expect 3 run m --n-best 3 x; says "a beam of 2 does not hold the 3 best"
expect 1 run m --head x y; says "no head 'x'"
expect 0 run m --n-best 2 "a b"; lines 2
expect 0 run m --n-best 2 --set decode.length_penalty=1 "a b"; lines 2
expect 3 run m --live "a b"; says "--live reads words from stdin"
expect 3 run m --live --json <text; says "leave out --json"
expect 0 look m < <(printf '\xef\xbb\xbfa b c 1\r\n'); cp out marked
expect 0 look m "a b c 1"; cmp -s out marked || fail "$call: a byte order mark is read as text"
mkdir here && cp source target here && cp tiny.toml here/recipe.toml && cd here
expect 0 train .; shows "The model is in runs/here."
cd ..
expect 0 train tiny.toml --out early --quiet --set model.lag=1
printf 'a b c 1\n\na b c\n' >text
expect 0 run early --live <text; lines 3; cp out live
expect 0 run early --beam 1 <text; cmp -s out live || fail "$call: live is another answer"
expect 0 run early --live < <(printf %s "$(<text)"); cmp -s out live || fail "$call: a last line that does not end"
expect 0 run m --temperature 0.5 --top-p 0.9 "a b"; says "note: --temperature has no effect, as the search is beam; add --search sample"
says "--top-p"; lines 1
expect 0 run m --search sample --beam 3 "a b"; says "note: --beam has no effect, as the search is sample; add --search beam"
expect 0 run m --search sample --temperature 0.5 --top-k 2 --seed 3 "a b"
[[ ! -s err ]] || fail "$call: a note on what has an effect"
for number in bfloat16:avx512_bf16 int8:avx512_vnni; do
  name=${number%:*}
  if grep -q "${number#*:}" /proc/cpuinfo; then
    expect 0 run m "--$name" "a b c 1" "a b c 2"; lines 2
    expect 0 eval m "--$name"
  else
    expect 3 run m "--$name" "a b c 1"; says "does not multiply $name"
  fi
done
expect 2 run m --bfloat16 --int8 "a b c 1"; says "--bfloat16 excludes --int8"

expect 0 look m "a b c 1" "b" --html page.html --svg map.svg --png map.png --npz all.npz --json all.json
shows "a b c 1 -> "; shows "decoder.0.cross"
for file in page.html map.svg map.png all.npz; do [[ -s $file ]] || fail "look wrote no $file"; done
python3 - <<'PY' || fail "look --npz"
import zipfile
names = zipfile.ZipFile("all.npz").namelist()
assert zipfile.ZipFile("all.npz").testzip() is None
assert {"encoder.0.self.npy", "decoder.0.self.npy", "decoder.0.cross.npy", "tokens.source.npy"} <= set(names), names
PY
expect 0 look m "a b" --layers 'decoder.*' --heads 1 --keep top-2 --json all.json
python3 - <<'PY' || fail "look --layers --heads --keep"
import json
layers = json.load(open("all.json"))[0]["layers"]
assert [l["name"] for l in layers] == ["decoder.0.self", "decoder.0.cross"], layers
assert all(l["heads"] == [1] and l["kept"] == "top-2" for l in layers), layers
PY
expect 0 look m "a" "$(printf 'a %.0s' {1..1000})" --keep top-2; says "line 2 is longer"
[[ $(wc -l <err) == 1 ]] || fail "look tells of lines that are not cut"
expect 3 look m "a b" --keep most; says "--keep"
for format in html svg png npz json; do
  expect 5 look m "a b" --$format nowhere/a; says "fovea: nowhere/a: there is no folder nowhere"
done
(failures=0; ulimit -f 8; trap '' XFSZ; expect 4 look m "a b" --html page.html; says "page.html: cannot be written: File too large"
 exit $failures) || failures=$((failures + 1))
[[ $(tail -c 8 page.html) == "</html>" ]] || fail "look lost the page that was there before"
expect 1 look m "a b" --layers nobody; says "decoder.0.cross"
expect 1 look m "a b" --heads 7; says "head 7"

expect 0 eval m; shows "BLEU"
expect 0 eval m --json --answers answers; parses
[[ $(wc -l <answers) == 60 ]] || fail "eval --answers"
expect 0 eval m source target
expect 3 eval m source target --answers target; says "--answers target would be written over target"
ln -s target alias
expect 3 eval m source target --answers alias; says "name another file"
expect 3 eval m --answers target; says "which is data"
[[ $(wc -l <target) == 60 ]] || fail "eval --answers went over its input"
expect 5 eval m --answers nowhere/a; says "fovea: nowhere/a: there is no folder nowhere"
[[ ! -s out ]] || fail "$call: it was measured before"
expect 4 eval m --answers /dev/full; says "fovea: /dev/full: cannot be written: No space left"; shows "BLEU"
expect 0 eval m --by-length 3; shows "BLEU"
expect 3 eval m --by-length 5,3; says "lengths that rise"
expect 3 eval m --dev source target; says "either that or files"
expect 1 eval m source; says "expected two files"
head -50 target >short
expect 4 eval m source short; says "short"
expect 4 train tiny.toml --out x --set 'data.train=["source", "short"]'; says "short"
printf 'a\n\xff\n' >bytes
expect 4 train tiny.toml --out x --set 'data.train=["bytes", "bytes"]'; says "bytes:2"
sed '3s/.*//' source >gap
expect 0 train tiny.toml --out x --overwrite --quiet --set 'data.train=["gap", "target"]'
expect 1 train tiny.toml --out y --set 'data.train=["/dev/null", "/dev/null"]'; says "fovea: "
expect 5 train tiny.toml --out y --set 'data.train=["nowhere", "target"]'; says "nowhere: no such file"
: >none.toml
expect 1 train none.toml --out y; says "none.toml: says no task"

expect 1 run nowhere x; says "nowhere: no model there"
cp -r m cut && head -c 3000 m/model.safetensors >cut/model.safetensors
expect 4 run cut x; says "cut/model.safetensors"
rm cut/model.safetensors
expect 5 run cut x; says "cut/model.safetensors"
cp -r m other
rm other/source.json
expect 0 tokenizer train target source --kind words --vocabulary 0 --out other
expect 1 run other x; says "other/source.json"
echo '{' >other/config.json
expect 4 run other x; says "other/config.json"
finish
