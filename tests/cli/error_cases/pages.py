"""Web pages of runs: report, watch and the live view of train."""

from .case import TABLE, case

PAGES = [
    case("report: no run", {}, "report", "RUN is required"),
    case("report: a folder that is not there", {}, "report no", "no: ", "config.json"),
    case("report: a file that exists", {"page.html": "mine"}, "report run -o page.html", "page.html: exists", "--force"),
    case("report: a folder as its file", {"page/": ""}, "report run -o page", "page: is a folder"),
    case("report: a file in no folder", {}, "report run -o no/page.html", "no/page.html", "no is not a folder"),
    case("watch: a folder that is not there", {}, "watch no", "no: ", "config.json"),
    case("watch: a run that is finished", {}, "watch run", "finished", "gopnet report run"),
    case("train: a port without a live view", {"t.csv": TABLE}, "train --train t.csv --port 8000", "--port", "--live"),
]
