// gopnet trains networks of generalized operational perceptrons, layer by layer. This header
// includes all others.
#pragma once

#include "gopnet/bench.h"
#include "gopnet/compare.h"
#include "gopnet/dataset.h"
#include "gopnet/error.h"
#include "gopnet/export.h"
#include "gopnet/files.h"
#include "gopnet/history.h"
#include "gopnet/importance.h"
#include "gopnet/matrix.h"
#include "gopnet/model.h"
#include "gopnet/params.h"
#include "gopnet/ranks.h"
#include "gopnet/report.h"
#include "gopnet/report_page.h"
#include "gopnet/row_reader.h"
#include "gopnet/run.h"
#include "gopnet/safe_text.h"
#include "gopnet/train.h"
