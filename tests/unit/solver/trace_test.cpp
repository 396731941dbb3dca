#include "solver/trace/trace.h"

#include <gmock/gmock.h>

#include "solver/gate.h"
#include "solver/trace/trace_json.h"
#include "solver/trace/trace_print.h"
#include "tests/unit/solver/models.h"

namespace brink::solver {
namespace {

using testing::model_of;
using testing::run;

const char* const small = R"(mdp
const int N = 4;
module cache
  free : [0..N] init N;
  page : [0..N];
  hot : bool;
  [pagein] free>0 -> (free'=free-1)&(page'=page+1);
  [touch] page>0 -> (hot'=true);
  [] hot & free=0 -> (hot'=false);
endmodule
)";

CheckResult crowded(const ModelPtr& model) { return run(model, "A [ G !(page=4 & hot) ]"); }

TEST(Trace, ReplayAcceptsWhatHappenedAndNothingElse) {
  const ModelPtr model = model_of(small);
  const CheckResult r = crowded(model);
  ASSERT_TRUE(r.trace);
  ASSERT_EQ(r.length, 5u);
  Evaluator evaluator(model);
  EXPECT_TRUE(replay(*r.trace, evaluator));

  Trace other_state = *r.trace;
  other_state.steps[2].after[1] += 1;
  EXPECT_FALSE(replay(other_state, evaluator));
  Trace other_command = *r.trace;
  other_command.steps[1].commands = {2};
  const auto refused = replay(other_command, evaluator);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), ::testing::HasSubstr("step 2"));
  Trace other_start = *r.trace;
  other_start.initial[0] -= 1;
  EXPECT_FALSE(replay(other_start, evaluator));
  Trace false_loop = *r.trace;
  false_loop.loop_to = 0;
  EXPECT_FALSE(replay(false_loop, evaluator));
  Trace false_deadlock = *r.trace;
  false_deadlock.loop_to = false_deadlock.length();
  EXPECT_FALSE(replay(false_deadlock, evaluator));
  Trace false_fault = *r.trace;
  false_fault.fault = "out of range";
  EXPECT_FALSE(replay(false_fault, evaluator));
  Trace short_state = *r.trace;
  short_state.steps[0].after.pop_back();
  EXPECT_FALSE(replay(short_state, evaluator));
}

TEST(Trace, GateTurnsFalseEvidenceIntoADisagreement) {
  const ModelPtr model = model_of(small);
  const PropertySet set = testing::properties_of(model, "A [ G !(page=4 & hot) ]");
  const Question question = ask(set, set.properties[0]);
  CheckResult truncated = crowded(model);
  truncated.trace->steps.pop_back();  // a run of the model that does not show the violation
  gate(truncated, question);
  EXPECT_EQ(truncated.verdict, Verdict::disagreement);
  CheckResult good = crowded(model);
  gate(good, question);
  EXPECT_EQ(good.verdict, Verdict::violated);
}

TEST(Trace, JsonComesBackTheSame) {
  const ModelPtr model = model_of(small);
  Trace trace = *crowded(model).trace;
  trace.no_return = PointOfNoReturn{3, 2, "a \"goal\""};
  trace.loop_to = 1;
  trace.fault = "a fault";
  const std::string json = trace_to_json(trace, *model);
  const auto back = trace_from_json(json, *model);
  ASSERT_TRUE(back) << back.error();
  EXPECT_EQ(*back, trace);
  EXPECT_EQ(trace_to_json(*back, *model), json);
  const auto header = read_trace_header(json);
  ASSERT_TRUE(header);
  EXPECT_EQ(header->model, "test.prism");
  EXPECT_THAT(header->constants,
              ::testing::Contains(std::pair<std::string, std::string>("N", "4")));
}

TEST(Trace, JsonThatIsNotOursIsRefusedWithAReason) {
  const ModelPtr model = model_of(small);
  const std::string json = trace_to_json(*crowded(model).trace, *model);
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = json;
    const auto at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    changed.replace(at, from.size(), to);
    const auto result = trace_from_json(changed, *model);
    return result ? std::string("accepted") : result.error();
  };
  EXPECT_THAT(with("brink-trace/1", "brink-trace/9"), ::testing::HasSubstr("schema"));
  EXPECT_THAT(with("\"property\"", "\"propertee\""), ::testing::HasSubstr("unknown key"));
  EXPECT_THAT(with("\"pagein\"", "\"pageout\""), ::testing::HasSubstr("not labelled"));
  EXPECT_THAT(with("\"free\"", "\"fee\""), ::testing::HasSubstr("fee"));
  EXPECT_THAT(with("false", "0"), ::testing::HasSubstr("wrong type"));
  EXPECT_THAT(with("\"number\":1", "\"number\":9"), ::testing::HasSubstr("no command 9"));
  EXPECT_THAT(with("{", "["), ::testing::HasSubstr("JSON"));
}

TEST(Trace, TableFoldsAndShowsOnlyChanges) {
  const ModelPtr model = model_of(small);
  EXPECT_EQ(trace_table(*crowded(model).trace, *model),
            "step  command    where         changes\n"
            "   0                           free=4 page=0 hot=false\n"
            " 1-4  pagein x4  test.prism:7  free=0 page=4\n"
            "   5  touch      test.prism:8  hot=true\n");
}

TEST(Trace, TableMarksPointOfNoReturnAndLoops) {
  const ModelPtr model = model_of(small);
  Trace trace = *crowded(model).trace;
  trace.no_return = PointOfNoReturn{3, 1, "page<3"};
  trace.loop_to = 5;
  const std::string table = trace_table(trace, *model);
  EXPECT_THAT(table, ::testing::HasSubstr(" 1-2  pagein x2"));
  EXPECT_THAT(table, ::testing::HasSubstr(
                         "--- point of no return: page<3 is out of reach; 1 way back existed"));
  EXPECT_THAT(table, ::testing::HasSubstr("repeats for ever"));
}

TEST(Trace, NamesOfCommands) {
  const ModelPtr model = model_of(R"(mdp
module a
  x : [0..2];
  [go] x=0 -> (x'=1);
  [go] x=1 -> (x'=2);
  [] x=2 -> (x'=0);
endmodule
module b = a [x=y] endmodule
)");
  EXPECT_EQ(name_of_commands(*model, {0, 3}), "go(a:1)+go(b:1)");
  EXPECT_EQ(name_of_commands(*model, {2}), "a:3");
}

}  // namespace
}  // namespace brink::solver
