# The example that translates: example.sh FOVEA EXAMPLE
source "$(dirname "$0")/common.sh"
tiny_recipe
expect 0 train tiny.toml --out m --quiet
expected=$(fovea run m "a b c 1")
call="examples/translate"
"$2" m "a b c 1" >out 2>err || fail "$call: exit code $?"
[[ $(head -1 out) == "$expected" ]] || fail "$call: expected '$expected'"
"$2" nowhere "a" >out 2>err && fail "$call: no error"
says nowhere
finish
