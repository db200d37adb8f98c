// gopnet predict: labels, probabilities or values for new rows.
#include <algorithm>
#include <atomic>
#include <thread>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/files.h"
#include "cli/predict_json.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {
namespace {

constexpr size_t kRows = 4096;  // a piece of work: the same for any number of threads
constexpr int kMaxThreads = 4096;

void PredictPiece(const Model& model, MatrixView x, size_t first, Matrix* out) {
  x.data = x.Row(first);
  x.rows = std::min(kRows, x.rows - first);
  const Matrix piece = model.Predict(x);
  std::copy_n(piece.data(), piece.rows() * piece.cols(), out->Row(first));
}

Matrix PredictAll(const Model& model, MatrixView x, size_t threads) {
  Matrix out(x.rows, model.outputs());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t at; (at = next.fetch_add(kRows)) < x.rows;) PredictPiece(model, x, at, &out);
  };
  std::vector<std::jthread> helpers;
  for (size_t i = 1; i < std::min(threads, (x.rows + kRows - 1) / kRows); ++i) {
    helpers.emplace_back(work);
  }
  work();
  helpers.clear();  // joins
  return out;
}

size_t Threads(const std::string& text) {
  int threads = 0;
  if (!ParseCount(text.empty() ? "0" : text, &threads) || threads > kMaxThreads) {
    throw Error("--threads: '" + text + "' given, a whole number in [0, " +
                std::to_string(kMaxThreads) + "] wanted; 0 uses all cores");
  }
  return threads > 0 ? static_cast<size_t>(threads)
                     : std::max<size_t>(1, std::thread::hardware_concurrency());
}

struct Flags {
  std::string model, data, weight_column, out, threads;
  bool proba = false;
  bool force = false;
};

void Declare(Args& args, Flags& flags) {
  args.Positional("MODEL", &flags.model, "A model.safetensors or the run folder that holds it.");
  args.Positional("DATA", &flags.data,
                  "Rows: .csv, .tsv, .npy or .npz:key, columns as in training.");
  args.Flag("proba", &flags.proba, "One more column a class: its probability.");
  args.Option("out", &flags.out, "FILE", "Writes a .csv or .npy file. Default: CSV to stdout.");
  args.Flag("force", &flags.force, "Lets --out overwrite a file.");
  args.Option("weight_column", &flags.weight_column, "COLUMN",
              "A column of row weights in DATA, left aside.");
  args.Option("threads", &flags.threads, "N", "Worker threads; 0 uses all cores. Default: 0.");
}

Matrix Predicted(const Flags& flags, const Model& model) {
  if (flags.proba && model.task() == Task::kRegression) {
    throw Error("--proba: " + flags.model + " is a regression model, which has no classes");
  }
  ReadOptions options;
  options.need_targets = false;
  options.weight_column = flags.weight_column;
  options.like = &model.schema();
  const Dataset data = ReadDataset(flags.data, options);
  return PredictAll(model, data.x, Threads(flags.threads));
}

}  // namespace

void RunPredict(const Words& words) {
  Args args("predict", "labels, probabilities or values for new rows",
            "gopnet predict runs/first new.csv --proba --out predictions.csv");
  Flags flags;
  Declare(args, flags);
  if (!args.Parse(words)) return;
  Threads(flags.threads);
  const std::string file = ModelFile(flags.model);
  CheckReadable(flags.data);
  if (!flags.out.empty()) CheckNewFile(flags.out, flags.force);
  CheckNoInput(flags.out, {file, flags.data});
  const Model model = Model::Load(file);
  const Matrix predicted = Predicted(flags, model);
  if (!flags.out.empty()) SavePredictions(flags.out, model, predicted, flags.proba);
  if (args.json()) return Print(PredictionsJson(model, predicted, flags.proba, flags.out));
  if (flags.out.empty()) return Print(PredictionsCsv(model, predicted, flags.proba));
  if (!args.quiet()) Note("wrote " + flags.out + ": " + Grouped(predicted.rows()) + " rows");
}

}  // namespace gopnet::cli
