#include "fovea/inspect/page_template.h"

namespace fovea {

const char* const page_head = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
)html";

const char* const page_style = R"html(<style>
:root { --paper: #ffffff; --ink: #22252b; --faint: #666d79; --line: #dfe2e7; --panel: #f6f7f9; --mark: #bf4413 }
@media (prefers-color-scheme: dark) {
  :root { --paper: #16181d; --ink: #e6e8ec; --faint: #9aa1ad; --line: #343943; --panel: #1e2127; --mark: #f59b42 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 24px 28px; background: var(--paper); color: var(--ink);
       font: 15px/1.45 system-ui, "Segoe UI", "Noto Sans", sans-serif }
h1 { font-size: 21px; margin: 0 0 14px }
nav { display: flex; flex-wrap: wrap; gap: 10px 18px; align-items: center; padding: 10px 14px;
      background: var(--panel); border: 1px solid var(--line); border-radius: 8px }
nav label { color: var(--faint); font-size: 13px; display: flex; gap: 7px; align-items: center }
select { font: inherit; font-size: 14px; color: var(--ink); background: var(--paper); padding: 4px 6px;
         border: 1px solid var(--line); border-radius: 5px; max-width: 42ch }
#thumbs { display: flex; flex-wrap: wrap; gap: 10px; margin: 16px 0 0 }
#thumbs button { font: inherit; font-size: 12px; color: var(--faint); background: none; padding: 4px 4px 2px;
                 border: 1px solid var(--line); border-radius: 6px; cursor: pointer }
#thumbs button[aria-pressed=true] { border-color: var(--mark); color: var(--mark); box-shadow: 0 0 0 1px var(--mark) }
#thumbs canvas { display: block; width: 84px; height: 84px; image-rendering: pixelated; border-radius: 3px }
#heading { margin: 18px 0 4px; font-size: 17px; overflow-wrap: anywhere }
#views { display: flex; flex-wrap: wrap; gap: 16px 44px; align-items: flex-start; overflow-x: auto }
figure { margin: 0 }
figcaption { color: var(--faint); font-size: 13px; margin: 8px 0 }
svg text { font-size: 13px; fill: var(--ink); cursor: default }
svg text.on { fill: var(--mark); font-weight: 600 }
#tip { position: fixed; pointer-events: none; display: none; padding: 4px 9px; border-radius: 5px; font-size: 13px;
       background: var(--ink); color: var(--paper); max-width: 50ch; z-index: 1 }
#legend { width: 150px; height: 9px; border-radius: 3px }
.document { max-width: 86ch; margin: 14px 0 22px }
.document h3 { font-size: 15px; margin: 0 0 6px }
.sentence { display: flex; gap: 10px; align-items: flex-start }
.sentence p { margin: 2px 0; line-height: 1.75 }
.bar { flex: 0 0 64px; height: 10px; margin-top: 10px;
       background: linear-gradient(to left, var(--mark) calc(100% * var(--heat)), var(--line) 0) }
.word { padding: 1px 3px; border-radius: 3px;
        background: color-mix(in srgb, var(--mark) calc(100% * var(--heat)), transparent) }
.word.strong { color: var(--paper) }
[hidden] { display: none !important }
</style>
)html";

const char* const page_body = R"html(<nav>
<label>example <select id="example"></select></label>
<label class="of-maps">layer <select id="layer"></select></label>
<label class="of-maps">head <select id="head"></select></label>
<label class="of-maps" title="the largest weight of the map gets the strongest colour"><input type="checkbox" id="stretch"> stretch colours</label>
<label class="of-maps"><span>0</span><canvas id="legend" width="150" height="9"></canvas><span id="most">1</span></label>
</nav>
<div id="thumbs" class="of-maps"></div>
<h2 id="heading"></h2>
<div id="views" class="of-maps">
<figure><figcaption>each row shows where one query looked</figcaption><canvas id="map"></canvas></figure>
<figure><figcaption>keys on the left, queries on the right; the thicker, the more weight</figcaption><svg id="lines"></svg></figure>
</div>
<div id="documents"></div>
<div id="tip"></div>
<noscript>This page draws its pictures with JavaScript.</noscript>
)html";

const char* const page_script = R"html(<script>
'use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const dark = matchMedia('(prefers-color-scheme: dark)');
const ramps = {
  light: [[255,255,255],[254,227,200],[253,181,122],[238,122,51],[191,68,19],[111,31,6]],
  dark: [[30,33,39],[74,44,24],[128,62,22],[200,96,26],[245,155,66],[255,230,185]]};
const mean = 'mean', least = .02;  // weights below it get no line

function colour(w) {
  const ramp = dark.matches ? ramps.dark : ramps.light;
  const at = Math.min(Math.max(w, 0), 1) * (ramp.length - 1), low = Math.min(Math.floor(at), ramp.length - 2);
  const mix = c => Math.round(ramp[low][c] + (at - low) * (ramp[low + 1][c] - ramp[low][c]));
  return `rgb(${mix(0)},${mix(1)},${mix(2)})`;
}

function unpack(text) {
  const bytes = atob(text), out = new Float32Array(bytes.length / 2);
  for (let i = 0; i < out.length; ++i) out[i] = (bytes.charCodeAt(2 * i) + 256 * bytes.charCodeAt(2 * i + 1)) / 65535;
  return out;
}

// The layers of an example: name -> heads, in the order of its maps.
function layersOf(example) {
  const layers = new Map();
  for (const map of example.maps) {
    const parts = /^(.*) head (\d+)$/.exec(map.title), layer = parts ? parts[1] : map.title;
    if (!layers.has(layer)) layers.set(layer, []);
    const heads = layers.get(layer), head = parts ? parts[2] : String(heads.length);
    heads.push({head, queries: example.names[map.queries], keys: example.names[map.keys], packed: map.weights});
  }
  for (const heads of layers.values()) {
    const same = heads.every(h => h.queries === heads[0].queries && h.keys === heads[0].keys);
    if (heads.length > 1 && same) heads.unshift({...heads[0], head: mean, packed: null, of: heads.slice()});
  }
  return layers;
}

function weightsOf(map) {
  if (map.weights) return map.weights;
  if (map.packed !== null) return map.weights = unpack(map.packed);
  const all = map.of.map(weightsOf);
  return map.weights = all[0].map((_, i) => all.reduce((sum, w) => sum + w[i], 0) / all.length);
}

let layers, map, over = {query: -1, key: -1}, box;
const cells = document.createElement('canvas');  // of the map, a pixel each

function fill(select, values, wanted, names = values) {
  select.replaceChildren(...values.map((value, i) => new Option(names[i], value)));
  select.value = values.includes(wanted) ? wanted : values[0];
  select.disabled = values.length < 2;
}

function chooseExample() {
  const example = data[$('example').value];
  layers = layersOf(example);
  $('heading').textContent = example.heading;
  $('documents').innerHTML = example.documents;  // escaped where it was made
  for (const part of document.querySelectorAll('.of-maps')) part.hidden = example.maps.length === 0;
  fill($('layer'), [...layers.keys()], $('layer').value);
  chooseLayer();
}

function chooseLayer() {
  const heads = layers.get($('layer').value) || [];
  fill($('head'), heads.map(h => h.head), $('head').value);
  $('thumbs').replaceChildren(...(heads.length > 1 ? heads : []).map(head => {
    const button = document.createElement('button'), canvas = document.createElement('canvas');
    button.append(canvas, head.head === mean ? mean : 'head ' + head.head);
    button.onclick = () => { $('head').value = head.head; draw(); };
    button.dataset.head = head.head;
    thumb(canvas, head);
    return button;
  }));
  draw();
}

function scaleOf(weights) {
  return $('stretch').checked ? weights.reduce((a, b) => Math.max(a, b), 1e-9) : 1;
}

function thumb(canvas, head) {
  const w = weightsOf(head), scale = scaleOf(w), context = canvas.getContext('2d');
  canvas.width = Math.max(head.keys.length, 1); canvas.height = Math.max(head.queries.length, 1);
  for (let q = 0, i = 0; q < head.queries.length; ++q)
    for (let k = 0; k < head.keys.length; ++k, ++i) {
      context.fillStyle = colour(w[i] / scale);
      context.fillRect(k, q, 1, 1);
    }
}

function draw() {
  map = (layers.get($('layer').value) || []).find(h => h.head === $('head').value);
  over = {query: -1, key: -1};
  for (const button of $('thumbs').children) button.setAttribute('aria-pressed', button.dataset.head === $('head').value);
  if (!map) return;
  const scale = scaleOf(weightsOf(map)), legend = $('legend').getContext('2d');
  $('most').textContent = scale === 1 ? '1' : scale.toFixed(3);
  for (let x = 0; x < 150; ++x) { legend.fillStyle = colour(x / 149); legend.fillRect(x, 0, 1, 9); }
  thumb(cells, map);
  drawMap();
  drawLines();
}

function style(name) { return getComputedStyle(document.body).getPropertyValue(name).trim(); }

function short(text, most = 22) {
  const letters = [...text];
  return letters.length > most ? letters.slice(0, most - 1).join('') + '\u2026' : text;
}

function drawMap() {
  const canvas = $('map'), context = canvas.getContext('2d');
  const font = '13px system-ui, "Segoe UI", "Noto Sans", sans-serif', slope = 0.9;  // of names above, in radians
  context.font = font;
  const widest = names => names.reduce((most, n) => Math.max(most, context.measureText(short(n)).width), 0);
  const cell = Math.max(3, Math.min(28, Math.floor(700 / Math.max(map.queries.length, map.keys.length, 1))));
  const named = cell >= 9, lean = named ? widest(map.keys) : 0;
  box = {cell, left: named ? widest(map.queries) + 12 : 8, top: lean * Math.sin(slope) + 16};
  const width = box.left + cell * map.keys.length + lean * Math.cos(slope) + 8;
  const height = box.top + cell * map.queries.length + 4, sharp = devicePixelRatio || 1;
  canvas.width = Math.ceil(width * sharp); canvas.height = Math.ceil(height * sharp);
  canvas.style.width = width + 'px'; canvas.style.height = height + 'px';
  context.scale(sharp, sharp);
  const across = cell * map.keys.length, down = cell * map.queries.length;
  context.imageSmoothingEnabled = false;
  if (across && down) context.drawImage(cells, box.left, box.top, across, down);
  context.strokeStyle = style('--line'); context.lineWidth = 1;
  context.strokeRect(box.left - .5, box.top - .5, across, down);
  if (named) {
    context.fillStyle = style('--line');
    for (let q = 0; q <= map.queries.length; ++q) context.fillRect(box.left - 1, box.top + q * cell - 1, across + 1, 1);
    for (let k = 0; k <= map.keys.length; ++k) context.fillRect(box.left + k * cell - 1, box.top - 1, 1, down + 1);
  }
  if (named) {
    const size = Math.min(13, cell + 2);
    context.font = font.replace('13', size);
    const name = (text, x, y, turn, align, on) => {
      context.save();
      context.translate(x, y); context.rotate(turn);
      context.textAlign = align; context.textBaseline = 'middle';
      context.fillStyle = on ? style('--mark') : style('--ink');
      context.fillText(short(text), 0, 0);
      context.restore();
    };
    map.queries.forEach((n, q) => name(n, box.left - 8, box.top + (q + .5) * cell, 0, 'right', q === over.query));
    map.keys.forEach((n, k) => name(n, box.left + (k + .5) * cell, box.top - 8, -slope, 'left', k === over.key));
  }
  if (over.query >= 0 && over.key >= 0) {
    context.strokeStyle = style('--mark'); context.lineWidth = 2;
    context.strokeRect(box.left + over.key * cell - .5, box.top + over.query * cell - .5, cell, cell);
  }
}

function drawLines() {
  const w = weightsOf(map), step = 24, svg = $('lines'), ink = style('--mark');
  const made = (kind, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', kind);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const letters = names => Math.min(22, names.reduce((most, n) => Math.max(most, [...n].length), 1));
  const left = letters(map.keys) * 9 + 8, right = left + 190, all = Math.max(map.keys.length, map.queries.length);
  const y = (i, count) => (i + .5 + (all - count) / 2) * step;
  const parts = [];
  for (let q = 0, i = 0; q < map.queries.length; ++q)
    for (let k = 0; k < map.keys.length; ++k, ++i) {
      if (w[i] < least) continue;
      const y1 = y(k, map.keys.length), y2 = y(q, map.queries.length), middle = (left + right) / 2;
      parts.push(made('path', {d: `M${left + 6} ${y1}C${middle} ${y1} ${middle} ${y2} ${right - 6} ${y2}`, fill: 'none',
        stroke: ink, 'stroke-width': .5 + 7 * w[i]}));
    }
  const words = (names, x, anchor, side) => names.forEach((n, i) => {
    const text = made('text', {x, y: y(i, names.length) + 4, 'text-anchor': anchor}, short(n));
    text.onmouseenter = () => light({query: -1, key: -1, [side]: i});
    text.onmouseleave = () => light({query: -1, key: -1});
    parts.push(text);
  });
  words(map.keys, left, 'end', 'key');
  words(map.queries, right, 'start', 'query');
  svg.setAttribute('width', right + letters(map.queries) * 9 + 8);
  svg.setAttribute('height', all * step);
  svg.replaceChildren(...parts);
  lightLines();
}

// Marks what the mouse is on. Words stay the elements they are, or it could never leave them.
function light(now) {
  if (now.query === over.query && now.key === over.key) return;
  over = now;
  drawMap();
  lightLines();
}

function lightLines() {
  const w = weightsOf(map), paths = $('lines').querySelectorAll('path');
  let at = 0;
  for (let q = 0, i = 0; q < map.queries.length; ++q)
    for (let k = 0; k < map.keys.length; ++k, ++i) {
      if (w[i] < least) continue;
      const held = (over.query < 0 || over.query === q) && (over.key < 0 || over.key === k);
      paths[at++].setAttribute('stroke-opacity', held ? .25 + .65 * w[i] : .1);
    }
  $('lines').querySelectorAll('text').forEach((text, i) => {
    const on = i < map.keys.length ? over.key === i : over.query === i - map.keys.length;
    text.setAttribute('class', on ? 'on' : '');
  });
}

$('map').onmousemove = event => {
  if (!map) return;
  const k = Math.floor((event.offsetX - box.left) / box.cell), q = Math.floor((event.offsetY - box.top) / box.cell);
  const inside = k >= 0 && q >= 0 && k < map.keys.length && q < map.queries.length;
  light(inside ? {query: q, key: k} : {query: -1, key: -1});
  $('tip').style.display = inside ? 'block' : 'none';
  if (!inside) return;
  $('tip').textContent = `${map.queries[q]} \u2192 ${map.keys[k]}: ${weightsOf(map)[q * map.keys.length + k].toFixed(4)}`;
  $('tip').style.left = Math.min(event.clientX + 14, innerWidth - 220) + 'px';
  $('tip').style.top = event.clientY + 16 + 'px';
};
$('map').onmouseleave = () => { $('tip').style.display = 'none'; if (map) light({query: -1, key: -1}); };
$('example').onchange = chooseExample;
$('layer').onchange = chooseLayer;
$('head').onchange = draw;
$('stretch').onchange = chooseLayer;
dark.onchange = chooseLayer;
fill($('example'), data.map((_, i) => String(i)), '0', data.map((e, i) => `${i + 1}. ${short(e.heading, 60)}`));
if (data.length) chooseExample();
</script>
)html";

}  // namespace fovea
