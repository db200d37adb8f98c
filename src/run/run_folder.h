// Folders of runs: see gopnet/run.h for more of them.
#pragma once

#include <string>

namespace gopnet {

inline constexpr char kJournal[] = "journal.jsonl";
inline constexpr char kConfig[] = "config.json";
inline constexpr char kCheckpoint[] = "checkpoint.safetensors";
inline constexpr char kModelFile[] = "model.safetensors";
inline constexpr char kMetricsFile[] = "metrics.json";

std::string InFolder(const std::string& folder, const std::string& name);  // the path of a file

// Whether a run was begun there.
bool HoldsRun(const std::string& path);
// Whether it is empty, but for what a program leaves that was killed before its run began.
bool IsAsGoodAsEmpty(const std::string& path);
// Whether it has its model and its metrics; a run that was stopped has metrics only.
bool IsFinished(const std::string& folder);

// Between the name of a run and a number: a comparison put it aside, as it is none of its runs.
inline constexpr char kSetAside[] = ".unfit-";
bool IsSetAside(const std::string& path);

}  // namespace gopnet
