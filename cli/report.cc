// gopnet report: writes one HTML page about a run or a comparison.
#include "cli/commands.h"
#include "cli/json.h"
#include "gopnet/gopnet.h"

namespace gopnet::cli {

void RunReport(const Words& words) {
  Args args("report", "gopnet report runs/first");
  std::string folder, out;
  bool force = false;
  args.Positional("RUN", &folder, "The folder of a run, finished or not, or of a comparison.");
  args.Option("out", &out, "FILE.html", "File to write. Default: report.html in the folder.");
  args.Flag("force", &force, "Overwrite FILE.html.");
  if (!args.Parse(words)) return;
  if (out.empty()) {
    WriteReport(folder);
    out = InFolder(folder, "report.html");
  } else {
    CheckCanWrite(out, force);
    WriteFileAtomically(out, ReportPage(folder), force);
  }
  PrintData(args.json() ? JsonText(Json{{"report", out}}) + "\n" : out + "\n");
}

}  // namespace gopnet::cli
