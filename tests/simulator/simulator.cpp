// Answers for what can be asked about a process, and for the outputs of a model.
#include "tests/simulator/simulator.h"

#include "frontend/check/members.h"
#include "tests/simulator/simulation.h"

#include <boost/multiprecision/cpp_int.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace wave::simulator {

using namespace frontend;

namespace {

// Sizes of the programs that are simulated are whole bytes, so the sums are exact.
std::map<std::string, double> peaks_of(const std::vector<Operation>& program) {
  std::map<std::string, double> held, peaks{{"", 0}};
  for (const Operation& operation : program) {
    const auto* const one = std::get_if<Hold>(&operation);
    if (!one) continue;
    for (const std::string& name : {one->memory, std::string()}) {
      held[name] += one->bytes;
      double& peak = peaks[name];
      if (!std::isnan(peak)) peak = held[name] < -1 ? std::nan("") : std::max(held[name], peak);
    }
  }
  return peaks;
}

double peak_of(const Measured& asked, std::size_t rank) {
  const auto found = asked.result->peaks[rank].find(asked.phase);
  const double peak = found == asked.result->peaks[rank].end() ? 0 : found->second;
  if (std::isnan(peak)) throw Failed{"released_more", {}};
  return peak;
}

}  // namespace

std::shared_ptr<const Result> simulate(Evaluator& evaluator, const Item& process,
                                       const std::shared_ptr<Instance>& model) {
  const auto quantum = evaluator.quanta.find(process.name.text);
  evaluator.quantum = quantum != evaluator.quanta.end() ? quantum->second : 0;
  Programs programs = write_out(evaluator, process, model);
  if (const auto wrong = match(evaluator, programs)) throw Failed{*wrong, process.location};
  Result result = run(programs);
  for (const auto& program : programs.of) result.peaks.push_back(peaks_of(program));
  return std::make_shared<const Result>(std::move(result));
}

double cost_of_algorithm(Evaluator& evaluator, const Item& collective, const std::shared_ptr<Instance>& machine,
                         const std::vector<Argument>& arguments, const Scope& scope, Location) {
  const auto& node = std::get<item::Collective>(collective.node);
  std::map<std::string, Value> values;
  std::size_t position = 0;
  for (const Argument& argument : arguments) {
    const std::size_t number = position++;
    const bool is_last = number == node.parameters.size();
    const std::string name = argument.name ? argument.name->text : is_last ? "p" : node.parameters[number].name.text;
    values[name] = evaluator.evaluate(*argument.value, scope);
  }
  const auto count = std::get<std::int64_t>(values.at("p").is);
  if (count < 1) throw Failed{"extent_not_positive", collective.location};
  Programs programs = write_out_algorithm(evaluator, collective, machine, values, static_cast<std::size_t>(count));
  if (const auto wrong = match(evaluator, programs)) throw Failed{*wrong, collective.location};
  double last = 0;
  for (const Account& account : run(programs).processes) last = std::max(last, account.finish);
  return last;
}

double cost_of_message(Evaluator& evaluator, const DerivedCost& cost, double size, const std::string& within,
                       Location location) {
  if (size < 0) throw Failed{"negative_quantity", location};
  const auto& [end, machine, declaration] = cost;
  const Chosen chosen = choose_protocol(evaluator, machine, *declaration, size, {within, 0, 1});
  Programs programs;
  programs.grid = {{2}, {false}, {}};
  // Both are together on the level that they share, and on those around it.
  std::int64_t apart = 1;
  for (const std::string& level : frontend::check::levels_of(*machine->declaration)) {
    if (level == within) apart = 0;
    programs.grid.levels.push_back({level, {0, apart}, {}});
  }
  programs.of.resize(2);
  programs.shares_processor = takes_in_on_arrival(*declaration);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    Message& message = programs.messages.emplace_back();
    message.process = rank;
    message.sends = rank == 0;
    message.size = size;
    message.machine = machine;
    message.steps = steps_of(evaluator, chosen, message.sends, 0);
    programs.of[rank].emplace_back(&message);
  }
  programs.messages[0].partner = &programs.messages[1];
  programs.messages[1].partner = &programs.messages[0];
  const Moment long_ago{false, 0, 0}, zero;
  const Result result = run(programs, {end == "recv" ? long_ago : zero, end == "send" ? long_ago : zero});
  if (end == "total") return result.processes[1].finish;
  return result.kept[end == "send" ? 0 : 1];
}

namespace {

Value quantity_of(const Account& account, const std::string& quantity) {
  if (quantity == "time" || quantity.empty()) return {account.time};
  if (quantity == "finish") return {account.finish};
  if (quantity == "compute") return {account.compute};
  if (quantity == "overhead") return {account.overhead};
  if (quantity == "wait") return {account.wait()};
  if (quantity == "messages") return {account.messages};
  if (quantity == "bytes") return {account.bytes};
  throw Unsupported{"the quantity `" + quantity + "`"};
}

Value over_all(const std::vector<Account>& accounts, const std::string& quantity, const std::string& over) {
  std::vector<double> times;
  for (const Account& account : accounts) times.push_back(as_real(quantity_of(account, quantity)));
  if (over == "max") return {*std::max_element(times.begin(), times.end())};
  if (over == "min") return {*std::min_element(times.begin(), times.end())};
  using Exact = boost::multiprecision::cpp_rational;
  Exact sum = 0;
  for (const double time : times) sum += Exact(time);
  return {Exact(sum / times.size()).convert_to<double>()};
}

// The accounts of the phase, or of the whole process.
std::vector<Account> accounts(const Measured& asked) {
  if (!asked.in_phase) return asked.result->processes;
  const auto found = asked.result->phases.find(asked.phase);
  return found != asked.result->phases.end() ? found->second : std::vector<Account>(asked.result->processes.size());
}

}  // namespace

Value read(const Measured& asked) {
  if (asked.quantity == "peak") {
    double most = 0;
    for (std::size_t rank = 0; rank < asked.result->peaks.size(); ++rank) most = std::max(most, peak_of(asked, rank));
    return {most};
  }
  const std::vector<Account> all = accounts(asked);
  if (!asked.over.empty()) return over_all(all, asked.quantity, asked.over);
  if (asked.quantity == "messages") {
    std::int64_t sum = 0;
    for (const Account& one : all) sum += one.messages;
    return {sum};
  }
  if (asked.quantity == "bytes") {
    double sum = 0;
    for (const Account& one : all) sum += one.bytes;
    return {sum};
  }
  const auto& whole = asked.result->processes;
  const auto last = std::max_element(whole.begin(), whole.end(),
                                     [](const Account& a, const Account& b) { return a.finish < b.finish; });
  return quantity_of(all[static_cast<std::size_t>(last - whole.begin())], asked.quantity);
}

Value read(const Measured& asked, const std::vector<std::int64_t>& indices, Location location) {
  const Grid grid{asked.result->extents, std::vector<bool>(asked.result->extents.size(), false), {}};
  const auto rank = grid.rank(indices);
  if (!rank) throw Failed{"index_off_grid", location};
  if (asked.quantity == "peak") return {peak_of(asked, *rank)};
  return quantity_of(accounts(asked)[*rank], asked.quantity);
}

namespace {

// Adds one row for a value, or a row for each element of a list.
void add_rows(const Value& value, const std::vector<Value>& indices, std::vector<std::vector<Value>>& rows) {
  if (const auto* list = std::get_if<std::shared_ptr<List>>(&value.is)) {
    for (const Value& element : (*list)->elements) add_rows(looked_at(element), indices, rows);
    return;
  }
  std::vector<Value> row = indices;
  if (const auto* record = std::get_if<std::shared_ptr<Record>>(&value.is)) {
    for (const auto& field : std::get<item::Record>((*record)->declaration->node).fields) {
      row.push_back(looked_at((*record)->fields.at(field.first.text)));
    }
  } else {
    row.push_back(value);
  }
  rows.push_back(std::move(row));
}

void rows_of(Evaluator& evaluator, const item::Output& output, std::size_t at, const Scope& scope,
             std::vector<Value> indices, std::vector<std::vector<Value>>& rows) {
  if (at == output.indices.size()) {
    return add_rows(evaluator.evaluate(*output.value, scope), indices, rows);
  }
  const Binder& binder = output.indices[at];
  for (const Value& element : evaluator.list(*binder.list, scope)) {
    const Scope inner{scope.self, with(scope.locals, binder.name.text, element)};
    if (binder.filter && !evaluator.boolean(*binder.filter, inner)) continue;
    std::vector<Value> longer = indices;
    longer.push_back(element);
    rows_of(evaluator, output, at + 1, inner, std::move(longer), rows);
  }
}

}  // namespace

std::vector<Answer> outputs_of(const Item& model, const Conditions& conditions) {
  Evaluator evaluator;
  const auto instance = evaluator.new_instance();
  instance->declaration = &model;
  instance->given = conditions.given;
  evaluator.quanta = conditions.quanta;
  std::vector<Answer> answers;
  for (const auto& item : std::get<item::Model>(model.node).members) {
    const auto* output = std::get_if<item::Output>(&item->node);
    if (!output) continue;
    Answer answer{item->name.text, {}, "", ""};
    try {
      evaluator.check_requirements(instance);
      rows_of(evaluator, *output, 0, {instance, nullptr}, {}, answer.rows);
    } catch (const Failed& failed) {
      answer.failure = failed.kind;
    } catch (const Unsupported& unknown) {
      answer.unsupported = unknown.what;
    }
    answers.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace wave::simulator
