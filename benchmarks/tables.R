#!/usr/bin/env Rscript
# Write tables with text, blanks and categories as CSV files for benchmarks/peers.py.
#
# Usage: Rscript benchmarks/tables.R FOLDER [NAME...]
#
# The tables come with Debian's R packages (`tools/setup bench` installs them). The target becomes the last column, rows
# without a target are dropped, and a blank is an empty field. Columns that name a row, or that are known only after the
# target, are left out. Longer tables are cut to 8,000 random rows.

most_rows <- 8000

# name = c(package, data set, target, columns to leave out...)
tables <- list(
  # classes
  arrests = c("carData", "Arrests", "released"),
  attrition = c("modeldata", "attrition", "Attrition"),
  beps = c("carData", "BEPS", "vote"),
  breast_cancer = c("mlbench", "BreastCancer", "Class", "Id"),
  chile = c("carData", "Chile", "vote"),
  churn = c("modeldata", "mlc_churn", "churn"),
  credit = c("modeldata", "credit_data", "Status"),
  credit_card = c("AER", "CreditCard", "card", "share", "expenditure"),
  dna = c("mlbench", "DNA", "Class"),
  flchain = c("survival", "flchain", "death", "chapter", "futime"),
  health_insurance = c("AER", "HealthInsurance", "insurance"),
  hmda = c("AER", "HMDA", "deny"),
  house_votes = c("mlbench", "HouseVotes84", "Class"),
  hpc = c("modeldata", "hpc_data", "class"),
  income = c("kernlab", "income", "INCOME"),
  shuttle = c("mlbench", "Shuttle", "Class"),
  soybean = c("mlbench", "Soybean", "Class"),
  stops = c("carData", "MplsStops", "problem", "idNum"),
  telco = c("modeldata", "wa_churn", "churn"),
  titanic = c("carData", "TitanicSurvival", "survived"),
  wvs = c("carData", "WVS", "poverty"),
  # numbers
  ames = c("modeldata", "ames", "Sale_Price"),
  check_times = c("modeldata", "check_times", "check_time"),
  chicago = c("modeldata", "Chicago", "ridership"),
  college = c("AER", "CollegeDistance", "score"),
  cps1988 = c("AER", "CPS1988", "wage"),
  diamonds = c("ggplot2", "diamonds", "price"),
  guns = c("AER", "Guns", "violent", "murder", "robbery"),
  males = c("plm", "Males", "wage", "nr"),
  sacramento = c("modeldata", "Sacramento", "price"),
  slid = c("carData", "SLID", "wages"),
  star = c("AER", "STAR", "math3"),
  tate = c("modeldata", "tate_text", "year", "id"),
  txhousing = c("ggplot2", "txhousing", "median", "volume"),
  vocabulary = c("carData", "GSSvocab", "vocab", "nativeBorn.1")
)
numbers_as_classes <- list(death = c("no", "yes"))

read_table <- function(package, name) {
  where <- new.env()
  data(list = name, package = package, envir = where)
  as.data.frame(get(ls(where)[ls(where) == name], envir = where))
}

# A class with fewer than eight rows cannot be in every part of a split.
without_rare_classes <- function(rows, target) {
  if (is.numeric(rows[[target]])) return(rows)
  counts <- table(rows[[target]])
  rows[rows[[target]] %in% names(counts)[counts >= 8], ]
}

write_table <- function(folder, name, package, dataset, target, ...) {
  rows <- read_table(package, dataset)
  rows <- rows[!is.na(rows[[target]]), ]
  if (target %in% names(numbers_as_classes)) rows[[target]] <- numbers_as_classes[[target]][rows[[target]] + 1]
  set.seed(1)
  rows <- rows[sort(sample(nrow(rows), min(nrow(rows), most_rows))), ]
  rows <- without_rare_classes(rows, target)
  features <- setdiff(names(rows), c(target, c(...)))
  for (column in names(rows)) {
    if (inherits(rows[[column]], "POSIXt")) rows[[column]] <- as.Date(rows[[column]])
  }
  write.csv(rows[c(features, target)], file.path(folder, paste0(name, ".csv")), row.names = FALSE, na = "")
}

arguments <- commandArgs(trailingOnly = TRUE)
if (length(arguments) < 1) stop("usage: Rscript benchmarks/tables.R FOLDER [NAME...]")
wanted <- if (length(arguments) > 1) arguments[-1] else names(tables)
unknown <- setdiff(wanted, names(tables))
if (length(unknown)) stop("no table ", unknown[1], "; expected one of ", paste(names(tables), collapse = ", "))
dir.create(arguments[1], showWarnings = FALSE, recursive = TRUE)
for (name in wanted) do.call(write_table, as.list(c(arguments[1], name, unname(tables[[name]]))))
