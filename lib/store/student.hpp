// student.hpp -- Student's distribution: how far from its mean a normal sample may be by chance.
#pragma once

namespace tarry {

/// The probability that |t| is larger, with `freedom` degrees of freedom (at least 1).
double student_two_sided(double t, double freedom);

}  // namespace tarry
