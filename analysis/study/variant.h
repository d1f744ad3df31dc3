// One system of a study: what is left when everything that shapes it has been chosen.
#pragma once

#include "analysis/batch.h"
#include "analysis/study/sampled.h"
#include "analysis/study/study_model.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::analysis {

class StudyVariant {
 public:
  // Null, with diagnostics, where the study cannot be lowered.
  static std::unique_ptr<StudyVariant> make(const frontend::Program& program, const frontend::Item& study,
                                            const std::vector<frontend::Override>& overrides,
                                            const std::vector<std::size_t>& choices,
                                            const StudyModel::EngineMaker& engines, int threads,
                                            frontend::Diagnostics& diagnostics, frontend::StudyAsks asks,
                                            StudySampling sampling = {});

  const frontend::LoweredStudy& study() const { return study_; }
  backend::Engine& engine() { return *engine_; }
  std::size_t drawn() const { return sampler_ ? sampler_->drawn() : 0; }
  std::string schedule() const { return batch_ ? batch_->schedule() : std::string(); }

  // Strings count in `words`, which grows. `columns` are of the variables that do not shape.
  std::variant<BatchValues, ir::Failure> evaluate(const std::vector<const ColumnValues*>& columns, std::size_t rows,
                                                  std::vector<std::string>& words, const backend::Limits& limits,
                                                  const std::function<void(std::size_t rows)>& progress);
  // A string of the study as this system counts it.
  std::int64_t own_word(const std::string& text);

 private:
  std::variant<BatchValues, ir::Failure> evaluate_once(const backend::Limits& limits);
  void prepare(int threads, StudySampling sampling);
  std::variant<BatchValues, ir::Failure> replicated(std::variant<BatchValues, ir::Failure> once, std::size_t rows,
                                                    std::vector<std::string>& words) const;
  void translate(BatchValues& values, std::vector<std::string>& words) const;

  frontend::LoweredStudy study_;
  std::unique_ptr<backend::Engine> engine_;
  std::unique_ptr<ModelBatch> batch_;
  std::unique_ptr<PointSampler> sampler_;  // null: nothing is drawn
  std::vector<bool> is_text_;              // of the columns that are shown
  std::unordered_map<std::string, std::int64_t> known_words_;
};

// The number of a text among texts that grow.
std::int64_t word_number(std::vector<std::string>& words, const std::string& text);

bool is_string(const frontend::TypeRef& type);

// What varies in a study, with the values that it lists.

// Of the first system of a study. `words` are the strings of the study, to which those of the lists are added.
std::vector<Variable> describe_variables(StudyVariant& first, const backend::Limits& limits,
                                         std::vector<std::string>& words, frontend::Diagnostics& diagnostics);

std::vector<std::string> words_of_choice(const frontend::TypeRef& type);

// Values of other types are held as integers. A null type is none.
inline bool is_real(const frontend::TypeRef& type) {
  return type != nullptr && std::holds_alternative<frontend::types::Real>(type->kind);
}

}  // namespace wave::analysis
