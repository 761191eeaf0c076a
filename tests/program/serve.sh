# A server as its clients meet it: models of two tasks, a key, signals.
source "$(dirname "$0")/common.sh"
tiny_recipe
expect 0 train tiny.toml --out tiny-en-de --quiet
for i in {1..80}; do
  ((i % 2)) && echo "pos so good film $((i % 5))" || echo "neg so bad film $((i % 5))"
done >reviews
cat >reviews.toml <<'TOML'
task = "classify"
data = { train = ["reviews#first", "reviews#rest"], dev = ["reviews#first", "reviews#rest"] }
model = { width = 16 }
train = { epochs = 5, watch = "accuracy", schedule = { kind = "constant", rate = 1e-2, warmup = 10 } }
TOML
expect 0 train reviews.toml --out reviews-model --quiet

# serve OPTIONS...: in the background on a free port; sets `server` and `port`.
serve() {
  call="fovea serve $*"
  : >err  # of the one before
  "$PROGRAM" serve "$@" --port 0 >out 2>err &
  server=$!
  port=
  for ((i = 0; i < 200; i++)); do
    port=$(sed -n 's|^serving .* on http://.*:\([0-9]*\)/$|\1|p' err)
    [[ -n $port ]] && return
    kill -0 $server 2>/dev/null || break
    sleep 0.05
  done
  fail "$call: it does not serve"
}
# ask METHOD PATH BODY [HEADER...]: the answer is in answer, its status in status.
ask() {
  status=$(python3 - "$port" "$@" <<'PY'
import http.client, sys
port, method, path, body, *headers = sys.argv[1:]
connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
connection.request(method, path, body or None, dict(header.split(": ", 1) for header in headers))
response = connection.getresponse()
open("answer", "wb").write(response.read())
print(response.status)
PY
  )
}
answers() { # STATUS PART
  [[ $status == "$1" ]] || fail "$call: expected status $1, found $status"
  grep -qF -- "$2" answer || fail "$call: expected '$2', found '$(head -c 300 answer)'"
}
# stop SIGNAL: it ends well.
stop() {
  kill -s "$1" $server
  wait $server
  code=$?
  [[ $code == 0 ]] || fail "$call: exit code $code after $1"
}

serve tiny-en-de second=tiny-en-de reviews-model
expected=$(fovea run tiny-en-de "a b c 1")
ask POST /translate '{"q": "a b c 1", "source": "en", "target": "de"}'; answers 200 "\"translatedText\":\"$expected\""
ask POST /v1/completions '{"model": "second", "prompt": "a b c 1"}'; answers 200 "\"text\":\"$expected\""
ask POST /v1/run '{"model": "reviews-model", "input": "so good", "attention": true}'; answers 200 '"output":"pos"'
ask GET /v1/models ""; answers 200 '"id":"second"'
ask GET /metrics ""; answers 200 'fovea_requests_total{route="POST /translate",status="200"} 1'
ask POST /v1/run '{"model": "other", "input": "a secret"}'; answers 404 "reviews-model"
ask POST /v1/run 'so secret'; answers 400 "not JSON"
ask GET / ""; answers 200 "<!doctype html>"
stop TERM
says "POST /translate 200"
says "stopped"
grep -q secret err && fail "$call: the log holds text of a user"

FOVEA_API_KEY=from-the-environment serve tiny-en-de --api-key of-the-line --quiet
ask GET /v1/models ""; answers 401 "key"
ask GET /v1/models "" "Authorization: Bearer of-the-line"; answers 200 tiny-en-de
ask GET /v1/models "" "Authorization: Bearer from-the-environment"; answers 200 tiny-en-de
ask GET /healthz ""; answers 200 ok
stop INT
[[ $(wc -l <err) == 2 ]] || fail "$call: --quiet says more than it must"

expect 1 serve nowhere; says "nowhere"
expect 3 serve tiny-en-de tiny-en-de --port 0; says "NAME=FOLDER"
expect 3 serve tiny-en-de --port 0 --api-key short; says "8 characters"
expect 3 serve tiny-en-de --port 0 --host no.such.host.invalid; says "--host"
expect 2 serve tiny-en-de --port 99999; says "--port"
finish
