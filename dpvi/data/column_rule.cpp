#include <dpvi/data/column_rule.hpp>

namespace dpvi {

CellValue ColumnRule::apply_to_unusual(CellState state) const {
  if (state == CellState::unparsable) return {0, CellFate::unparsable, false};
  const CellFate fate = state == CellState::missing ? CellFate::missing : CellFate::unlisted_level;
  if (!replacement_) return {0, fate, false};
  return within_bounds({*replacement_, fate, true});
}

}  // namespace dpvi
