#pragma once

#include <dpvi/stan/operators.hpp>

namespace dpvi {

inline Value real_value(CallContext& context, double number) {
  return Value::constant_real(context.builder, number);
}

// Short names for formulas over values.
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
  // Where the mask, of the values' shape or a scalar, is not 0.
  Value choose(const Value& mask, const Value& yes, const Value& no) const {
    GraphBuilder& builder = context.builder;
    const Value& shape = no.is_scalar() ? yes : no;
    Value made(shape.type(), shape.dims(),
               builder.select(mask.flat(builder), yes.flat(builder), no.flat(builder)));
    made.trace = shape.trace;
    return made;
  }
};

}  // namespace dpvi
