#include "linalg/gram.h"

#include <algorithm>
#include <cassert>

#include "base/stop_check.h"
#include "base/threads.h"
#include "linalg/dense.h"
#include "linalg/gemm.h"

namespace gopnet {
namespace {

// A tile of the result is summed over chunks of rows, which are turned into doubles as they are
// needed: the chunks of both panels stay in the second cache level, and 2 * kPanel conversions are
// little beside kPanel^2 products.
constexpr size_t kChunk = 128, kPanel = 192;  // whole strips of linalg/gemm.cc on any target

struct Tile {
  size_t row, col;  // of the result: columns of a, columns of b
};

constexpr size_t kWidest = kPanel + kDoublePad;
struct Scratch {
  Buffer<double> a = Buffer<double>(kChunk * kWidest), b = Buffer<double>(kChunk * kWidest);
};

// Rows an odd number of cache lines apart, so that a column is spread over all of the first level.
View<double> Room(Buffer<double>& buffer, size_t rows, size_t cols) {
  const size_t lines = (cols + kDoublePad - 1) / kDoublePad;
  return {buffer.data(), rows, cols, (lines | 1) * kDoublePad};
}

// out += a^T b for the columns of the tile. `same`: a is b, and the tile is on the diagonal.
void AddTile(const Columns& a, const Columns& b, Tile tile, bool same, Scratch& scratch,
             View<double> out) {
  ForEachChunk(a.x.rows, kChunk, [&](size_t row, size_t rows) {
    const View<double> right = Room(scratch.b, rows, out.cols);
    FillRows(b, row, tile.col, right);
    View<double> left = right;
    if (!same) {
      left = Room(scratch.a, rows, out.rows);
      FillRows(a, row, tile.row, left);
    }
    AddProduct(left, right, out);
  });
}

// out += a^T b, tile by tile; `width`: of a tile, at most kPanel.
void AddTiles(const Columns& a, const Columns& b, const std::vector<Tile>& tiles, bool self,
              size_t width, int threads, View<double> out) {
  std::vector<Scratch> scratch(static_cast<size_t>(std::max(1, threads)));
  ParallelFor(tiles.size(), threads, [&](size_t task, int worker) {
    const auto [row, col] = tiles[task];
    const View<double> part =
        out.Part(row, col, std::min(kPanel, out.rows - row), std::min(width, out.cols - col));
    AddTile(a, b, tiles[task], self && row == col, scratch[static_cast<size_t>(worker)], part);
  });
}

// How wide the tiles of `cols` columns are if those of the other matrix fill `rows` of a tile: half
// as wide if there are few, so that there are enough tiles, and about as many for each thread.
size_t TileWidth(size_t rows, size_t cols, int threads) {
  if (rows > kPanel / 2 || cols == 0) return kPanel;
  const auto up = [](size_t n, size_t by) { return (n + by - 1) / by; };
  const auto workers = static_cast<size_t>(std::max(1, threads));
  const size_t tiles = up(up(cols, kPanel / 2), workers) * workers;
  return up(up(cols, tiles), kDoublePad) * kDoublePad;
}

// a^T b where b is not the narrower one: only whole registers of b make whole tiles of products.
DenseMatrix WideGram(const Columns& a, const Columns& b, int threads) {
  assert(a.x.rows == b.x.rows);
  const size_t width = TileWidth(a.x.cols, b.x.cols, threads);
  std::vector<Tile> tiles;
  for (size_t row = 0; row < a.x.cols; row += kPanel) {
    for (size_t col = 0; col < b.x.cols; col += width) tiles.push_back({row, col});
  }
  DenseMatrix out(a.x.cols, b.x.cols);
  AddTiles(a, b, tiles, false, width, threads, out.view());
  return out;
}

}  // namespace

DenseMatrix CrossGram(const Columns& a, const Columns& b, int threads) {
  return a.x.cols > b.x.cols ? Transpose(WideGram(b, a, threads)) : WideGram(a, b, threads);
}

DenseMatrix SelfGram(const Columns& a, int threads) {
  std::vector<Tile> tiles;
  for (size_t row = 0; row < a.x.cols; row += kPanel) {
    for (size_t col = row; col < a.x.cols; col += kPanel) tiles.push_back({row, col});
  }
  DenseMatrix out(a.x.cols, a.x.cols);
  AddTiles(a, a, tiles, true, kPanel, threads, out.view());
  Mirror(out);
  return out;
}

size_t GramShards(size_t rows) {
  constexpr size_t kShardRows = 16384, kMostShards = 16;
  return std::clamp<size_t>((rows + kShardRows - 1) / kShardRows, 1, kMostShards);
}

DenseMatrix ShardedGram(const Columns& a, int threads) {
  const size_t shards = GramShards(a.x.rows);
  if (shards == 1) return SelfGram(a, threads);
  std::vector<DenseMatrix> parts(shards);
  ParallelFor(shards, threads, [&](size_t s, int) {
    const size_t first = a.x.rows * s / shards, last = a.x.rows * (s + 1) / shards;
    Columns part = a;
    part.x = a.x.Rows(first, last - first);
    if (part.weights != nullptr) part.weights += first;
    parts[s] = SelfGram(part, 1);
  });
  DenseMatrix& sum = parts[0];
  for (size_t s = 1; s < shards; ++s)
    for (size_t i = 0; i < sum.rows() * sum.stride(); ++i) sum.data()[i] += parts[s].data()[i];
  return std::move(sum);
}

DenseMatrix Doubles(const Columns& a) {
  DenseMatrix out(a.x.rows, a.x.cols);
  FillRows(a, 0, 0, out.view());
  return out;
}

std::vector<double> ColumnMeans(ConstView x, const float* weights) {
  std::vector<double> mean(x.cols);
  double total = 0;
  for (size_t n = 0; n < x.rows; ++n) {
    const double w = weights ? static_cast<double>(weights[n]) : 1.0;
    const float* row = x.Row(n);
    for (size_t j = 0; j < x.cols; ++j) mean[j] += w * static_cast<double>(row[j]);
    total += w;
  }
  for (double& m : mean) m /= total > 0 ? total : 1.0;
  return mean;
}

}  // namespace gopnet
