# Train, run, eval and look at a model that classifies.
source "$(dirname "$0")/common.sh"
for i in {1..80}; do
  ((i % 2)) && echo "pos so good film $((i % 5))" || echo "neg so bad film $((i % 5))"
done >reviews
cat >tiny.toml <<'TOML'
task = "classify"
[data]
train = ["reviews#first", "reviews#rest"]
dev = ["reviews#first", "reviews#rest"]
test = ["reviews#first", "reviews#rest"]
[model]
width = 16
[train]
epochs = 20
watch = "accuracy"
schedule = { kind = "constant", rate = 1e-2, warmup = 10 }
TOML

expect 0 train tiny.toml --out m; says "80 examples"; shows "accuracy 100"
expect 0 train tiny.toml --settings; shows 'model.family="class-query"'
expect 0 run m "so good" "so bad"; [[ $(cat out) == $'pos\nneg' ]] || fail "run m"
expect 0 run m --json "so good"; parses; shows '"probabilities"'
expect 0 run m ""; lines 1
expect 1 run m --align "so good"; says "no option \"align\""
expect 0 eval m; shows "accuracy = 100.00 % (80 of 80)"; shows "[neg]"
expect 0 eval m --json; parses
expect 0 eval m reviews#first reviews#rest; shows "80 of 80"
expect 0 eval m reviews#first reviews#rest --set 'data.train=[]'; shows "80 of 80"  # came from elsewhere
expect 1 eval m --by-length 3; says "--by-length works for models of the task translate"
expect 1 eval m reviews; says "expected 2 files (labels, texts)"
echo "meh so so" >other
expect 1 eval m other#first other#rest; says "other#first:1: label 'meh'"
expect 0 train tiny.toml --out named --quiet --set 'data.names=["bad", "good"]' --set train.epochs=1
expect 0 train tiny.toml --out named --resume
grep -q "other settings" err && fail "$call: nothing has changed"
sed 's/^neg/bad/' reviews >mixed
expect 0 eval named mixed#first mixed#rest; shows "of 80"
expect 1 eval named other#first other#rest; says "other#first:1: label 'meh'"; says "neg (bad), pos (good)"
expect 0 look m "so good" --html page.html --svg picture.svg; shows "for pos (the answer)"
[[ -s page.html && -s picture.svg ]] || fail "look wrote no pictures"
expect 1 train tiny.toml --out x --set model.family=attentive; says "second texts"
expect 3 train tiny.toml --out x --set model.family=hierarchical --set model.heads=2; says "model.heads"

tr ' ' '\t' <reviews >pairs
columns='["pairs#1", "pairs#3", "pairs#4"]'
expect 0 train tiny.toml --out pair --quiet --set model.family=attentive --set train.epochs=1 \
  --set "data.train=$columns" --set "data.dev=$columns" --set "data.test=$columns"
printf 'good\tfilm\nbad\tfilm\nno tab\ngood\tfilm\n' >text
expect 1 run pair <text; says "line 3: this model reads two texts"; lines 2
(yes $'good\tfilm' | head -600; echo "no tab") >text
expect 1 run pair <text; says "line 601: this model reads two texts"; lines 600
finish
