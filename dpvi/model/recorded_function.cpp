#include <dpvi/model/recorded_function.hpp>

namespace dpvi {
namespace {

Expression nothing(GraphBuilder& builder) {
  return {&builder, builder.constant(std::span<const double>())};
}

}  // namespace

RecordTape record_function(const ModelShape& shape, const RecordLogDensity& log_density) {
  GraphBuilder builder;
  const Expression none = nothing(builder);
  const auto when = [&](std::int32_t count, auto input) {
    return count == 0 ? none : none.with(input());
  };
  const Expression root =
      log_density(when(shape.parameters, [&] { return builder.theta(0, shape.parameters); }),
                  when(shape.reals, [&] { return builder.record_real(0, shape.reals); }),
                  when(shape.integers, [&] { return builder.record_int(0, shape.integers); }));
  return RecordTape(builder.graph(), root.id, shape.parameters);
}

UniformFunction record_prior(const ModelShape& shape, const LogPrior& log_prior) {
  GraphBuilder builder;
  const Expression root = log_prior({&builder, builder.theta(0, shape.parameters)});
  return UniformFunction(builder.graph(), root.id, shape.parameters);
}

}  // namespace dpvi
