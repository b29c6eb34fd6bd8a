#include <dpvi/report/bundle_texts.hpp>

#include <dpvi/report/internal/json_file.hpp>

namespace dpvi {

const std::string& BundleTexts::text(const std::string& name) const {
  const auto found = files.find(name);
  if (found == files.end()) refuse_unreadable(path(name), ENOENT);
  return found->second;
}

BundleTexts read_bundle_texts(const std::filesystem::path& folder) {
  require_bundle(folder);
  BundleTexts texts{folder, {}};
  for (const char* name :
       {"draws.csv", "posterior.json", "statement.json", "run.json", "model.stan", "schema.toml"}) {
    std::error_code failure;
    if (!std::filesystem::exists(folder / name, failure) && !failure) continue;
    texts.files[name] = read_bundle_file(texts.path(name));
  }
  return texts;
}

}  // namespace dpvi
