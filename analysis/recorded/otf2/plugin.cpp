// The only code that sees OTF2 (3.0, https://www.score-p.org; it reads traces of earlier versions, too).
#include "analysis/recorded/otf2/plugin.h"

#include <cstdarg>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <otf2/otf2.h>

namespace wave::analysis::recorded::otf2 {
namespace {

// What the library said first, which would otherwise go to the terminal.
std::string complaint;
std::optional<OTF2_ErrorCode> complained;

OTF2_ErrorCode keep_complaint(void*, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                              va_list arguments) {
  char text[256] = "";
  if (format) std::vsnprintf(text, sizeof text, format, arguments);
  if (!complained) {
    complained = code;
    complaint = text;
  }
  return code;
}

void forget_complaint() {
  complained.reset();
  complaint.clear();
}

std::string reason(OTF2_ErrorCode code) {
  return OTF2_Error_GetDescription(complained ? *complained : code) + (complaint.empty() ? "" : " (" + complaint + ")");
}

// An exception must not pass through the library: it is kept, and thrown again behind it.
struct Reading {
  Listener& listener;
  Definitions definitions{};
  std::map<std::uint32_t, std::string> strings{};
  std::map<std::uint32_t, std::uint32_t> names{};  // of regions
  std::vector<std::uint64_t> locations{};
  std::exception_ptr thrown{};
  bool is_enough = false;                     // the listener wants no more
  std::optional<OTF2_TimeStamp> off_since{};  // of the location that is read
};

template <class Action>
OTF2_CallbackCode guarded(void* data, const Action& action) {
  Reading& reading = *static_cast<Reading*>(data);
  try {
    action(reading);
    return reading.is_enough ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
  } catch (...) {
    reading.thrown = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
}

OTF2_CallbackCode pass_on(void* data, const TraceEvent& event) {
  return guarded(data, [&](Reading& reading) { reading.is_enough = !reading.listener.take(event); });
}

// --- definitions ---

OTF2_CallbackCode clock(void* data, uint64_t ticks_per_second, uint64_t, uint64_t, uint64_t) {
  return guarded(data, [&](Reading& reading) { reading.definitions.ticks_per_second = ticks_per_second; });
}
OTF2_CallbackCode string(void* data, OTF2_StringRef self, const char* text) {
  return guarded(data, [&](Reading& reading) { reading.strings[self] = text ? text : ""; });
}
OTF2_CallbackCode region(void* data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                         OTF2_RegionRole, OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, uint32_t, uint32_t) {
  return guarded(data, [&](Reading& reading) { reading.names[self] = name; });
}
OTF2_CallbackCode location(void* data, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type, uint64_t,
                           OTF2_LocationGroupRef) {
  return guarded(data, [&](Reading& reading) {
    if (type == OTF2_LOCATION_TYPE_CPU_THREAD) reading.locations.push_back(self);
  });
}
OTF2_CallbackCode group(void* data, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                        OTF2_GroupFlag flags, uint32_t count, const uint64_t* members) {
  return guarded(data, [&](Reading& reading) {
    if (paradigm != OTF2_PARADIGM_MPI) return;
    std::vector<std::uint64_t> all(members, members + (members ? count : 0));
    if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
      reading.definitions.ranks = std::move(all);
      return;
    }
    if (type != OTF2_GROUP_TYPE_COMM_GROUP && type != OTF2_GROUP_TYPE_COMM_SELF) return;
    RankGroup& made = reading.definitions.groups[self];
    made.members = std::move(all);
    made.is_self = type == OTF2_GROUP_TYPE_COMM_SELF;
    made.has_global_ranks = (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0;
  });
}
OTF2_CallbackCode communicator(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef members, OTF2_CommRef,
                               OTF2_CommFlag) {
  return guarded(data, [&](Reading& reading) { reading.definitions.communicators[self] = {members, members}; });
}
OTF2_CallbackCode between(void* data, OTF2_CommRef self, OTF2_StringRef, OTF2_GroupRef one, OTF2_GroupRef other,
                          OTF2_CommRef, OTF2_CommFlag) {
  return guarded(data, [&](Reading& reading) { reading.definitions.communicators[self] = {one, other}; });
}

// --- events ---

TraceEvent at(TraceEvent::Kind kind, OTF2_TimeStamp time) {
  TraceEvent event;
  event.kind = kind;
  event.time = time;
  return event;
}
TraceEvent message(TraceEvent::Kind kind, OTF2_TimeStamp time, uint32_t peer, OTF2_CommRef among, uint32_t tag,
                   uint64_t bytes, uint64_t request = 0) {
  TraceEvent event = at(kind, time);
  event.peer = peer;
  event.communicator = among;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  return event;
}

OTF2_CallbackCode entered(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                          OTF2_RegionRef region) {
  TraceEvent event = at(TraceEvent::Kind::enter, time);
  event.region = region;
  return pass_on(data, event);
}
OTF2_CallbackCode left(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                       OTF2_RegionRef region) {
  TraceEvent event = at(TraceEvent::Kind::leave, time);
  event.region = region;
  return pass_on(data, event);
}
OTF2_CallbackCode flushed(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                          OTF2_TimeStamp until) {
  TraceEvent event = at(TraceEvent::Kind::pause, time);
  event.until = until;
  return pass_on(data, event);
}
// From off to on is a pause. A trace may begin with on.
OTF2_CallbackCode switched(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                           OTF2_MeasurementMode mode) {
  Reading& reading = *static_cast<Reading*>(data);
  TraceEvent event = at(TraceEvent::Kind::pause, reading.off_since.value_or(time));
  event.until = time;
  reading.off_since = mode == OTF2_MEASUREMENT_OFF ? std::optional(time) : std::nullopt;
  return mode == OTF2_MEASUREMENT_ON ? pass_on(data, event) : OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode sent(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*, uint32_t to,
                       OTF2_CommRef among, uint32_t tag, uint64_t bytes) {
  return pass_on(data, message(TraceEvent::Kind::send, time, to, among, tag, bytes));
}
OTF2_CallbackCode started_to_send(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                                  uint32_t to, OTF2_CommRef among, uint32_t tag, uint64_t bytes, uint64_t request) {
  return pass_on(data, message(TraceEvent::Kind::started_send, time, to, among, tag, bytes, request));
}
OTF2_CallbackCode received(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                           uint32_t from, OTF2_CommRef among, uint32_t tag, uint64_t bytes) {
  return pass_on(data, message(TraceEvent::Kind::receive, time, from, among, tag, bytes));
}
OTF2_CallbackCode ended_to_receive(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                                   uint32_t from, OTF2_CommRef among, uint32_t tag, uint64_t bytes, uint64_t request) {
  return pass_on(data, message(TraceEvent::Kind::ended_receive, time, from, among, tag, bytes, request));
}
template <TraceEvent::Kind kind>
OTF2_CallbackCode request(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                          uint64_t number) {
  TraceEvent event = at(kind, time);
  event.request = number;
  return pass_on(data, event);
}

const char* name_of(OTF2_CollectiveOp operation) {
  switch (operation) {
    case OTF2_COLLECTIVE_OP_BARRIER: return "Barrier";
    case OTF2_COLLECTIVE_OP_BCAST: return "Bcast";
    case OTF2_COLLECTIVE_OP_GATHER: return "Gather";
    case OTF2_COLLECTIVE_OP_GATHERV: return "Gatherv";
    case OTF2_COLLECTIVE_OP_SCATTER: return "Scatter";
    case OTF2_COLLECTIVE_OP_SCATTERV: return "Scatterv";
    case OTF2_COLLECTIVE_OP_ALLGATHER: return "Allgather";
    case OTF2_COLLECTIVE_OP_ALLGATHERV: return "Allgatherv";
    case OTF2_COLLECTIVE_OP_ALLTOALL: return "Alltoall";
    case OTF2_COLLECTIVE_OP_ALLTOALLV: return "Alltoallv";
    case OTF2_COLLECTIVE_OP_ALLTOALLW: return "Alltoallw";
    case OTF2_COLLECTIVE_OP_ALLREDUCE: return "Allreduce";
    case OTF2_COLLECTIVE_OP_REDUCE: return "Reduce";
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER: return "Reduce_scatter";
    case OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK: return "Reduce_scatter_block";
    case OTF2_COLLECTIVE_OP_SCAN: return "Scan";
    case OTF2_COLLECTIVE_OP_EXSCAN: return "Exscan";
    default: return "";  // makes or frees something, which its region says
  }
}
OTF2_CallbackCode collective(OTF2_LocationRef, OTF2_TimeStamp time, uint64_t, void* data, OTF2_AttributeList*,
                             OTF2_CollectiveOp operation, OTF2_CommRef among, uint32_t root, uint64_t bytes,
                             uint64_t received) {
  return guarded(data, [&](Reading& reading) {
    TraceEvent event = message(TraceEvent::Kind::collective, time, root, among, 0, bytes);
    event.received = received;
    event.operation = name_of(operation);
    if (!event.operation.empty()) reading.is_enough = !reading.listener.take(event);
  });
}

// --- a whole trace ---

using Reader = std::unique_ptr<OTF2_Reader, decltype(&OTF2_Reader_Close)>;

std::string read_definitions(OTF2_Reader* reader, Reading& reading) {
  OTF2_GlobalDefReader* const definitions = OTF2_Reader_GetGlobalDefReader(reader);
  if (!definitions) return reason(OTF2_ERROR_INVALID);
  const std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)> callbacks(
      OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks.get(), clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks.get(), string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks.get(), region);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks.get(), location);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks.get(), group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks.get(), communicator);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks.get(), between);
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks.get(), &reading);
  uint64_t count = 0;
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
  OTF2_Reader_CloseGlobalDefReader(reader, definitions);
  if (reading.thrown) std::rethrow_exception(reading.thrown);
  if (code != OTF2_SUCCESS) return "its definitions: " + reason(code);
  for (const auto& [self, name] : reading.names) {
    const auto found = reading.strings.find(name);
    if (found != reading.strings.end()) reading.definitions.regions[self] = found->second;
  }
  return "";
}

// What maps the numbers of a location's own definitions. Traces need not have them.
void read_own_definitions(OTF2_Reader* reader, const Reading& reading) {
  const bool is_there = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
  for (const std::uint64_t one : reading.locations) {
    OTF2_DefReader* const own = is_there ? OTF2_Reader_GetDefReader(reader, one) : nullptr;
    if (!own) continue;
    uint64_t count = 0;
    OTF2_Reader_ReadAllLocalDefinitions(reader, own, &count);
    OTF2_Reader_CloseDefReader(reader, own);
  }
  if (is_there) OTF2_Reader_CloseDefFiles(reader);
  forget_complaint();
}

std::string read_location(OTF2_Reader* reader, std::uint64_t one, const OTF2_EvtReaderCallbacks* callbacks,
                          Reading& reading) {
  OTF2_EvtReader* const events = OTF2_Reader_GetEvtReader(reader, one);
  if (!events) return reason(OTF2_ERROR_INVALID);
  OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, &reading);
  uint64_t count = 0;
  reading.off_since.reset();
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
  OTF2_Reader_CloseEvtReader(reader, events);
  if (reading.thrown) std::rethrow_exception(reading.thrown);
  return code == OTF2_SUCCESS || reading.is_enough ? "" : reason(code);
}

std::string read_events(OTF2_Reader* reader, Reading& reading) {
  for (const std::uint64_t one : reading.locations) OTF2_Reader_SelectLocation(reader, one);
  if (const OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(reader); code != OTF2_SUCCESS)
    return "its events: " + reason(code);
  read_own_definitions(reader, reading);
  const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> callbacks(
      OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
  OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks.get(), entered);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks.get(), left);
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks.get(), flushed);
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks.get(), switched);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks.get(), sent);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks.get(), started_to_send);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks.get(), request<TraceEvent::Kind::ended_send>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks.get(), request<TraceEvent::Kind::posted_receive>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks.get(), received);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks.get(), ended_to_receive);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks.get(), request<TraceEvent::Kind::cancelled>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks.get(), collective);
  for (const std::uint64_t one : reading.locations) {
    if (!reading.listener.begin(one)) break;
    const std::string trouble = read_location(reader, one, callbacks.get(), reading);
    if (!trouble.empty()) return "the events of location " + std::to_string(one) + ": " + trouble;
    if (reading.is_enough) break;
  }
  OTF2_Reader_CloseEvtFiles(reader);
  return "";
}

std::string read(const std::string& anchor, Listener& listener) {
  forget_complaint();
  OTF2_Error_RegisterCallback(keep_complaint, nullptr);
  const Reader reader(OTF2_Reader_Open(anchor.c_str()), OTF2_Reader_Close);
  if (!reader) return reason(OTF2_ERROR_INVALID);
  OTF2_Reader_SetSerialCollectiveCallbacks(reader.get());
  Reading reading{listener};
  std::string trouble = read_definitions(reader.get(), reading);
  if (!trouble.empty()) return trouble;
  return listener.define(reading.definitions) ? read_events(reader.get(), reading) : "";
}

constexpr Plugin plugin{WAVE_OTF2_ABI, read};

}  // namespace
}  // namespace wave::analysis::recorded::otf2

extern "C" __attribute__((visibility("default"))) const wave::analysis::recorded::otf2::Plugin* wave_otf2_plugin() {
  return &wave::analysis::recorded::otf2::plugin;
}
