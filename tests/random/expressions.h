// Random expressions of a given type, made from what is in scope.
#pragma once

#include "ir/builder.h"
#include "tests/random/choices.h"
#include "tests/random/random_system.h"

namespace wave::test {

// The names that an expression may refer to.
struct Surroundings {
  ir::FrameId frame;
  std::vector<ir::BinderId> binders;
  std::vector<ir::ParameterId> parameters;
  std::vector<ir::DefinitionId> definitions;
  std::vector<ir::EventId> readable;  // whole groups that are known already
  struct Function {
    ir::FrameId frame;
    ir::DefinitionId result;
    std::vector<ir::ScalarType> parameters;
  };
  std::vector<Function> functions;
  std::vector<ir::TableId> tables;
  // Inside an event, the neighbours that an expression may read.
  std::vector<ir::Neighbour> neighbours;
  bool in_event = false;
  int loops = 0;  // the number of loops around it
};

class Expressions {
 public:
  Expressions(ir::Builder& builder, Choices& choices, const Options& options)
      : b_(builder), choose_(choices), failures_(choices), options_(options) {}

  ir::ValueId of(ir::ScalarType type, const Surroundings& around) {
    return make(type, around, options_.depth, chance_of_wild());
  }
  // Mostly finite and moderate, for weights and bounds.
  ir::ValueId weight(const Surroundings& around);
  ir::ValueId small_integer(const Surroundings& around);
  ir::ValueId read(ir::EventId event, const Surroundings& around);
  ir::SiteId site(ir::FailureKind kind);

 private:
  bool chance_of_wild() { return choose_.chance(options_.wild); }
  ir::ValueId make(ir::ScalarType type, const Surroundings& around, int depth, bool wild);
  ir::ValueId leaf(ir::ScalarType type, const Surroundings& around, bool wild);
  ir::ValueId real(const Surroundings& around, int depth, bool wild);
  ir::ValueId integer(const Surroundings& around, int depth, bool wild);
  ir::ValueId boolean(const Surroundings& around, int depth, bool wild);
  ir::ValueId any_type(ir::ScalarType type, const Surroundings& around, int depth, bool wild);
  ir::ValueId call(ir::ScalarType type, const Surroundings& around, int depth, bool wild);
  ir::ValueId reduce(ir::ScalarType type, const Surroundings& around, int depth, bool wild);
  ir::ValueId failure(ir::ScalarType type, const Surroundings& around, int depth);
  ir::ValueId lookup(const Surroundings& around, int depth, bool wild);
  std::vector<ir::Level> levels(Surroundings& inner, bool wild);

  ir::Builder& b_;
  Choices& choose_;
  Choices failures_;  // apart, so that what fails changes nothing else of a system
  const Options& options_;
};

}  // namespace wave::test
