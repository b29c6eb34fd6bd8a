#pragma once

#include <dpvi/stan/value/operators.hpp>

namespace dpvi {

inline Value real_value(CallContext& context, double number) {
  return Value::constant_real(context.builder, number);
}

// Short notation for formulas over values.
struct Formula {
  CallContext& context;
  Value operator()(Op op, const Value& a) const { return elementwise(context, op, a); }
  Value operator()(Op op, const Value& a, const Value& b) const {
    return elementwise(context, op, a, b);
  }
  Value operator()(Op op, const Value& a, double b) const {
    return elementwise(context, op, a, real_value(context, b));
  }
  Value operator()(Op op, double a, const Value& b) const {
    return elementwise(context, op, real_value(context, a), b);
  }
  // Selects `yes` where the mask is not 0, else `no`; scalars are broadcast.
  Value choose(const Value& mask, const Value& yes, const Value& no) const {
    GraphBuilder& builder = context.builder;
    const Value& values = no.is_scalar() ? yes : no;
    const Value& shape = values.is_scalar() ? mask : values;
    const StanType type = values.is_scalar() && shape.type().base == StanBase::integer
                              ? StanType{StanBase::real, shape.type().array_rank}
                              : shape.type();
    const NodeId by = laid_out_like(context, mask, shape).flat(builder);
    Value made(type, shape.dims(), builder.select(by, yes.flat(builder), no.flat(builder)));
    made.trace = shape.trace;
    return made;
  }
};

}  // namespace dpvi
