// compiler_command_test.cpp -- compilers' command lines, and what becomes of them.
#include "tools/instrument/compiler_command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/instrument/instrumentation.hpp"

namespace tarry {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

CompilerCommand read(const std::string& text) { return read_compiler_command(words_of(text)); }

TEST(CompilerCommand, CompileLinkAndBoth) {
  EXPECT_TRUE(read("mpicc -O2 -c foo.c").compiles);
  EXPECT_FALSE(read("mpicc -O2 -c foo.c").links);
  EXPECT_FALSE(read("g++ -o app main.o -lm").compiles);
  EXPECT_TRUE(read("g++ -o app main.o -lm").links);
  EXPECT_TRUE(read("gfortran a.F90 -o a").compiles);
  EXPECT_TRUE(read("gfortran a.F90 -o a").links);
  EXPECT_TRUE(read("g++ -shared -o libx.so x.o").makes_library);
  EXPECT_TRUE(read("gcc -static a.o").is_static);
}

TEST(CompilerCommand, QuestionsAreNoWork) {
  for (const char* command : {"gcc --version", "gcc -print-search-dirs", "mpicc --showme:link", "gcc -v", "gcc"}) {
    EXPECT_FALSE(read(command).compiles) << command;
    EXPECT_FALSE(read(command).links) << command;
  }
  EXPECT_FALSE(read("gcc -E a.c").links);
  EXPECT_FALSE(read("gcc -MM a.c").links);
}

TEST(CompilerCommand, ValuesOfOptionsAreNoSources) {
  EXPECT_FALSE(read("gcc -o foo.c x.o").compiles);
  EXPECT_FALSE(read("gcc -c -include a.c -MF b.c x.s").compiles);
  EXPECT_TRUE(read("gcc -x c++ -c part").compiles);
}

TEST(CompilerCommand, LaunchersStandInFront) {
  EXPECT_EQ(read("ccache g++ -c a.cpp").compiler, 1u);
  EXPECT_EQ(read("env A=1 ccache g++ -c a.cpp").compiler, 3u);
}

TEST(CompilerCommand, DebugOptionsAreSeen) {
  EXPECT_TRUE(read("gcc -g3 -c a.c").has_debug_option);
  EXPECT_TRUE(read("gcc -ggdb -c a.c").has_debug_option);
  EXPECT_FALSE(read("gcc -O2 -c a.c").has_debug_option);
}

TEST(CompilerCommand, ResponseFilesAreRead) {
  std::ofstream("words.rsp") << "-c 'with blank.c' \"b.c\" c\\ d.c\n";
  const CompilerCommand command = read("gcc @words.rsp");
  std::filesystem::remove("words.rsp");
  EXPECT_EQ(command.sources, (std::vector<std::string>{"with blank.c", "b.c", "c d.c"}));
  EXPECT_FALSE(command.links);
}

// An empty linker script serves as the recorder, as compilers are tried out with it. What they take is remembered in
// the same folder, not in the user's.
class Instrumentation : public testing::Test {
 protected:
  Instrumentation() {
    ::mkdtemp(folder_.data());
    ::setenv("XDG_CACHE_HOME", folder_.c_str(), 1);
    std::ofstream(library_ = folder_ + "/libtarry-mpi.so") << "/* empty */\n";
  }
  ~Instrumentation() override { std::filesystem::remove_all(folder_); }

  std::string instrumented(const std::string& command, CompilerFamily family,
                           const InstrumentOptions& options = {}) const {
    std::string text;
    for (const std::string& word : instrument(read(command), family, {library_, "/include", ""}, options))
      text += word + " ";
    return text;
  }

  std::string folder_ = (std::filesystem::temp_directory_path() / "instrumentation-XXXXXX").string(), library_;
};

TEST_F(Instrumentation, OursStandsBeforeTheUsersOptions) {
  EXPECT_EQ(instrumented("gcc -O3 -c a.c", CompilerFamily::kGcc),
            "gcc -DTARRY -I/include -finstrument-functions "
            "-finstrument-functions-exclude-file-list=/include/c++/,/usr/include/,/usr/lib/,/openmpi/,"
            "/nvtx3/,/Kokkos_Tools,/Kokkos_Profiling -g1 -O3 -c a.c ");
  EXPECT_EQ(instrumented("clang -g -c a.c", CompilerFamily::kClang),
            "clang -DTARRY -I/include -finstrument-functions-after-inlining -g -c a.c ");
  EXPECT_EQ(
      instrumented("gcc -o a a.o", CompilerFamily::kGcc),
      "gcc -Wl,--push-state,--no-as-needed " + library_ + " -Wl,--pop-state -Wl,-rpath," + folder_ + " -o a a.o ");
}

TEST_F(Instrumentation, ExcludedFilesKeepTheirUserRegions) {
  InstrumentOptions options;
  options.filter.add_rule({"*/third_party/*", RegionFilter::Subject::kFile, false});
  EXPECT_EQ(instrumented("gcc -g -c /x/third_party/a.c", CompilerFamily::kGcc, options),
            "gcc -DTARRY -I/include -g -c /x/third_party/a.c ");
  EXPECT_NE(instrumented("gcc -g -c /x/own/a.c", CompilerFamily::kGcc, options).find("-finstrument-functions"),
            std::string::npos);
}

TEST_F(Instrumentation, StaticProgramsAreLinkedAsTheyAre) {
  EXPECT_EQ(instrumented("gcc -static -o a a.o", CompilerFamily::kGcc), "gcc -static -o a a.o ");
  EXPECT_NE(warning_about(read("gcc -static -o a a.o")), "");
}

}  // namespace
}  // namespace tarry
