// Text of a model in a page: whatever it holds, it stays text.
#pragma once

#include <string>
#include <string_view>

namespace wave::analysis::pictures {

// For the contents of elements and for attributes in double quotes. What is no UTF-8, and control characters, become
// marks of replacement.
std::string escaped(std::string_view text);

// A paragraph of documentation as the contents of an element: lines are joined, `code` is code, all else is text.
std::string prose(std::string_view text);

// JSON for a `<script type="application/json">`: nothing in it ends the element or begins a comment.
std::string json_in_script(std::string_view json);

// What a Content-Security-Policy calls a script or a style sheet of this text: 'sha256-...'.
std::string policy_source(std::string_view text);

}  // namespace wave::analysis::pictures
