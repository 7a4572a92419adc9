// student.hpp -- Student's and Fisher's distributions: how far from its mean a normal sample may be by chance.
#pragma once

namespace tarry {

/// The probability that |t| is larger, with `freedom` degrees of freedom (at least 1).
double student_two_sided(double t, double freedom);

/// The t that is exceeded with this probability (above 0, at most a half), on one side.
double student_limit(double chance, double freedom);

/// The probability that the ratio of two variances is larger, where both are of the same noise (Fisher's F).
double fisher_upper(double ratio, double freedom_above, double freedom_below);

}  // namespace tarry
