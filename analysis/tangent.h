// Tells how the scalars of a system change with its inputs. Each real value gets a tangent: its derivative along a
// direction that is chosen when the system is evaluated. The tangents are ordinary definitions and recurrences of the
// same system, so every engine can evaluate them.
//
// A direction has a number for each input, its `seed`, which says how fast the input moves. A maximum follows the
// operand that counts, which is the first one if several are equal up to rounding. Conditions stay as they are. What
// jumps
// (`floor`, `div`, thresholds) has no derivative there.
#pragma once

#include "ir/builder.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::analysis {

// Thrown where no tangent can be found.
struct NoTangent {
  std::string why;
};

class Tangents {
 public:
  // Adds to `system`, which must outlive the object. `inputs` are the definitions of the root frame whose derivatives
  // count, each with the definition of its seed. What stands behind them does not count. `tables` are those whose
  // values move in proportion, with their seeds. `stand_ins` gives, for a question to a process, a value that is as
  // large and that has a tangent.
  Tangents(ir::System& system, std::map<ir::DefinitionId, ir::DefinitionId> inputs,
           std::map<ir::TableId, ir::DefinitionId> tables, std::map<ir::ValueId, ir::ValueId> stand_ins);

  // The tangent of a value that stands in the root frame outside of loops, as a definition of that frame. Not valid if
  // it is 0 in every direction. Throws NoTangent.
  ir::DefinitionId define(ir::ValueId value);

  // A real definition of the root frame whose value is given from outside, and is 0 otherwise.
  static ir::DefinitionId make_seed(ir::Builder& builder, const std::string& name);

 private:
  struct Rules;
  struct Presence;
  // A copy of a function that takes tangents beside its arguments.
  struct FrameCopy {
    ir::FrameId frame;
    std::vector<ir::ParameterId> originals;
  };
  // One of the values of which a maximum is taken.
  struct Candidate {
    ir::ValueId present;  // not valid if it always is
    ir::ValueId value, tangent;
  };

  // --- tangent.cpp; a tangent that is not valid is zero ---
  void find_dependent();
  bool is_dependent(ir::ValueId value) const;
  ir::ValueId tangent(ir::ValueId value);
  ir::ValueId tangent_of(ir::DefinitionId definition);
  ir::ValueId call(const ir::Call& call);
  FrameCopy& copy_frame(ir::FrameId frame);
  ir::ValueId copy(ir::ValueId value);
  ir::DefinitionId copy(ir::DefinitionId definition);
  ir::ValueId zero() { return b_.real(0); }
  ir::ValueId or_zero(ir::ValueId tangent) { return tangent.valid() ? tangent : zero(); }
  ir::ValueId add(ir::ValueId a, ir::ValueId b);
  ir::ValueId scale(ir::ValueId tangent, ir::ValueId by);
  ir::ValueId ratio(ir::ValueId a, ir::ValueId b);

  // --- tangent_events.cpp ---
  Candidate choose(const std::vector<Candidate>& candidates, bool greatest);
  ir::EventId event(ir::EventId event);
  ir::ValueId body_of(const ir::Event& event);
  ir::ValueId present(ir::ValueId value);  // not valid if it always is
  ir::ValueId in_space(const ir::Space& space, const std::vector<std::int32_t>& offset);
  ir::ValueId both(ir::ValueId a, ir::ValueId b);

  ir::System& system_;
  ir::Builder b_;
  std::map<ir::DefinitionId, ir::DefinitionId> inputs_;
  std::map<ir::TableId, ir::DefinitionId> tables_;
  std::map<ir::ValueId, ir::ValueId> stand_ins_;
  // What an input may have a part in, in the system as it was.
  std::vector<bool> values_, definitions_, parameters_, events_;
  std::unordered_map<ir::ValueId, ir::ValueId> known_[2];  // tangents, outside and inside events
  std::unordered_map<ir::ValueId, ir::ValueId> copies_, presences_;
  std::unordered_map<ir::DefinitionId, ir::DefinitionId> of_definition_, copy_of_;
  std::unordered_map<ir::ParameterId, ir::ParameterId> of_parameter_, copy_of_parameter_;
  std::unordered_map<ir::EventId, ir::EventId> of_event_;
  std::unordered_map<ir::FrameId, FrameCopy> frames_;
  bool in_event_ = false;
  ir::SiteId site_;
};

}  // namespace wave::analysis
