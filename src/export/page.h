// The fixed parts of the page that an HTML export is. What differs from model to model is data.
#pragma once

namespace gopnet::exporting {

extern const char kPageStyle[];
extern const char kPageBody[];
// Predicts, reads and writes CSV; knows no document. Needs `psi` and `activation`, the functions
// by name.
extern const char kPageEngine[];
extern const char kPageScript[];  // what the page shows and does

}  // namespace gopnet::exporting
