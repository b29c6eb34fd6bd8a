#include <string>

#include <dpvi/data/binding.hpp>
#include <dpvi/data/schema.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/data_variables.hpp>

namespace dpvi {

// The schema of a stranger's bundle, and what it binds in a program.
bool read_schema_text(std::string_view content) {
  return allow_refusal([&] {
    BindingRequest request;
    request.variables = {public_size("N"),       public_size("K"),   record_matrix("x", "K"),
                         record_index("g", "K"), record_binary("y"), public_real("tau")};
    request.schema = parse_foreign_schema(content, "s.toml", {{"levels.txt", {"a", "b", "c"}}});
    bind_if_declared(request);
    request.header = {"x.1", "x.2", "g", "y", "id"};
    bind_columns(request);
  });
}

}  // namespace dpvi
