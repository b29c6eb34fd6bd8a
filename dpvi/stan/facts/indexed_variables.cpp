#include <dpvi/stan/facts/indexed_variables.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace dpvi {
namespace {

using Slots = std::set<int>;

class IndexFinder {
 public:
  IndexFinder(const StanProgram& program, const DataBlock& data) {
    for (const DataBlockVariable& variable : data.variables) {
      const bool per_row =
          variable.role == DataRole::record || variable.role == DataRole::unit_index;
      const Declaration& declaration = *variable.declaration;
      if (!per_row || declaration.declared->base != StanBase::integer) continue;
      sources_[declaration.slot] = {declaration.slot};
      names_[declaration.slot] = declaration.name;
    }
    // Local ints pass their source on; two passes follow assignments against the order of blocks.
    for (int pass = 0; pass < 2; ++pass) {
      for (const BlockKind kind : {BlockKind::transformed_data, BlockKind::transformed_parameters,
                                   BlockKind::model, BlockKind::generated_quantities}) {
        for (const StatementPtr& statement : program.block(kind).statements) follow(*statement);
      }
    }
    for (const BlockKind kind : {BlockKind::parameters, BlockKind::transformed_parameters,
                                 BlockKind::model, BlockKind::generated_quantities}) {
      for (const StatementPtr& statement : program.block(kind).statements) visit(*statement);
    }
  }

  std::vector<IndexedVariable> found() && { return std::move(found_); }

 private:
  // The int data whose values the expression takes: those of `group` in group[n], not those of n.
  Slots taken(const StanExpression& expression) const {
    Slots slots;
    if (expression.kind == ExpressionKind::variable) {
      const auto at = sources_.find(expression.slot);
      if (at != sources_.end()) slots = at->second;
    }
    for (const ExpressionPtr& operand : expression.operands) slots.merge(taken(*operand));
    return slots;
  }

  void follow(const StanStatement& statement) {
    const StanExpression* value = nullptr;
    int slot = -1;
    if (statement.kind == StatementKind::declaration && statement.declaration->initial) {
      const Declaration& declaration = *statement.declaration;
      if (declaration.declared->base == StanBase::integer) slot = declaration.slot;
      value = declaration.initial.get();
    } else if (statement.kind == StatementKind::assignment) {
      const auto changed = assigned_variables(*statement.target);
      if (changed.size() == 1 && changed[0]->type.base == StanBase::integer) {
        slot = changed[0]->slot;
      }
      value = statement.value.get();
    } else if (statement.kind == StatementKind::for_each) {
      slot = statement.slot;
      value = statement.value.get();
    }
    if (slot >= 0 && value != nullptr) sources_[slot].merge(taken(*value));
    for (const StatementPtr& child : statement.body) follow(*child);
  }

  void visit(const StanStatement& statement) {
    if (statement.kind == StatementKind::declaration) {
      const Declaration& declaration = *statement.declaration;
      declared_[declaration.slot] = &declaration;
      if (declaration.initial) visit(*declaration.initial);
    }
    for (const StanExpression* part : {statement.target.get(), statement.value.get(),
                                       statement.lower.get(), statement.upper.get()}) {
      if (part != nullptr) visit(*part);
    }
    for (const ExpressionPtr& argument : statement.arguments) visit(*argument);
    for (const StatementPtr& child : statement.body) visit(*child);
  }

  void visit(const StanExpression& expression) {
    if (expression.kind == ExpressionKind::index) note(expression);
    for (const ExpressionPtr& operand : expression.operands) visit(*operand);
    for (const StanIndex& index : expression.indices) {
      if (index.low) visit(*index.low);
      if (index.high) visit(*index.high);
    }
  }

  void note(const StanExpression& expression) {
    const StanExpression* root = expression.operands[0].get();
    std::size_t axis = 0;
    while (root->kind == ExpressionKind::index) {
      axis += root->indices.size();
      root = root->operands[0].get();
    }
    const auto declared = declared_.find(root->slot);
    if (root->kind != ExpressionKind::variable || declared == declared_.end()) return;
    std::vector<const StanExpression*> sizes;
    for (const ExpressionPtr& size : *declared->second->array_sizes) sizes.push_back(size.get());
    for (const ExpressionPtr& size : declared->second->declared->sizes) {
      sizes.push_back(size.get());
    }
    for (const StanIndex& index : expression.indices) {
      const StanExpression* size = axis < sizes.size() ? sizes[axis] : nullptr;
      ++axis;
      if (index.kind != IndexKind::single || size == nullptr) continue;
      for (const int source : taken(*index.low)) add(*declared->second, source, size, index.spot);
    }
  }

  void add(const Declaration& declaration, int source, const StanExpression* size, Spot spot) {
    const auto name = names_.find(source);
    if (name == names_.end()) return;
    const bool known = std::ranges::any_of(found_, [&](const IndexedVariable& one) {
      return one.name == declaration.name && one.index == name->second;
    });
    if (!known) found_.push_back({declaration.name, name->second, size, spot});
  }

  std::map<int, Slots> sources_;  // by slot: the data from which an int takes its value
  std::map<int, std::string> names_;
  std::map<int, const Declaration*> declared_;
  std::vector<IndexedVariable> found_;
};

}  // namespace

std::vector<IndexedVariable> variables_indexed_by_records(const StanProgram& program,
                                                          const DataBlock& data) {
  return IndexFinder(program, data).found();
}

}  // namespace dpvi
