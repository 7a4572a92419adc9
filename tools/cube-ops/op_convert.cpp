// op_convert.cpp -- tarry cube convert: between .cubex files and the XML files of version 3.
#include "base/files/file.hpp"
#include "base/files/input_file.hpp"
#include "ops.hpp"
#include "report/cubex/cube3.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report_input.hpp"

namespace tarry {

// The format of the input decides that of the output.
static Result<int> run_convert(const CubeOptions& options) {
  TARRY_TRY(check_output(options));
  const std::string& input = options.inputs[0];
  if (is_directory(input)) return Error{input, "is a folder, not a report", "name a file"};
  const std::string name = input == "-" ? "standard input" : input;
  const auto as_text = [](std::span<const std::uint8_t> bytes) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  };
  const auto check = [&](std::span<const std::uint8_t> beginning) {
    return is_cube3(as_text(beginning)) ? Status() : check_is_tar(beginning, name);
  };
  const bool is_stream = input == "-" || is_pipe(input);
  TARRY_TRY_ASSIGN(mapped, is_stream ? MappedFile::from_stream(input, check) : MappedFile::open(input));
  const auto bytes = mapped.bytes();
  const std::string_view text = as_text(bytes);
  if (is_cube3(text)) {
    TARRY_TRY_ASSIGN(report, read_cube3(text, name));
    return write_result(ReportCube(report), options);
  }
  TARRY_TRY_ASSIGN(report, CubexFile::open(bytes, name));
  TARRY_TRY(write_cube3(*report, options.output.empty() ? "convert.cube" : options.output));
  return conclude(report->damage(), options.is_strict);
}

Operation convert_operation() {
  return {
      .name = "convert",
      .purpose = "between .cubex files and .cube files of version 3",
      .notes = "The format of the input determines that of the output. Version 3 has only numbers.\n\n",
      .examples = R"(  tarry cube convert old.cube -o new.cubex
  tarry cube convert run/summary.cubex -o old.cube
  tarry cube convert - -o - < old.cube | tarry cube info -
)",
      .see_also = "tarry cube info, docs/CUBE_OPERATIONS.md",
      .gives = Gives::kReport,
      .run = run_convert,
  };
}

}  // namespace tarry
