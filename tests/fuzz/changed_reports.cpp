// changed_reports.cpp -- damaged and malicious reports: read, computed, unified, written; each ends with an error or a
// report that can be read again.
//
// usage: changed_reports FIRST_SEED COUNT
//        changed_reports --write FIRST_SEED COUNT    only writes the cases, as SEED.cubex
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/bytes/bytes.hpp"
#include "driver.hpp"
#include "report/algebra/algebra.hpp"
#include "report/cubex/cube3.hpp"
#include "report/algebra/cube_values.hpp"
#include "report/cubex/cubex_file.hpp"
#include "report/cubex/cubex_reader.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "report/algebra/remap.hpp"
#include "report/tree/unify_reports.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Members = std::map<std::string, Bytes>;

constexpr const char* kFile = "sound.cubex";

std::string text_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }
Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// A tar archive with headers that fit, whatever the members hold.
Bytes pack(const Members& members) {
  std::string tar;
  for (const auto& [name, bytes] : members) {
    tar += tar_header(name, bytes.size());
    tar.append(bytes.begin(), bytes.end());
    tar.append(tar_padding(bytes.size()), '\0');
  }
  return bytes_of(tar + std::string(1024, '\0'));
}

Members sound_members() {
  Report report = sample_report();
  report.structure.metrics[4].expression = "metric::time(i) / metric::visits(e) + ${x}[${calculation::callpath::id}]";
  report.structure.metrics[4].init_expression =
      "{ global(x); ${i} = 0; while (${i} < ${cube::#callpaths}) { if (${cube::region::name}"
      "[${cube::callpath::calleeid}[${i}]] =~ /^MPI_(Send|Recv)$/) { ${x}[${i}] = 1; }; ${i} = ${i} + 1; }; return 0; "
      "}";
  if (!write_cubex(report, kFile).ok()) std::abort();
  const auto bytes = std::move(read_file(kFile)).value();
  Members members;
  const TarDirectory directory = std::move(read_tar_directory(bytes, kFile)).value();
  for (const auto& [name, member] : directory)
    members[name] = Bytes(bytes.begin() + static_cast<std::ptrdiff_t>(member.offset),
                          bytes.begin() + static_cast<std::ptrdiff_t>(member.offset + member.size));
  return members;
}

// Rows as zlib streams, with lengths that may lie.
Bytes compressed(const Bytes& data, std::size_t row_bytes, Random& random) {
  ByteWriter table, area;
  const std::size_t rows = (data.size() - 10) / row_bytes;
  for (std::size_t row = 0; row < rows; ++row) {
    Bytes plain(data.begin() + static_cast<std::ptrdiff_t>(10 + row * row_bytes),
                data.begin() + static_cast<std::ptrdiff_t>(10 + (row + 1) * row_bytes));
    if (random() % 4 == 0) plain.assign(std::size_t{1} << 22, 0);  // a bomb
    uLongf size = compressBound(plain.size());
    Bytes stream(size);
    compress(stream.data(), &size, plain.data(), plain.size());
    table.u64(row * row_bytes);
    table.u64(random() % 8 ? area.bytes().size() : random());
    table.u64(random() % 8 ? size : random());
    area.raw(stream.data(), size);
  }
  ByteWriter out;
  out.raw("ZCUBEX.DATA", 11);
  out.u64(random() % 8 ? rows : random());
  out.raw(table.bytes().data(), table.bytes().size());
  out.raw(area.bytes().data(), area.bytes().size());
  return {out.bytes().begin(), out.bytes().end()};
}

template <class List>
auto pick(const List& list, Random& random) {
  return list[random() % std::size(list)];
}

// A program of tokens that belong to the language, and some that would like to run for ever or read files.
std::string any_program(Random& random) {
  // clang-format off
  static const char* const kWhole[] = {
      "{ while (1 == 1) { ${i} = ${i} + 1; }; return ${i}; }",
      "{ while (true) { ${a}[${i}] = \"x\"; ${i} = ${i} + 1000003; }; return 1; }",
      "metric::tpv() + 1", "metric::call::tpv(0,i)", "env(\"HOME\")", "{ ${a}[1000000000000] = 1; return ${a}; }",
      "{ if (\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\" =~ /^(a+)+$/) { return 1; }; return 0; }",
      "{ return open(\"/etc/passwd\"); }", "metric::fixed::time() / 0", "1 / 0 - 1 / 0", "2 ^ 3 ^ 999999"};
  static const char* const kTokens[] = {
      "{", "}", "(", ")", "[", "]", ";", "+", "-", "*", "/", "^", "|", "=", "==", "<", "=~", "/a(b|c)*/", "if", "elseif",
      "else", "while", "return", "global", "and", "or", "not", "metric::time()", "metric::fixed::visits(i)", "${a}",
      "${a}[1]", "${cube::region::name}[0]", "${cube::#callpaths}", "\"text\"", "1.5", "sqrt", "max", "true",
      "cube::metric::set::time(\"value\",\"VOID\")", "// remark\n", "arg1"};
  // clang-format on
  if (random() % 3 == 0) return pick(kWhole, random);
  if (random() % 8 == 0) return std::string(random() % 4000, pick(std::string("({-|"), random));
  std::string program;
  for (std::size_t i = random() % 40; i > 0; --i) program += std::string(pick(kTokens, random)) + " ";
  return program;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

// Replaces what stands between two marks, if they are there.
void replace_between(std::string& text, const std::string& from, const std::string& to, const std::string& with) {
  const std::size_t begin = text.find(from);
  const std::size_t end = begin == text.npos ? text.npos : text.find(to, begin + from.size());
  if (end != text.npos) text.replace(begin + from.size(), end - begin - from.size(), with);
}

void change_number(std::string& anchor, Random& random) {
  static const char* const kKeys[] = {" id=\"",   "calleeId=\"", "Id=\"",  "ndims=\"", "size=\"",
                                      "locId=\"", "begin=\"",    "<rank>", "(",        "line=\""};
  static const char* const kNumbers[] = {"0", "1", "7", "-1", "4294967295", "99999999999999999999", "", "x", "65536"};
  const std::string key = pick(kKeys, random);
  std::size_t at = anchor.find(key, random() % anchor.size());
  if (at == anchor.npos) at = anchor.find(key);
  if (at == anchor.npos) return;
  at += key.size();
  const std::size_t end = std::min(anchor.find_first_not_of("0123456789-", at), anchor.size());
  anchor.replace(at, end - at, pick(kNumbers, random));
  note("a number behind '" + key + "'");
}

void play_xml_tricks(std::string& anchor, Random& random) {
  static const char* const kTricks[] = {
      "<!DOCTYPE c [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]>&b;",
      "<!DOCTYPE c [<!ENTITY f SYSTEM \"file:///etc/passwd\">]>&f;",
      "&#x110000;",
      "&#0;",
      "<![CDATA[",
      "<!--",
      "<?",
      "<cube version=\"4.4\">",
      "</cube>",
      "<metric id=\"0\">",
      "<cnode id=\"0\" calleeId=\"0\">",
      "\r",
      "<dtype>HISTOGRAM(65536)</dtype>",
      "<dtype>NDOUBLES(4000000000)</dtype>"};
  anchor.insert(random() % anchor.size(), pick(kTricks, random));
  note("XML that was not expected");
}

// The case: an archive, or the text of version 3.
Bytes make_case(Members members, Random& random) {
  std::string anchor = text_of(members["anchor.xml"]);
  switch (random() % 8) {
    case 0: {
      Bytes whole = pack(members);
      mutate_bytes(whole, random);
      return whole;
    }
    case 1: mutate_bytes(members["anchor.xml"], random); return pack(members);
    case 2: {
      auto member = std::next(members.begin(), static_cast<std::ptrdiff_t>(random() % members.size()));
      note(member->first);
      if (!member->second.empty()) mutate_bytes(member->second, random);
      return pack(members);
    }
    case 3:
      note("compressed rows");
      members["1.data"] = compressed(members["1.data"], 24, random);
      if (random() % 3 == 0) mutate_bytes(members["1.data"], random);
      return pack(members);
    case 4: change_number(anchor, random); break;
    case 5: play_xml_tricks(anchor, random); break;
    case 6:
      note("CubePL");
      replace_between(anchor, "<cubepl rowwise=false>", "</cubepl>", escaped(any_program(random)));
      if (random() % 2) replace_between(anchor, "<cubeplinit>", "</cubeplinit>", escaped(any_program(random)));
      break;
    default: {
      static const char* const kTypes[] = {"NDOUBLES(9)",      "UINT8",     "RATE",   "COMPLEX", "TAU_ATOMIC",
                                           "HISTOGRAM(60000)", "MINDOUBLE", "nothing"};
      note("a type");
      replace_between(anchor, "<dtype>", "</dtype>", pick(kTypes, random));
    }
  }
  members["anchor.xml"] = bytes_of(anchor);
  return pack(members);
}

// Everything that looks at a report; what it finds does not matter.
void look_at(const CubeSource& report) {
  CubeValues values(report);
  std::vector<double> row;
  for (std::uint32_t metric = 0; metric < report.structure().metrics.size(); ++metric) {
    values.totals(MetricId(metric));
    for (std::uint32_t path = 0; path < std::min<std::size_t>(8, report.structure().call_paths.size()); ++path)
      for (const Flavour flavour : {Flavour::kExclusive, Flavour::kInclusive})
        values.row(MetricId(metric), CallPathId(path), flavour, row);
  }
}

std::string compute_with(const CubeSource& report, const CubeSource& sound, Random& random) {
  static constexpr Combination kAll[] = {Combination::kMerge,     Combination::kDifference, Combination::kMean,
                                         Combination::kExactMean, Combination::kMinimum,    Combination::kMaximum};
  const Combination how = pick(kAll, random);
  const std::string names[] = {"case", "sound"};
  const ReportStructure* structures[] = {&report.structure(), &sound.structure()};
  const SystemShape shape = random() % 2 ? SystemShape::kAsIs : SystemShape::kCollapsed;
  auto mapped = unify_reports(structures, names, {shape, random() % 2 == 0});
  if (!mapped.ok()) return "";
  const CombinedCube result({&report, &sound}, std::move(*mapped), how);
  if (!write_cubex(result, "result").ok()) return "";
  return read_cubex("result").ok() ? "" : "what was written cannot be read";
}

std::string run_case(const Members& members, const CubeSource& sound, std::uint32_t seed) {
  Random random(seed);
  if (random() % 16 == 0) {
    Bytes text = std::move(read_file("sound.cube")).value();
    mutate_bytes(text, random);
    const auto report = read_cube3(text_of(text), "case");
    if (report.ok()) look_at(ReportCube(report.value()));
    return "";
  }
  const Bytes bytes = make_case(members, random);
  const auto report = CubexFile::open(bytes, "case");
  if (!report.ok()) return report.error().text().empty() ? "an error without words" : "";
  look_at(*report.value());
  if (random() % 4 == 0) {
    std::string specification = "<metrics><metric type=\"POSTDERIVED\"><uniq_name>new</uniq_name><cubepl>" +
                                escaped(any_program(random)) + "</cubepl></metric></metrics>";
    if (const auto wanted = read_specification(specification, "specification"); wanted.ok()) {
      const CombinedCube remapped({report.value().get()}, remap_metrics(report.value()->structure(), wanted.value()),
                                  Combination::kMerge);
      look_at(SettledCube(remapped, random() % 2 == 0));
    }
  }
  return compute_with(*report.value(), sound, random);
}

std::string write_case(const Members& members, std::uint32_t seed) {
  Random random(seed);
  random();  // as run_case does
  const Bytes bytes = make_case(members, random);
  const Status written = write_file(std::to_string(seed) + ".cubex", bytes);
  return written.ok() ? "" : written.error().text();
}

int run(int argc, char** argv) {
  const bool is_writing = argc == 4 && std::string(argv[1]) == "--write";
  if (argc != 3 && !is_writing) {
    std::fprintf(stderr, "usage: changed_reports [--write] FIRST_SEED COUNT\n");
    return 2;
  }
  argv += is_writing;
  const Members members = sound_members();
  const Report sound = sample_report();
  const ReportCube source(sound);
  if (!write_cube3(source, "sound.cube").ok()) return 1;
  return run_seeds("changed_reports", static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)),
                   static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10)), [&](std::uint32_t seed) {
                     return is_writing ? write_case(members, seed) : run_case(members, source, seed);
                   });
}

}  // namespace
}  // namespace tarry::fuzz

int main(int argc, char** argv) { return tarry::fuzz::run(argc, argv); }
