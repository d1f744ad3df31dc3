// What there is to know of the parameters of a model.
#pragma once

#include "api/c/models.h"

#include <deque>
#include <string>
#include <vector>

namespace wave::api {

class ParameterList {
 public:
  // Lowers the model for its present values, and a study of all its scalar parameters for their defaults and ranges.
  ParameterList(Model& model, const backend::Limits& limits);

  const std::vector<wave_parameter_info>& all() const { return all_; }

 private:
  void add(Model& model, const frontend::ParameterInfo& parameter, backend::Evaluation& evaluation);
  void add_ranges(Model& model, const backend::Limits& limits);
  const char* keep(std::string text) { return texts_.emplace_back(std::move(text)).c_str(); }

  std::deque<std::string> texts_;
  std::vector<wave_parameter_info> all_;
  std::vector<ColumnHead> heads_;
};

}  // namespace wave::api
