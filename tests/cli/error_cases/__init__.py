"""Bad inputs in the groups of docs/reference/errors.md. To add a case, extend a list."""

from . import arrays, models, options, others, pages, resumes, runs, slurm, tables, targets

GROUPS = {
    "Options and parameters": options.OPTIONS,
    "CSV and TSV files": tables.CSV,
    "Compressed files": tables.GZ,
    "NPY files": arrays.NPY,
    "NPZ files": arrays.NPZ,
    "Targets, labels and weights": targets.TARGETS,
    "Values and tasks": targets.TASKS,
    "Models": models.MODELS,
    "predict and evaluate": models.PREDICT,
    "inspect, help and bench": others.OTHERS,
    "Run folders": runs.OUTPUTS,
    "resume": resumes.RESUMES,
    "Comparisons": runs.COMPARISONS,
    "Config files": runs.CONFIGS,
    "report, watch and the live view": pages.PAGES,
    "slurm-script": slurm.SCRIPTS,
}
