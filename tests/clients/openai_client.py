"""OpenAI's client for Python against `fovea serve`."""
import os

import openai

url, key = os.environ["FOVEA_URL"], os.environ["FOVEA_KEY"]
client = openai.OpenAI(base_url=url + "/v1", api_key=key, max_retries=0)

assert {model.id for model in client.models.list()} == {"tiny-en-de", "letters", "vectors"}

whole = client.completions.create(model="letters", prompt="a b", max_tokens=12, seed=5)
assert whole.object == "text_completion" and whole.usage.completion_tokens == 12, whole
assert whole.choices[0].finish_reason == "length"
pieces = client.completions.create(model="letters", prompt="a b", max_tokens=12, seed=5, stream=True)
assert "".join(chunk.choices[0].text for chunk in pieces) == whole.choices[0].text
several = client.completions.create(model="letters", prompt=["a", "b"], n=2, max_tokens=3, temperature=0.9)
assert [choice.index for choice in several.choices] == [0, 1, 2, 3]

messages = [{"role": "user", "content": "a b c 1"}]
chat = client.chat.completions.create(model="tiny-en-de", messages=messages)
assert chat.choices[0].message.content == os.environ["FOVEA_TRANSLATION"], chat
text, usage = "", None
for chunk in client.chat.completions.create(model="tiny-en-de", messages=messages, stream=True,
                                            stream_options={"include_usage": True}):
    usage = chunk.usage or usage
    text += "".join(choice.delta.content or "" for choice in chunk.choices)
assert text == os.environ["FOVEA_TRANSLATION"] and usage.total_tokens > 0, (text, usage)
seen = client.chat.completions.create(model="tiny-en-de", messages=messages,
                                      extra_body={"attention": {"layers": "*.cross", "keep": "top-2"}})
assert seen.choices[0].model_extra["attention"]["layers"][0]["kept"] == "top-2"

vectors = client.embeddings.create(model="vectors", input=["a b", "c 1"])  # asks for base64 by itself
floats = client.embeddings.create(model="vectors", input=["a b", "c 1"], encoding_format="float")
assert len(vectors.data) == 2 and len(vectors.data[0].embedding) == 16
assert all(abs(a - b) < 1e-6 for a, b in zip(vectors.data[1].embedding, floats.data[1].embedding))


def refused(error, call):
    try:
        call()
    except error as found:
        return found
    raise AssertionError(f"expected {error}")


refused(openai.NotFoundError, lambda: client.completions.create(model="gpt-4", prompt="a"))
wrong = refused(openai.BadRequestError,
                lambda: client.completions.create(model="letters", prompt="a", max_tokens=10**9))
assert wrong.param == "max_tokens", wrong
refused(openai.AuthenticationError,
        lambda: openai.OpenAI(base_url=url + "/v1", api_key="another", max_retries=0).models.list())
print(f"openai {openai.__version__} for Python: served")
