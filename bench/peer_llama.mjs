#!/usr/bin/env node
// llama.cpp's side of writing one text, in float32, through node-llama-cpp. As protocol.py: a line of
// JSON when warm, then lines of `go N` and `memory`.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// As in models.py.
const vocabularies = { gpt2: 50257, llama: 32000 };
const promptLength = 16, written = 48;
const threads = Number(process.env.OMP_NUM_THREADS ?? 2);
const files = process.env.FOVEA_BENCH_FILES;

const resolve = createRequire(path.join(process.env.FOVEA_BENCH_NODE, "package.json")).resolve;
const { getLlama } = await import(pathToFileURL(resolve("node-llama-cpp")));

function idsOf(count, vocabulary) {
  const ids = [];
  let state = 1n;
  for (let i = 0; i < count; ++i) {
    state = (state * 48271n) % 2147483647n;
    ids.push(3 + Number(state % BigInt(vocabulary - 3)));
  }
  return ids;
}

function status(field) {
  const line = fs.readFileSync("/proc/self/status", "utf8").split("\n")
    .find((each) => each.startsWith(field + ":"));
  return 1024 * Number(line.split(/\s+/)[1]);
}

const llama = await getLlama({
  gpu: false, build: "never", progressLogs: false, logLevel: "error", maxThreads: threads });

async function open(name) {
  const model = await llama.loadModel({ modelPath: path.join(files, `${name}.gguf`) });
  const context = await model.createContext({
    contextSize: 128, threads: { ideal: threads, min: threads },
    experimentalKvCacheKeyType: "F32", experimentalKvCacheValueType: "F32" });
  return { name, model, context, sequence: context.getSequence() };
}

async function write({ name, sequence }, count) {
  await sequence.clearHistory();
  const ids = [];
  for await (const id of sequence.evaluate(idsOf(promptLength, vocabularies[name]),
                                           { temperature: 0 })) {
    ids.push(id);
    if (ids.length === count) break;
  }
  return ids;
}

async function writing(name) {
  const opened = await open(name);
  return { run: () => write(opened, written), answers: [await write(opened, written)] };
}

async function loading(name) {
  return { run: async () => {
    const opened = await open(name);
    await write(opened, 1);
    await opened.context.dispose();
    await opened.model.dispose();
  }, answers: [] };
}

async function secondsOf(run, times) {
  const begin = performance.now();
  for (let i = 0; i < times; ++i) await run();
  return (performance.now() - begin) / 1000 / times;
}

const [, name, what] = process.argv[2].match(/^(.*)-(generate|load|memory)$/);
fs.writeFileSync("/proc/self/clear_refs", "5");
const baseline = status("VmRSS");
const part = await (what === "load" ? loading(name) : writing(name));
const warm = [];
for (let i = 0; i < 3; ++i) warm.push(await secondsOf(part.run, 1));
console.log(JSON.stringify({
  seconds: Math.min(...warm), parts: [""], flops: [0], answers: part.answers, values: [],
  notes: [`llama.cpp ${llama.llamaCppRelease.release}`] }));
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [command, times] = line.split(" ");
  if (command === "go") console.log(await secondsOf(part.run, Number(times)));
  if (command === "memory") console.log(status("VmHWM") - baseline);
}
process.exit(0);
