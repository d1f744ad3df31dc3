// See capabilities.h.
#include "editors/server/capabilities.h"

#include "editors/server/features.h"

namespace wave::editors {

Json capabilities(Encoding encoding) {
  constexpr int incremental = 2;
  return {
      {"positionEncoding", encoding == Encoding::utf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync", {{"openClose", true}, {"change", incremental}, {"save", true}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"declarationProvider", true},
      {"typeDefinitionProvider", true},
      {"referencesProvider", true},
      {"documentHighlightProvider", true},
      {"documentSymbolProvider", true},
      {"workspaceSymbolProvider", true},
      {"foldingRangeProvider", true},
      {"selectionRangeProvider", true},
      {"documentFormattingProvider", true},
      {"documentRangeFormattingProvider", true},
      {"callHierarchyProvider", true},
      {"inlayHintProvider", true},
      {"codeLensProvider", {{"resolveProvider", true}}},
      {"executeCommandProvider",
       {{"commands", {Commands::run, Commands::break_down, Commands::test, Commands::uses, Commands::set_parameters}}}},
      {"renameProvider", {{"prepareProvider", true}}},
      {"completionProvider", {{"triggerCharacters", {".", " ", "/"}}}},
      {"signatureHelpProvider", {{"triggerCharacters", {"(", ","}}, {"retriggerCharacters", {"="}}}},
      {"codeActionProvider", {{"codeActionKinds", {"quickfix", "refactor.extract", "refactor.rewrite"}}}},
      {"semanticTokensProvider",
       {{"legend", {{"tokenTypes", token_types()}, {"tokenModifiers", token_modifiers()}}},
        {"full", true},
        {"range", true}}},
      {"workspace",
       {{"workspaceFolders", {{"supported", true}, {"changeNotifications", true}}},
        {"textDocumentContent", {{"schemes", {"wave"}}}}}},
  };
}

}  // namespace wave::editors
