# The few commands that a user or a developer needs; CMakePresets.json has the rest.
.PHONY: all setup build web demo test test-peers test-clients sanitize tsan fuzz bench format clean

all: build

setup:
	@tools/setup

build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release

# The viewer as one page, web/dist/index.html, which is committed and built into the program.
web:
	@tools/setup --web
	@cd web && npm ci --no-audit --no-fund && npm test && npm run build

# A Transformer learns to pronounce English in two minutes; make demo WORDS="colonel onomatopoeia"
demo:
	@tools/setup --demo
	@cmake --preset release >/dev/null
	@cmake --build --preset release --target fovea
	@tools/demo $(WORDS)

test: build
	@ctest --preset release

# What is written for others, as they compute it: onnxruntime and more, installed from PyPI into build/peers.
test-peers: build
	@tests/peers

# Public clients of OpenAI and LibreTranslate against a server, installed from PyPI and npm into build/clients.
test-clients: build
	@tests/clients/run

# Address and undefined-behaviour sanitizers over all tests.
sanitize: setup
	@cmake --preset dev >/dev/null
	@cmake --build --preset dev
	@ctest --preset dev

# Thread sanitizer over all tests.
tsan: setup
	@cmake --preset tsan >/dev/null
	@cmake --build --preset tsan
	@ctest --preset tsan

# Files made up to break the readers; make fuzz SECONDS=600 for each of them
SECONDS ?= 60
fuzz:
	@tools/setup --fuzz
	@cmake --preset fuzz >/dev/null
	@ninja -C build/fuzz fuzz/all
	@fuzz/run $(SECONDS)

# Each workload against PyTorch, interleaved; writes build/bench.json.
bench:
	@tools/setup --bench
	@cmake --preset bench >/dev/null
	@cmake --build --preset bench
	@bench/run

format:
	@clang-format-14 -i $$(git ls-files '*.h' '*.cc')

clean:
	@rm -rf build
