// cubex_reader_test.cpp -- reads what others write, and survives what nobody should.
#include "report/cubex/cubex_reader.hpp"

#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <random>

#include "base/files/file.hpp"
#include "report/cubex/cubex_tar.hpp"
#include "report/cubex/cubex_writer.hpp"
#include "tests/unit/report/sample_report.hpp"

namespace tarry {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::string member(const std::string& name, const std::string& body) {
  return tar_header(name, body.size()) + body + std::string(tar_padding(body.size()), '\0');
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Result<Report> read(const std::string& bytes) {
  return read_cubex({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, "test");
}

std::string sample_bytes() {
  const std::string path = (std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "r.cubex")).string();
  EXPECT_TRUE(write_cubex(sample_report(), path).ok());
  auto bytes = read_file(path);
  std::filesystem::remove(path);
  return {bytes->begin(), bytes->end()};
}

// Metric 7 is exclusive, 9 inclusive; the location ids are not in document order.
const std::string kAnchor = R"(<?xml version="1.0" encoding="UTF-8"?>
<cube version="4.4"><metrics>
<metric id="7" type="EXCLUSIVE"><disp_name>V</disp_name><uniq_name>v</uniq_name><dtype>INTEGER</dtype><uom>occ</uom>
<url></url><descr>two
lines</descr></metric>
<metric id="9" type="INCLUSIVE"><disp_name>T</disp_name><uniq_name>t</uniq_name><dtype>UINT8</dtype></metric>
</metrics><program>
<region id="5" mod="" begin="-1" end="-1"><name>main</name></region>
<region id="2" mod="" begin="3" end="4"><name>f</name></region>
<cnode id="0" calleeId="5"><cnode id="1" calleeId="2"><cnode id="2" calleeId="2"></cnode></cnode>
<cnode id="3" calleeId="2"></cnode></cnode>
</program><system><systemtreenode Id="0"><name>m</name><class>machine</class>
<locationgroup Id="0"><name>p</name><rank>0</rank><type>process</type>
<location Id="1"><name>second</name><rank>1</rank><type>gpu</type></location>
<location Id="0"><name>first</name><rank>0</rank><type>thread</type></location>
</locationgroup></systemtreenode></system></cube>
)";

std::string dense(const char* order) { return "CUBEX.INDEX" + std::string(order, 4) + std::string("\0\0\3", 3); }

std::string big_endian_values() {
  std::string data = "CUBEX.DATA";
  for (char i = 1; i <= 8; ++i) data += std::string(7, '\0') + i;
  return data;
}

std::string foreign_report(const std::string& anchor) {
  return member("anchor.xml", anchor) + member("7.data", big_endian_values()) + member("7.index", dense("\0\0\0\1")) +
         member("9.index", dense("\1\0\0\0")) + member("9.data", "CUBEX.DATA\x40\x41\x20\x21\x10\x11\x05\x06");
}

void expect_foreign(Result<Report> report) {
  ASSERT_TRUE(report.ok()) << report.error().text();
  EXPECT_TRUE(report->damage.empty());
  EXPECT_EQ(report->structure.locations[1].name, "second");
  EXPECT_EQ(report->structure.locations[1].type, "accelerator stream");
  EXPECT_EQ(report->structure.regions[1].mangled_name, "f");
  EXPECT_EQ(report->structure.metrics[0].description, "two lines");
  EXPECT_EQ(report->exclusive(MetricId(0), CallPathId(1), 0), 3);
  EXPECT_EQ(report->exclusive(MetricId(0), CallPathId(3), 1), 8);
  // Inclusive rows: 0, its children 1 and 3, then 2.
  EXPECT_EQ(report->inclusive(MetricId(1), CallPathId(3), 0), 0x10);
  EXPECT_EQ(report->inclusive(MetricId(1), CallPathId(2), 1), 6);
  EXPECT_EQ(report->exclusive(MetricId(1), CallPathId(0), 0), 0x10);
}

TEST(CubexReader, ForeignOrdersAndTypes) { expect_foreign(read(foreign_report(kAnchor))); }

TEST(CubexReader, GzipAnchor) { expect_foreign(read(foreign_report(gzip(kAnchor)))); }

TEST(CubexReader, MissingMembersAreZero) {
  auto report = read(member("anchor.xml", kAnchor) + member("7.data", big_endian_values()));
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->row_count(MetricId(0)), 0u);
  EXPECT_EQ(report->damage.size(), 1u);
  EXPECT_TRUE(report->files.empty());
}

TEST(CubexReader, WithoutTreesThereIsNoReport) {
  EXPECT_FALSE(read(member("./anchor.xml", kAnchor)).ok());
  EXPECT_FALSE(read(member("anchor.xml", kAnchor.substr(0, 900))).ok());
  EXPECT_FALSE(read(member("anchor.xml", gzip(kAnchor).substr(0, 300))).ok());
  EXPECT_FALSE(read(member("anchor.xml", "")).ok());
  EXPECT_FALSE(read(member("anchor.xml", "<cube version=\"3.0\"></cube>")).ok());
  EXPECT_FALSE(read_cubex("/nonexistent.cubex").ok());
  std::string wild = kAnchor;
  wild.replace(wild.find("calleeId=\"2\""), 12, "calleeId=\"4\"");
  EXPECT_FALSE(read(member("anchor.xml", wild)).ok());
}

TEST(CubexReader, BombsDoNotGoOff) {
  const std::string zeros(80u << 20, ' ');
  auto report = read(member("anchor.xml", gzip(zeros)));
  ASSERT_FALSE(report.ok());
  EXPECT_NE(report.error().text().find("inflates to more than"), std::string::npos);
}

TEST(CubexReader, DamagedValuesAreNamed) {
  std::string bytes = sample_bytes();
  bytes.replace(bytes.find("CUBEX.INDEX"), 11, "CUBEX.INDIX");
  auto report = read(bytes);
  ASSERT_TRUE(report.ok());
  ASSERT_EQ(report->damage.size(), 1u);
  EXPECT_NE(report->damage[0].find("'visits'"), std::string::npos);
}

// Uses everything that was read.
void touch(const Report& report) {
  std::vector<double> values;
  double sum = 0;
  for (std::uint32_t metric = 0; metric < report.structure.metrics.size(); ++metric)
    for (std::uint32_t path = 0; path < report.structure.call_paths.size(); ++path) {
      if (!report.exclusive_row(MetricId(metric), CallPathId(path), values)) continue;
      for (std::uint32_t at = 0; at < values.size(); ++at)
        sum += values[at] + report.inclusive(MetricId(metric), CallPathId(path), at);
    }
  EXPECT_TRUE(sum == sum || sum != sum);
}

void mutate_and_read(const std::string& good, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::string bad = good;
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random()) % below; };
  for (std::size_t flips = 1 + pick(8); flips-- > 0;) bad[pick(bad.size())] ^= static_cast<char>(1u << pick(8));
  if (pick(4) == 0) bad.resize(pick(bad.size()));
  const auto report = read(bad);
  if (report.ok()) touch(report.value());
}

TEST(CubexReader, MutatedReportsDoNoHarm) {
  const std::string inputs[] = {sample_bytes(), foreign_report(kAnchor), foreign_report(gzip(kAnchor))};
  for (const std::string& good : inputs)
    for (std::uint32_t seed = 0; seed < 300; ++seed) mutate_and_read(good, seed);
}

// Flips inside the anchor text reach deeper: the container stays intact.
TEST(CubexReader, MutatedAnchorsDoNoHarm) {
  std::mt19937 random(1);
  for (int round = 0; round < 600; ++round) {
    std::string anchor = kAnchor;
    for (int flips = 0; flips < 3; ++flips) {
      const std::size_t at = random() % anchor.size();
      if (round % 3 == 0) anchor.erase(at, random() % 40);
      else if (round % 3 == 1) anchor.insert(at, anchor.substr(random() % anchor.size(), random() % 60));
      else anchor[at] = static_cast<char>(random());
    }
    const auto report = read(foreign_report(round % 2 ? anchor : gzip(anchor)));
    if (report.ok()) touch(report.value());
  }
}

}  // namespace
}  // namespace tarry
