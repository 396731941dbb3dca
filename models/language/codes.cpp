#include "models/language/codes.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace brink {
namespace {

using enum ExampleKind;

constexpr CodeInfo kCodes[] = {
    {"E0001", "the file cannot be read",
     "The file does not exist, is a directory or may not be read.", file, "no/such/file.prism"},
    {"E0101", "unexpected word or symbol",
     "The text does not follow the grammar at this place. The message names what could stand "
     "there. "
     "Reading goes on at the next item, so several such errors may be reported in one run.",
     model, "mdp module m x : [0..1] endmodule"},
    {"E0102", "unknown character", "This character begins no word or symbol of the language.",
     model, "mdp module m x : [0..1]; [] x=0 $ true -> true; endmodule"},
    {"E0103", "reserved word used as a name",
     "The language reserves some words, among them the single letters A C E F G I P R S U W X and "
     "min, max, init, rate, prob. Choose another name, for instance with an underscore at its end.",
     model, "mdp module m F : [0..1]; endmodule"},
    {"E0104", "invalid number",
     "An int has at most 64 bits, and a double is at most about 1.8e308.", model,
     "const int N = 99999999999999999999; module m x : [0..1]; endmodule"},
    {"E0106", "nested too deeply",
     "Parentheses, negations and operators may be nested 1000 deep, and 4000 operators may wait "
     "for "
     "their right operands. Chains such as a&b&c are not nested and may be as long as memory "
     "allows.",
     none, ""},
    {"E0107", "text too long", "A text may have 2^30 bytes.", none, ""},
    {"E0108", "two symbols run together",
     "As in PRISM, `]]`, `[[` and `<-` are one symbol each, so A[G E[F x=3]] and x<-1 do not mean "
     "what they seem to. Put a blank between.",
     property, "A[G E[F x=3]]"},
    {"E0109", "temporal operator in the wrong place",
     "X, F and G stand at the beginning of a path formula, inside P, R, A or E. Below another "
     "operator they need parentheses: P=? [ (F a) & (G b) ].",
     property, "F x=3"},
    {"E0110", "not supported",
     "Timed automata, partially observable models, games, intervals and PRISM's preprocessor are "
     "not "
     "supported. Supported model types are dtmc, ctmc and mdp.",
     model, "pta module m x : [0..1]; endmodule"},
    {"E0111", "label name without quotes", "The name of a label stands in double quotes.", model,
     "mdp module m x : [0..1]; endmodule label full = x=1;"},
    {"E0112", "given twice", "A model has one type and one init...endinit.", model,
     "mdp dtmc module m x : [0..1]; endmodule"},
    {"E0113", "no module", "A model has at least one module.", model, "mdp"},
    {"E0114", "unknown annotation",
     "Comments that begin with //@ are annotations: assume, fair, strong-fair or population.",
     property, "x=1 //@ asume true"},
    {"E0115", "property operator in a model",
     "P, S, R, A, E, filters and references to labels belong to properties.", model,
     "mdp module m x : [0..1]; [] P>0 -> true; endmodule"},
    {"E0201", "unknown name", "No constant, formula or variable has this name.", model,
     "mdp module m x : [0..1]; [] y=0 -> true; endmodule"},
    {"E0202", "name already taken",
     "Constants, formulas and variables share one space of names; modules, labels and reward "
     "structures have one each.",
     model, "const int x = 1; module m x : [0..1]; endmodule"},
    {"E0203", "unknown label",
     "No label or named property has this name. \"init\" and \"deadlock\" are built in.", property,
     "A [ G !\"ful\" ]"},
    {"E0204", "unknown module", "No module (or named system) has this name.", model,
     "mdp module m x : [0..1]; endmodule module n = k [x=y] endmodule"},
    {"E0205", "unknown reward structure",
     "No reward structure has this name or number; they are numbered from 1.", property,
     "R{\"stps\"}max=? [ F x=3 ]"},
    {"E0206", "unknown action", "No command has this action.", model,
     "mdp module m x : [0..1]; [a] true -> true; endmodule system m / {b} endsystem"},
    {"E0207", "definition needs itself",
     "Constants, formulas and properties cannot be defined in a circle.", model,
     "formula f = g+1; formula g = f+1; module m x : [0..1]; endmodule"},
    {"E0208", "unknown function",
     "The functions are min, max, floor, ceil, round, pow, mod and log.", model,
     "const int N = flor(1.5); module m x : [0..1]; endmodule"},
    {"E0209", "property that cannot be used", "A property refers to another one that has an error.",
     formula, "\"wrong\"\n\"wrong\": E [ F nope ];"},
    {"E0301", "wrong type of an operand",
     "& | => <=> ! take bools, arithmetic and comparison take numbers, mod takes ints, and = "
     "compares "
     "two bools or two numbers. `!x=1` means !(x=1), and `1<2=true` means (1<2)=true.",
     model, "mdp module m x : [0..1]; [] x & true -> true; endmodule"},
    {"E0302", "wrong number of arguments",
     "floor, ceil and round take one argument, pow, mod and log two, min and max one or more.",
     model, "const int N = mod(3); module m x : [0..1]; endmodule"},
    {"E0303", "wrong type of an expression",
     "A guard is a bool, a bound an int, a probability a number, and so on.", model,
     "mdp module m x : [0..1]; [] x -> true; endmodule"},
    {"E0304", "wrong type of a new value",
     "An int variable takes ints. `/` always gives a double, even 4/2: use floor, ceil or round.",
     model, "mdp module m x : [0..4]; [] true -> (x'=x/2); endmodule"},
    {"E0305", "not a constant expression",
     "Constants, bounds of variables, initial values and bounds of P, R and of time cannot depend "
     "on "
     "variables.",
     model, "const int N = x; module m x : [0..1]; endmodule"},
    {"E0401", "value of a constant not understood",
     "Constants are given as NAME=VALUE, separated by commas; values are true, false, 16, 0.5, "
     "1e-9 "
     "or 1/3.",
     constants, "N=many"},
    {"E0402", "constant given twice", "Two different values were given for one constant.",
     constants, "N=1,N=2"},
    {"E0403", "constant without value",
     "The constant is used, but neither the file nor the command line gives it a value.", model,
     "const int N; module m x : [0..N]; endmodule"},
    {"E0404", "unknown constant", "A value was given for a constant that does not exist.", given,
     "M=1\nconst int N = 1; module m x : [0..1]; endmodule"},
    {"E0405", "value of the wrong type", "The value given does not fit the type of the constant.",
     given, "N=1.5\nconst int N; module m x : [0..N]; endmodule"},
    {"E0406", "constant with another value",
     "The file gives the constant a value of its own, and with --portable no other may take its "
     "place, as in PRISM.",
     portable, "N=2\nconst int N = 1; module m x : [0..N]; endmodule"},
    {"E0407", "constant cannot stay symbolic", "It is given a value as well.", symbolic,
     "N=3\nconst int N = 1; module m x : [0..N]; endmodule"},
    {"E0501", "empty range", "The lower bound of a variable is above its upper bound.", model,
     "mdp module m x : [2..1]; endmodule"},
    {"E0502", "initial value out of range", "A variable starts within its bounds.", model,
     "mdp module m x : [0..1] init 2; endmodule"},
    {"E0503", "write to a variable of another module",
     "A module reads all variables, but writes only its own and global ones.", model,
     "mdp module m x : [0..1]; endmodule module n y : [0..1]; [] true -> (x'=1); endmodule"},
    {"E0504", "variable assigned twice", "One update gives a variable one new value.", model,
     "mdp module m x : [0..1]; [] true -> (x'=0) & (x'=1); endmodule"},
    {"E0505", "global written by a command with an action",
     "PRISM does not allow it. Without --portable it is a warning (W0501).", portable,
     "\nmdp global g : [0..1]; module m [a] true -> (g'=1); endmodule"},
    {"E0506", "incomplete renaming",
     "A renamed module must rename all variables of its base, and each name once. Formulas are "
     "expanded before they are renamed.",
     model, "mdp module m x : [0..1]; endmodule module n = m [a=b] endmodule"},
    {"E0508", "composition without or with a module twice",
     "In system...endsystem every module appears exactly once.", model,
     "mdp module m x : [0..1]; endmodule system m || m endsystem"},
    {"E0509", "two ways to give initial values",
     "A model has either init...endinit or initial values of single variables.", model,
     "mdp module m x : [0..1] init 1; endmodule init x=1 endinit"},
    {"E0510", "too many synchronisations",
     "The composition has more than a million ways in which modules can move together.", none, ""},
    {"E0511", "value cannot be computed",
     "The value of a constant overflows or is undefined, for instance mod(1,0).", model,
     "const int N = mod(1,0); module m x : [0..1]; endmodule"},
    {"E0512", "model too large when expanded",
     "Renamed modules repeat the commands of their base and the formulas they use. A model may "
     "have "
     "about eight million expressions and commands after that.",
     none, ""},
    {"E0601", "variable leaves its range",
     "In a reachable state an update gives a variable a value outside its bounds.", running,
     "mdp module m x : [0..1]; [] true -> (x'=x+1); endmodule"},
    {"E0602", "probabilities do not sum to 1",
     "The probabilities of a command sum to 1 up to 1e-5 in every state where it is enabled.",
     running, "dtmc module m x : [0..1]; [] true -> 0.5:(x'=0) + 0.4:(x'=1); endmodule"},
    {"E0603", "negative probability or rate", "A weight is below 0 in a reachable state.", running,
     "ctmc module m x : [0..1]; [] true -> x-1:(x'=1); endmodule"},
    {"E0604", "not a finite number",
     "A weight, a reward or a rounded value is infinite or undefined.", running,
     "ctmc module m x : [0..1]; [] true -> 1/x:(x'=1); endmodule"},
    {"E0605", "mod by zero", "The second argument of mod is 0.", running,
     "mdp module m x : [0..1]; [] mod(1,x)=0 -> true; endmodule"},
    {"E0606", "integer overflow", "An int leaves 64 bits, or an unbounded variable leaves 32 bits.",
     running, "mdp module m x : int init 1; [] true -> (x'=x*1000); endmodule"},
    {"E0607", "negative exponent of ints", "pow(2,-1) of ints is no int; write pow(2.0,-1).",
     running, "mdp module m x : [0..1]; [] pow(2,x-1)=1 -> true; endmodule"},
    {"E0608", "conflicting writes",
     "Two commands that move together give a global variable different values.", running,
     "mdp global g : [0..2]; module m [a] true -> (g'=1); endmodule module n [a] true -> (g'=2); "
     "endmodule"},
    {"E0609", "too many branches", "One state has more branches or initial states than the limit.",
     running, "mdp module m x : int; endmodule init x>0 endinit"},
    {"E0610", "deadlock",
     "A state without a move can be reached, and --deadlock-error asks to refuse that. Without it, "
     "the state stays where it is, as in PRISM.",
     none, ""},
    {"E0703", "unknown filter",
     "Filters are min, max, argmin, argmax, count, sum (+), avg, first, range, forall (&), exists "
     "(|), "
     "state, print and printall.",
     property, "filter(sume, x)"},
    {"E0704", "path formula in the wrong place",
     "S, filters and arithmetic take state formulas. Put the path formula into P, A or E.",
     property, "P=? [ (F x=1) = true ]"},
    {"E0706", "wrong type of a time bound",
     "Time in a dtmc or mdp is counted in steps, so it is an int.", property,
     "Pmax=? [ F<=1.5 x=3 ]"},
    {"E0707", "bound out of range", "A probability lies between 0 and 1, and time is finite and not negative.",
     property, "P>=1.5 [ F x=3 ]"},
    {"E0801", "the format cannot say it",
     "The target of an export has no words for this part of the model or property.", none, ""},
    {"E0802", "limit reached while listing states",
     "The format lists every state, and the limit of states was reached.", none, ""},
    {"E0803", "explicit file not understood",
     "PRISM's explicit files (.tra, .sta, .lab, .srew, .trew) have one item a line: numbers, "
     "labels or "
     "values in the order that PRISM exports.",
     transitions, "2 1\n0 one 1"},
    {"E0804", "explicit files that do not fit together",
     "States are numbered from 0 to one less than the first line of the transitions says, and "
     "every "
     "count in a first line is the number of lines that follow.",
     transitions, "2 1\n0 7 1"},
    {"E0805", "probabilities of an explicit file",
     "The probabilities of a state (in an mdp: of a choice) sum to 1 up to 1e-5, and rates are "
     "finite and not negative.",
     transitions, "2 1\n0 1 -0.5"},
    {"E0901", "not TOML", "The scenario file breaks the rules of TOML at this place.", none, ""},
    {"E0902", "no such place in the scenario",
     "--set and variants name a value by its path, for instance machine.memory_bytes or "
     "claim.0.factor.",
     none, ""},
    {"E0903", "unknown key", "The table of a scenario has a key that nothing reads.", none, ""},
    {"E0904", "missing key", "The scenario lacks a table or key that is needed.", none, ""},
    {"E0905", "expression that cannot be computed",
     "It divides by zero, overflows, or is not a number where one is needed.", none, ""},
    {"E0906", "wrong kind of value", "A list, a table, a number or a word is expected here.", none,
     ""},
    {"E0907", "quantity",
     "The unit is missing, unknown or of another dimension, or the number is out of range.", none,
     ""},
    {"E0908", "basis",
     "Every parameter of the machine has a row in [basis] that says whether the number is given, "
     "derived, assumed or fitted, and from what.",
     none, ""},
    {"E0909", "unknown name",
     "The scenario names a variable, command, event, decision, tunable, metric, check, variant or "
     "curve that does not exist.",
     none, ""},
    {"E0910", "incomplete entry", "A metric, curve or claim lacks what makes it one.", none, ""},
    {"E0911", "wrong CSV", "Rows have as many fields as the header, and quoted fields are closed.",
     none, ""},
    {"E0912", "the machine refuses",
     "The kernel does not exist, or the description, a tunable or the workload makes no sense.",
     none, ""},
    {"E0913", "no such model", "Models are files, or names of the library (brink list models).",
     none, ""},
    {"E0914", "observed data", "A file of observed data cannot be read.", none, ""},
    {"E0915", "binding",
     "An expression of [view] or [decisions] does not fit the model or the "
     "kernel's counters.",
     none, ""},
    {"E0916", "formula", "The formula of [prediction] does not exist, or its inputs do not fit.",
     none, ""},
    {"E0917", "passage", "A rate, the target or the start of a [[passage]] does not fit the model.",
     none, ""},
    {"E0918", "no such property",
     "A [[check]] names a property that the model's file does not have.", none, ""},
    {"E0919", "figure", "A series names data that the scenario does not have.", none, ""},
    {"E0931", "routing",
     "The probabilities with which customers leave a station lie in [0, 1] and sum to 1; in an "
     "open "
     "network the part that leaves is written out = 0.4.",
     none, ""},
    {"E0932", "unstable",
     "Customers bring more work than a station can do, so its queue grows without end and there is "
     "no long run to compute.",
     none, ""},
    {"E0933", "cannot be solved so",
     "The method does not fit the network (brink queue), or the data do not fit what is asked.",
     none, ""},
    {"W0501", "global written by a command with an action",
     "PRISM rejects it. Here commands that move together must agree on the value.", model,
     "mdp global g : [0..1]; module m [a] true -> (g'=1); endmodule"},
    {"W0502", "renaming a formula",
     "Formulas are expanded before a module is renamed, so renaming their name does nothing.",
     model,
     "formula f = x; module m x : [0..1]; [] f=0 -> true; endmodule module n = m [x=y, f=g] "
     "endmodule"},
    {"W0503", "renaming what does not exist",
     "No constant, variable, formula, action or function has the name on the left of a renaming.",
     model, "mdp module m x : [0..1]; endmodule module n = m [x=y, xx=z] endmodule"},
    {"W0505", "reward that is never earned", "No command has the action of this reward.", model,
     "mdp module m x : [0..1]; endmodule rewards [a] true : 1; endrewards"},
    {"W0506", "expected result for an unknown constant",
     "A RESULT comment names a constant that neither the model nor the property file has, so it "
     "never "
     "applies.",
     none, ""},
};

}  // namespace

std::span<const CodeInfo> diagnostic_codes() { return kCodes; }

const CodeInfo* find_code(std::string_view code) {
  std::string wanted(code);
  for (char& c : wanted) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto* found = std::ranges::find(kCodes, std::string_view(wanted), &CodeInfo::code);
  return found == std::end(kCodes) ? nullptr : found;
}

}  // namespace brink
