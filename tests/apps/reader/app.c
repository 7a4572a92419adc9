// app.c -- a reader's program that marks regions.
#include <tarry/user.h>

int main(void) {
  TARRY_REGION_BEGIN("assemble");
  TARRY_REGION_END("assemble");
  return 0;
}
