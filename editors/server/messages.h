// JSON-RPC 2.0 as the Language Server Protocol 3.17 uses it.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace wave::editors {

using Json = nlohmann::json;

enum class ErrorCode {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  not_initialized = -32002,
  request_failed = -32803,
  content_modified = -32801,
  request_cancelled = -32800,
};

// Ends a request. The client gets the message.
struct RequestError {
  ErrorCode code;
  std::string message;
};

inline Json result_message(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}
inline Json error_message(const Json& id, const RequestError& error) {
  return {
      {"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}};
}
inline Json notification(const std::string& method, Json params) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace wave::editors
