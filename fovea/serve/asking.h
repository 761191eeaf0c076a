/// From the fields of a request to lines for the engine, and back to one
/// answer: what all ways of asking have in common.
#pragma once

#include <functional>
#include <vector>

#include "fovea/serve/api.h"

namespace fovea::serve {

/// The number of the model that the request names; if there is only one, it
/// need not.
std::size_t model_of(const Api& api, const Fields& fields);
/// 400 if the model does not write.
void expect_writer(const Served& model, std::string_view route);

/// How the model writes, with what the request says otherwise: temperature,
/// top_p, max_tokens, stop, seed, n, beam and so on.
WriteSettings settings_of(const Api& api, const Served& model, const Fields& fields);
/// "attention": {"layers": "*", "heads": "all", "keep": "top-8"}
std::optional<RecordOptions> attention_of(const Fields& fields);

/// The texts as asks, each checked for its length; all else is the same for
/// all.
std::vector<Ask> asks_of(const Api& api, const std::vector<std::string>& texts,
                         const WriteSettings& settings, std::optional<RecordOptions> attention);

/// Submits all; when all are answered, `then` answers the exchange. Errors of
/// lines, exceptions and a full queue are answered here.
void ask(Api& api, const ExchangePtr& exchange, std::size_t model, std::vector<Ask> asks,
         std::function<void(std::vector<Said>)> then);

/// 400 of what was asked for and cannot be seen.
void expect_seen(const Said& said);

}  // namespace fovea::serve
