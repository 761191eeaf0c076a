/** What whole matrices of weights come down to: received, entropy, distance, rollout. */
import { one } from './bytes';
import { DenseWeights, MeanWeights, type LayerWeights } from './weights';

/** For each key the sum of the weights of all queries. */
export function received(weights: LayerWeights, head: number): number[] {
  const sums = new Array<number>(weights.keys).fill(0);
  for (let query = 0; query < weights.queries; ++query) {
    weights.visit(head, query, (key, weight) => (sums[key] += weight / one));
  }
  return sums;
}

/** Means over the rows p: -sum p log2 p (bits), and sum p |query - key| (tokens). */
export function measure(
  weights: LayerWeights,
  head: number,
): { entropy: number; distance: number } {
  let entropy = 0;
  let distance = 0;
  let rows = 0;
  for (let query = 0; query < weights.queries; ++query) {
    let sum = 0;
    let logs = 0;
    let way = 0;
    weights.visit(head, query, (key, weight) => {
      sum += weight;
      logs += weight * Math.log2(weight);
      way += weight * Math.abs(query - key);
    });
    if (!sum) continue;
    // With p = w / sum: -sum p log2 p = log2 sum - (sum w log2 w) / sum.
    entropy += Math.log2(sum) - logs / sum;
    distance += way / sum;
    ++rows;
  }
  return { entropy: entropy / Math.max(rows, 1), distance: distance / Math.max(rows, 1) };
}

/**
 * Attention rollout (Abnar and Zuidema 2020): R = A_n ... A_1, with A = (W + I) / 2 and W the mean
 * over heads, its rows scaled to sum 1. `pause` is called between rows, so that a page can stay
 * awake.
 */
export async function rollout(layers: LayerWeights[], pause: () => Promise<void>) {
  const n = layers[0].queries;
  let result = new Float32Array(n * n);
  for (let i = 0; i < n; ++i) result[i * n + i] = 1;
  for (const layer of layers) {
    const mean = new MeanWeights(layer);
    const next = new Float32Array(n * n);
    for (let query = 0; query < n; ++query) {
      rolloutRow(mean, query, result, next);
      if (query % 64 === 63) await pause();
    }
    result = next;
  }
  return new DenseWeights(
    1,
    n,
    n,
    Uint16Array.from(result, (weight) => Math.round(weight * one)),
  );
}

function rolloutRow(mean: LayerWeights, query: number, below: Float32Array, out: Float32Array) {
  const n = mean.keys;
  const row = out.subarray(query * n, (query + 1) * n);
  const add = (key: number, share: number) => {
    const from = below.subarray(key * n, (key + 1) * n);
    for (let j = 0; j < n; ++j) row[j] += share * from[j];
  };
  let sum = 0;
  mean.visit(0, query, (_, weight) => (sum += weight));
  if (!sum) return add(query, 1);
  mean.visit(0, query, (key, weight) => add(key, weight / sum / 2));
  add(query, 0.5);
}
