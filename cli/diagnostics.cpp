// See diagnostics.h.
#include "cli/diagnostics.h"

#include "frontend/format/quantities.h"
#include "frontend/source/diagnostic_fields.h"

namespace wave::cli {

std::string count_line(std::size_t errors, std::size_t warnings) {
  std::string result;
  if (errors > 0) result = frontend::counted(errors, "error");
  if (warnings > 0) result += (result.empty() ? "" : ", ") + frontend::counted(warnings, "warning");
  return result;
}

Data data_of(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic) {
  DataWriter json;
  frontend::write_fields(json, sources, diagnostic);
  return json.take();
}

std::string render_json(const frontend::Sources& sources, const frontend::Diagnostic& diagnostic) {
  return written(data_of(sources, diagnostic));
}

}  // namespace wave::cli
