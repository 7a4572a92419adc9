/* marks.cpp -- SCOREP_User.h in C++: scopes, handles as values, exceptions, threads. Prints 45. */
#include <scorep/SCOREP_User.h>

#include <cstdio>
#include <string>
#include <thread>

namespace {

#ifdef SCOREP_USER_ENABLE
/* Handles in memory of the program: a region for each name. */
void keep(const std::string& name) {
  SCOREP_User_RegionHandle handle = SCOREP_USER_INVALID_REGION;
  SCOREP_USER_REGION_ENTER(handle)
  SCOREP_USER_REGION_END(handle)
  SCOREP_USER_REGION_INIT(handle, name.c_str(), SCOREP_USER_REGION_TYPE_COMMON)
  SCOREP_USER_REGION_ENTER(handle)
  SCOREP_USER_REGION_END(handle)
}
#else
void keep(const std::string&) {}
#endif

int sum(int n) {
  SCOREP_USER_REGION("sum", SCOREP_USER_REGION_TYPE_FUNCTION)
  if (n == 0) return 0;
  return n + sum(n - 1);
}

void fail() {
  SCOREP_USER_REGION("fail", SCOREP_USER_REGION_TYPE_COMMON);
  throw 1;
}

void iterate() {
  for (int i = 0; i < 3; ++i) {
    SCOREP_USER_REGION("pass", SCOREP_USER_REGION_TYPE_DYNAMIC)
    SCOREP_USER_REGION("work", SCOREP_USER_REGION_TYPE_COMMON)
  }
}

}  // namespace

int main() {
  SCOREP_USER_FUNC_BEGIN()
  SCOREP_USER_PARAMETER_STRING("mode", "fast")
  const int result = sum(9);
  try {
    fail();
  } catch (int) {
  }
  iterate();
  std::thread(iterate).join();
  keep(std::string("made ") + "here");
  SCOREP_USER_FUNC_END()
  std::printf("%d\n", result);
}
