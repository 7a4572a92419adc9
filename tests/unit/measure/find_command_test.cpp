// find_command_test.cpp -- where the measured command begins, with and without `--`.
#include "tools/measure/find_command.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "base/text/text.hpp"

namespace tarry {
namespace {

std::vector<std::string> split(const std::string& line) {
  std::istringstream text(line);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

Result<CommandPlace> find(const std::string& line) {
  const auto takes_value = [](const std::string& option) { return is_one_of(option, {"-o", "--output", "-f"}); };
  const auto is_program = [](const std::string& word) { return is_one_of(word, {"mpirun", "./app", "true"}); };
  return find_command(split("tarry-measure " + line), takes_value, is_program);
}

// Our own words, '|', and those of the command.
std::string parts(const std::string& line) {
  const auto words = split(line);
  const auto place = find(line);
  if (!place.ok()) return place.error().text();
  std::string text;
  for (std::size_t i = 0; i + 1 < place.value().own_end; ++i) text += words[i] + " ";
  text += "|";
  for (std::size_t i = place.value().begin - 1; i < words.size(); ++i) text += " " + words[i];
  return text;
}

TEST(FindCommand, BeginsBehindTheDashes) {
  EXPECT_EQ(parts("-t -o run -- mpirun -np 4 ./app -- x"), "-t -o run | mpirun -np 4 ./app -- x");
  EXPECT_EQ(parts("-- -t"), "| -t");
  EXPECT_EQ(parts("-t --"), "-t |");
}

TEST(FindCommand, BeginsAtTheFirstWordThatIsNoOption) {
  EXPECT_EQ(parts("mpirun -np 4 ./app"), "| mpirun -np 4 ./app");
  EXPECT_EQ(parts("-t mpirun -np 4 ./app -t"), "-t | mpirun -np 4 ./app -t");
  EXPECT_EQ(parts("-t mpirun ./app -- x"), "-t | mpirun ./app -- x");
  EXPECT_EQ(parts("no_such_program x"), "| no_such_program x");
}

TEST(FindCommand, ValuesOfOptionsAreNoCommands) {
  EXPECT_EQ(parts("-o true mpirun"), "-o true | mpirun");
  EXPECT_EQ(parts("-to true mpirun"), "-to true | mpirun");
  EXPECT_EQ(parts("-otrue mpirun"), "-otrue | mpirun");
  EXPECT_EQ(parts("--output true mpirun"), "--output true | mpirun");
  EXPECT_EQ(parts("--output=true mpirun"), "--output=true | mpirun");
  EXPECT_EQ(parts("-t -o"), "-t -o |");
}

TEST(FindCommand, AWordTooManyIsNamed) {
  EXPECT_EQ(parts("-t run mpirun -np 4 ./app"),
            "usage: 'run' is neither an option nor a program "
            "(did you mean: tarry measure -t -o run -- mpirun -np 4 ./app)");
  EXPECT_EQ(parts("run -t -- mpirun -np 4 ./app"),
            "usage: 'run' is neither an option nor a program "
            "(did you mean: tarry measure -o run -t -- mpirun -np 4 ./app)");
}

}  // namespace
}  // namespace tarry
