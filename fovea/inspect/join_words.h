/// From pieces of words to words: a run as a person would rather read it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "fovea/inspect/run_record.h"

namespace fovea {

/// The words that tokens make up.
struct WordsOfTokens {
  std::vector<Dim> word;           // of each token; -1: of none, it is left out
  std::vector<std::string> names;  // of the words
};

/// The same run with the tokens of the named sequences joined. What the keys of a word received is
/// summed, what the queries of a word gave is averaged, so that rows still sum to 1 (less what
/// left-out keys received); of Keep::top as many words are kept as there were tokens, and `top` of
/// Keep::all if it is above 0: words whose weights are exact. A word took as many steps as its
/// slowest token.
RunRecord join_words(const RunRecord& record, const std::map<std::string, WordsOfTokens>& words,
                     Dim top = 0);

}  // namespace fovea
