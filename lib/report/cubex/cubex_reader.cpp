// cubex_reader.cpp -- reads a .cubex file into memory.
#include "report/cubex/cubex_reader.hpp"

#include "report/cubex/cubex_file.hpp"

namespace tarry {

Result<Report> read_cubex(std::span<const std::uint8_t> bytes, const std::string& path) {
  TARRY_TRY_ASSIGN(file, CubexFile::open(bytes, path));
  return load_report(*file);
}

Result<Report> read_cubex(const std::string& path) {
  TARRY_TRY_ASSIGN(file, CubexFile::open(path));
  return load_report(*file);
}

}  // namespace tarry
