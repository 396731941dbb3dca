#include "experiments/conformance/stepper.h"

#include <gtest/gtest.h>

#include "models/language/instantiate.h"
#include "models/language/parser.h"

namespace brink {
namespace {

ModelPtr model(const std::string& text) {
  const auto file = parse_model(make_source("m.prism", text));
  if (!file) throw std::runtime_error(render(file.error()));
  const auto model = instantiate(*file);
  if (!model) throw std::runtime_error(render(model.error()));
  return *model;
}

ModelPtr counter() {
  return model(
      "mdp module m x : [0..1000] init 0; b : bool init false;\n"
      "[up] x<900 -> (x'=x+3);\n"            // straight
      "[odd] x<10 | x>500 -> (x'=x+1);\n"    // a guard that is not convex
      "[cap] x<900 -> (x'=min(900,x+7));\n"  // an update that is not a translation
      "[flip] x>=0 -> (b'=!b);\n"
      "endmodule");
}

TEST(Stepper, ClosedFormEqualsStepByStep) {
  Stepper stepper(counter());
  EXPECT_TRUE(stepper.straight(0));
  for (std::int64_t count : {1, 2, 3, 17, 300}) {
    std::vector<std::int64_t> at_once{0, 0}, one_by_one{0, 0};
    EXPECT_FALSE(stepper.run(0, count, at_once));
    for (std::int64_t i = 0; i < count; ++i) EXPECT_FALSE(stepper.run(0, 1, one_by_one));
    EXPECT_EQ(at_once, one_by_one) << count;
  }
}

TEST(Stepper, SeesTheGuardFailAtTheLastRepetition) {
  Stepper stepper(counter());
  std::vector<std::int64_t> state{0, 0};
  EXPECT_FALSE(stepper.run(0, 300, state));  // from 897 the guard still holds
  state = {0, 0};
  EXPECT_TRUE(stepper.run(0, 301, state));  // from 900 it does not
}

TEST(Stepper, DoesNotJumpOverAHoleInAGuard) {
  Stepper stepper(counter());
  EXPECT_FALSE(stepper.straight(1));
  std::vector<std::int64_t> state{5, 0};
  EXPECT_TRUE(stepper.run(1, 600, state));  // first and last would hold, the middle does not
}

TEST(Stepper, StepsWhatIsNotATranslation) {
  Stepper stepper(counter());
  EXPECT_FALSE(stepper.straight(2));
  std::vector<std::int64_t> state{890, 0};
  EXPECT_FALSE(stepper.run(2, 2, state));
  EXPECT_EQ(state[0], 900);
  EXPECT_FALSE(stepper.straight(3));
}

TEST(Stepper, RefusesSeveralOutcomes) {
  Stepper stepper(model("dtmc module m x : [0..2]; [a] x=0 -> 0.5:(x'=1) + 0.5:(x'=2); endmodule"));
  std::vector<std::int64_t> state{0};
  const auto problem = stepper.run(0, 1, state);
  ASSERT_TRUE(problem);
  EXPECT_NE(problem->find("outcomes"), std::string::npos);
}

}  // namespace
}  // namespace brink
