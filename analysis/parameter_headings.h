// Which parameter of a model the heading of a column names, and in which unit its cells are.
#pragma once

#include "frontend/lower/lower.h"
#include "frontend/parse/headings.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace wave::analysis {

struct ParameterHeading {
  std::string path;                // "n", "net.L"; empty: it names none
  frontend::TypeRef type;          // null: it names none
  std::string unit;                // as `read_unit` takes it, if it is known; empty: the heading has none
  std::string note;                // how it was understood, if not by its words alone
  std::vector<std::string> hints;  // where it names none: what may be meant
};

class ParameterHeadings {
 public:
  // `names` may be named beside parameters of the model. `columns` are those of parameters that they are not named
  // after: "MPI ranks" of "p".
  ParameterHeadings(const frontend::Program& program, const frontend::Item& model,
                    const std::map<std::string, frontend::TypeRef>& names,
                    std::map<std::string, std::string> columns = {})
      : program_(program), model_(model), names_(names), columns_(std::move(columns)) {}

  // A parameter of exactly this name comes before one that the name without its unit has (`Wg_us`), and that before one
  // with other capitals, of three letters at least.
  ParameterHeading find(const frontend::TableHeading& heading) const;
  frontend::TypeRef type_of(const std::string& path) const;

 private:
  std::string with_other_capitals(const std::string& name) const;

  const frontend::Program& program_;
  const frontend::Item& model_;
  const std::map<std::string, frontend::TypeRef>& names_;
  const std::map<std::string, std::string> columns_;
};

// Whether a unit, as `read_unit` takes it, is of this dimension.
bool is_unit_of(const std::string& unit, frontend::Dimension dimension);

}  // namespace wave::analysis
