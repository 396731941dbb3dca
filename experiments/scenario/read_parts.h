// The parts of a scenario file, one reader each. Used by: read.cpp only.
#pragma once

#include "experiments/data/config.h"
#include "experiments/scenario/scenario.h"

namespace brink {

std::map<std::string, Placed> read_placed(Section section);
Where read_words(Section section);
ConstantValues read_constants(Section section);

void read_metrics(Section section, Scenario& scenario);
void read_prediction(Section section, Scenario& scenario);
void read_check(Section& section, Scenario& scenario);
void read_passage(Section& section, Scenario& scenario);
void read_variant(Section& section, Scenario& scenario);
void read_curve(Section& section, Scenario& scenario);
void read_rows(Section& section, Scenario& scenario);
void read_claim(Section& section, Scenario& scenario);
void read_figure(Section& section, Scenario& scenario);

/// Claims and figures name metrics, checks, variants and curves that exist (E0909).
void check_references(Section& root, const Scenario& scenario);

}  // namespace brink
