"""A client of LibreTranslate against `fovea serve`."""
import os

from libretranslatepy import LibreTranslateAPI

client = LibreTranslateAPI(os.environ["FOVEA_URL"] + "/", os.environ["FOVEA_KEY"])
assert client.translate("a b c 1", "en", "de") == os.environ["FOVEA_TRANSLATION"]
assert {language["code"] for language in client.languages()} == {"de", "en"}
print("libretranslatepy: served")
