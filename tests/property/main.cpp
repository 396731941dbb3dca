// RapidCheck takes its seed from the environment; here it is fixed unless one is given, so that a
// run can be repeated: RC_PARAMS="seed=7 max_success=10000" property_tests.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  ::setenv("RC_PARAMS", "seed=1996 max_success=400 max_size=60", 0);
  std::printf("RC_PARAMS=\"%s\"\n", std::getenv("RC_PARAMS"));
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
