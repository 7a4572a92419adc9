// value_type_test.cpp -- types of values: spelling, bytes, arithmetic.
#include "report/cubex/value_type.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <vector>

namespace tarry {
namespace {

TEST(ValueType, SpellingsOldAndNew) {
  EXPECT_EQ(find_value_format("FLOAT")->type, ValueType::kDouble);
  EXPECT_EQ(find_value_format("INTEGER")->type, ValueType::kInt64);
  EXPECT_EQ(find_value_format("UNSIGNED SHORT INT")->type, ValueType::kUint16);
  EXPECT_EQ(find_value_format("HISTOGRAM(4)")->tuple_size, 4u);
  EXPECT_EQ(dtype_text({ValueType::kNDoubles, 3}), "NDOUBLES(3)");
  for (const char* wrong :
       {"", "double", "HISTOGRAM", "HISTOGRAM(0)", "HISTOGRAM(4", "HISTOGRAM(99999999)", "DOUBLE(2)", "NDOUBLES(-1)"})
    EXPECT_FALSE(find_value_format(wrong)) << wrong;
}

TEST(ValueType, EveryTypeSurvivesItsBytes) {
  for (int type = 0; type <= static_cast<int>(ValueType::kNDoubles); ++type) {
    const ValueFormat format{static_cast<ValueType>(type), 2};
    std::vector<double> values(2 * format.components());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 100 + static_cast<double>(i);
    std::vector<std::uint8_t> bytes(2 * format.bytes());
    encode_values(format, values.data(), 2, bytes.data());
    std::vector<double> back(values.size());
    decode_values(format, bytes.data(), false, 2, back.data());
    EXPECT_EQ(back, values) << dtype_text(format);
  }
}

TEST(ValueType, BigEndian) {
  const std::uint8_t integer[] = {0xff, 0xfe};
  double value = 0;
  decode_values({ValueType::kInt16}, integer, true, 1, &value);
  EXPECT_EQ(value, -2);
  const std::uint8_t number[] = {0x3f, 0xf8, 0, 0, 0, 0, 0, 0};
  decode_values({ValueType::kDouble}, number, true, 1, &value);
  EXPECT_EQ(value, 1.5);
}

TEST(ValueType, IntegersTakeTheNearestValueTheyCan) {
  const double values[] = {-3, 300, 2.5, NAN};
  std::uint8_t bytes[4];
  encode_values({ValueType::kUint8}, values, 4, bytes);
  EXPECT_EQ(bytes[0], 0);
  EXPECT_EQ(bytes[1], 255);
  EXPECT_EQ(bytes[2], 2);
  EXPECT_EQ(bytes[3], 0);
  const double huge[] = {1e30, -1e30};
  std::uint8_t wide[16];
  encode_values({ValueType::kInt64}, huge, 2, wide);
  double back[2];
  decode_values({ValueType::kInt64}, wide, false, 2, back);
  EXPECT_EQ(back[0], std::pow(2.0, 63));
  EXPECT_EQ(back[1], -std::pow(2.0, 63));
}

TEST(ValueType, NeutralAndCombined) {
  double least[] = {0};
  fill_neutral({ValueType::kMinDouble}, least);
  EXPECT_TRUE(is_neutral_number(ValueType::kMinDouble, least[0]));
  const double two[] = {2};
  combine_values({ValueType::kMinDouble}, least, two);
  EXPECT_EQ(least[0], 2);

  double tau[5], rate[2];
  fill_neutral({ValueType::kTauAtomic}, tau);
  const double measured[] = {2, 1, 3, 4, 10};
  combine_values({ValueType::kTauAtomic}, tau, measured);
  EXPECT_EQ(number_of({ValueType::kTauAtomic}, tau), 2);
  fill_neutral({ValueType::kRate}, rate);
  const double half[] = {1, 2};
  combine_values({ValueType::kRate}, rate, half);
  combine_values({ValueType::kRate}, rate, half);
  EXPECT_EQ(number_of({ValueType::kRate}, rate), 1);
}

}  // namespace
}  // namespace tarry
