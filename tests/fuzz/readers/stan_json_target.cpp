#include <string>

#include <dpvi/data/json_records.hpp>
#include <dpvi/data/record_reader.hpp>
#include <dpvi/data/stan_json.hpp>
#include <tests/fuzz/readers/reader_target.hpp>
#include <tests/fuzz/readers/refusal.hpp>
#include <tests/support/data_variables.hpp>

namespace dpvi {

// Stan JSON as public values, and as a table of records.
bool read_stan_data(std::string_view content) {
  allow_refusal([&] {
    PublicData values = public_data_of(parse_stan_json(content, "d.json"));
    check_public_data(std::vector{public_size("N"), public_real("tau")}, values, "N");
  });
  return allow_refusal([&] {
    BindingRequest request;
    request.variables = {public_size("N"),       public_size("K"),   record_matrix("x", "K"),
                         record_index("g", "K"), record_binary("y"), public_real("tau")};
    request.schema = parse_schema("", "s.toml");
    const std::vector<std::string> public_names = {"tau"};
    const JsonBinding bound =
        bind_json(parse_stan_json(content, "d.json", public_in_json(request, public_names)),
                  request, public_names);
    JsonColumns source(parse_stan_json(content, "d.json"), bound.request, bound.binding);
    read_records(source, bound.binding);
  });
}

}  // namespace dpvi
