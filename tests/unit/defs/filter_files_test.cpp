// filter_files_test.cpp -- filter files as projects have them select what their specification says: tests/data/filters.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "defs/region_filter.hpp"

namespace tarry {
namespace {

namespace fs = std::filesystem;

const std::string& data_folder() {
  const char* const root = std::getenv("TARRY_ROOT");
  static const std::string folder = std::string(root ? root : ".") + "/tests/data/filters/";
  return folder;
}

struct Function {
  std::string name, mangled_name, file;
};

std::vector<Function> read_functions() {
  std::ifstream table(data_folder() + "functions.tsv");
  std::vector<Function> functions;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream fields(line);
    Function& one = functions.emplace_back();
    std::getline(fields, one.name, '\t');
    std::getline(fields, one.mangled_name, '\t');
    std::getline(fields, one.file);
  }
  return functions;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(FilterFiles, SelectWhatTheirSpecificationSays) {
  const std::vector<Function> functions = read_functions();
  ASSERT_GE(functions.size(), 20u);
  std::size_t filters = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(data_folder())) {
    if (entry.path().extension() != ".filter") continue;
    ++filters;
    auto filter = RegionFilter::read(entry.path().string());
    ASSERT_TRUE(filter.ok()) << filter.error().text();
    std::string recorded;
    for (const Function& one : functions)
      if (filter->includes(one.name, one.mangled_name, one.file)) recorded += one.name + "\n";
    EXPECT_EQ(recorded, text_of(fs::path(entry.path()).replace_extension(".recorded"))) << entry.path();
  }
  EXPECT_EQ(filters, 12u);
}

}  // namespace
}  // namespace tarry
