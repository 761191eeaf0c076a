// OpenAI's client for JavaScript against `fovea serve`.
import assert from 'node:assert/strict';
import OpenAI from 'openai';

const client = new OpenAI({
  baseURL: `${process.env.FOVEA_URL}/v1`,
  apiKey: process.env.FOVEA_KEY,
  maxRetries: 0,
});

const models = await client.models.list();
assert.deepEqual(models.data.map((model) => model.id).sort(), ['letters', 'tiny-en-de', 'vectors']);

const ask = { model: 'letters', prompt: 'a b', max_tokens: 12, seed: 5 };
const whole = await client.completions.create(ask);
assert.equal(whole.usage.completion_tokens, 12);
let text = '';
for await (const chunk of await client.completions.create({ ...ask, stream: true })) {
  text += chunk.choices[0].text;
}
assert.equal(text, whole.choices[0].text);

const chat = { model: 'tiny-en-de', messages: [{ role: 'user', content: 'a b c 1' }] };
const answer = await client.chat.completions.create(chat);
assert.equal(answer.choices[0].message.content, process.env.FOVEA_TRANSLATION);
text = '';
for await (const chunk of await client.chat.completions.create({ ...chat, stream: true })) {
  text += chunk.choices[0].delta.content ?? '';
}
assert.equal(text, process.env.FOVEA_TRANSLATION);

const vectors = await client.embeddings.create({ model: 'vectors', input: ['a b', 'c 1'] });
assert.equal(vectors.data[1].embedding.length, 16);

await assert.rejects(client.completions.create({ ...ask, max_tokens: 1e9 }), OpenAI.BadRequestError);
await assert.rejects(client.completions.create({ ...ask, model: 'gpt-4' }), OpenAI.NotFoundError);
console.log('openai for JavaScript: served');
