// What an editor asks about a document.
#pragma once

#include "editors/server/messages.h"

#include <string>

namespace wave::editors::testing {

inline constexpr const char* document_requests[] = {"hover",
                                                    "definition",
                                                    "declaration",
                                                    "typeDefinition",
                                                    "references",
                                                    "documentHighlight",
                                                    "documentSymbol",
                                                    "foldingRange",
                                                    "selectionRange",
                                                    "formatting",
                                                    "rangeFormatting",
                                                    "semanticTokens/full",
                                                    "semanticTokens/range",
                                                    "prepareRename",
                                                    "rename",
                                                    "completion",
                                                    "signatureHelp",
                                                    "codeAction",
                                                    "inlayHint",
                                                    "codeLens",
                                                    "prepareCallHierarchy"};

// What any of them needs: about a range of the document, and the place where it begins.
inline Json everything_about(const std::string& uri, const Json& range) {
  return {{"textDocument", {{"uri", uri}}},
          {"position", range["start"]},
          {"positions", Json::array({range["start"]})},
          {"range", range},
          {"context", {{"includeDeclaration", true}, {"diagnostics", Json::array()}}},
          {"newName", "another"},
          {"options", {{"tabSize", 2}, {"insertSpaces", true}}}};
}

}  // namespace wave::editors::testing
