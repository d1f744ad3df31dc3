// Tells how the scalars of a system change with its inputs. Each real value gets a tangent beside it: the derivative
// along a direction that is chosen when the system is evaluated. The tangents are ordinary definitions and recurrences
// of the same system, so every engine evaluates them.
//
// A direction is a number per input (its `seed`): how fast the input moves. Maxima follow the operand that counts (the
// first where several are as large, up to rounding), conditions stay as they are, and what jumps (`floor`, `div`,
// thresholds) has no derivative there.
#pragma once

#include "ir/builder.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace wave::analysis {

// Something that a tangent cannot be found through.
struct NoTangent {
  std::string why;
};

class Tangents {
 public:
  // Goes on where `system` stands; the system must outlive the object. `inputs`: definitions of the root frame whose
  // derivatives count, with the definitions of their seeds; what stands behind them does not. `tables` whose values
  // move in proportion, with their seeds. `stand_ins`: of what is asked of a process, a value that is as large and says
  // how.
  Tangents(ir::System& system, std::map<ir::DefinitionId, ir::DefinitionId> inputs,
           std::map<ir::TableId, ir::DefinitionId> tables, std::map<ir::ValueId, ir::ValueId> stand_ins);

  // A definition of the root frame: the tangent of a value that stands there outside of loops. Not valid: it is 0 in
  // every direction. Throws NoTangent.
  ir::DefinitionId define(ir::ValueId value);

  // A real definition of the root frame that is a number given from outside, 0 if nothing is.
  static ir::DefinitionId make_seed(ir::Builder& builder, const std::string& name);

 private:
  struct Rules;
  struct Presence;
  // A function as it is called with tangents beside its arguments.
  struct FrameCopy {
    ir::FrameId frame;
    std::vector<ir::ParameterId> originals;
  };
  // One of those that a maximum is taken of.
  struct Candidate {
    ir::ValueId present;  // not valid: always
    ir::ValueId value, tangent;
  };

  // --- tangent.cpp; not valid: zero ---
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
  ir::ValueId present(ir::ValueId value);  // not valid: always
  ir::ValueId in_space(const ir::Space& space, const std::vector<std::int32_t>& offset);
  ir::ValueId both(ir::ValueId a, ir::ValueId b);

  ir::System& system_;
  ir::Builder b_;
  std::map<ir::DefinitionId, ir::DefinitionId> inputs_;
  std::map<ir::TableId, ir::DefinitionId> tables_;
  std::map<ir::ValueId, ir::ValueId> stand_ins_;
  // What an input may have a part in; of the system as it was.
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
