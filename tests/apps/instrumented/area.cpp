// area.cpp -- a shared library that shapes.cpp is linked with.
double square(double side) { return side * side; }
