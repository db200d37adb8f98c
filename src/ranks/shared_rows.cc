#include "ranks/shared_rows.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/archive.h"
#include "base/check.h"

namespace gopnet {
namespace {

constexpr size_t kAlignment = 64;

size_t Aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

size_t BytesOf(const Dataset& part) { return Aligned(part.x.rows * part.x.cols * sizeof(float)); }

}  // namespace

template <class A>
void Fields(A& a, Column& c) {
  a(c.name, c.categories);
}
template <class A>
void Fields(A& a, Schema& s) {
  a(s.columns, s.targets, s.named, s.fill_missing);
}
void Fields(ArchiveWriter& a, Matrix& m) {
  a(uint64_t{m.rows()}, uint64_t{m.cols()});
  a(std::vector<float>(m.data(), m.data() + m.rows() * m.cols()));
}
void Fields(ArchiveReader& a, Matrix& m) {
  uint64_t rows = 0, cols = 0;
  std::vector<float> values;
  a(rows, cols, values);
  a.Require(values.size() == rows * cols);
  m = Matrix(rows, cols);
  if (!values.empty()) std::memcpy(m.data(), values.data(), values.size() * sizeof(float));
}
void Fields(ArchiveWriter& a, Task& task) { a(task == Task::kClassification); }
void Fields(ArchiveReader& a, Task& task) {
  bool classes = false;
  a(classes);
  task = classes ? Task::kClassification : Task::kRegression;
}
template <class A>
void Fields(A& a, Dataset& d) {
  uint64_t rows = d.x.rows, cols = d.x.cols;
  a(rows, cols, d.schema, d.source, d.task, d.labels, d.classes, d.integer_classes, d.targets,
    d.weights);
  d.x.rows = rows;
  d.x.cols = d.x.stride = cols;
}

SharedBlock::SharedBlock(int fd, size_t size, std::string name)
    : fd_(fd), size_(size), name_(std::move(name)) {
  void* at = ::mmap(nullptr, std::max<size_t>(size, 1), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  if (at == MAP_FAILED) ::close(fd);
  Check(at != MAP_FAILED, "shared memory for ", size, " bytes of rows: ", std::strerror(error));
  data_ = static_cast<char*>(at);
}

// Memory without a name in any folder: nothing is left of it, however its users end.
std::shared_ptr<SharedBlock> SharedBlock::Create(size_t size) {
  const int fd = ::memfd_create("gopnet rows", MFD_CLOEXEC);
  Check(fd >= 0, "shared memory: ", std::strerror(errno));
  const int error = size == 0 ? 0 : ::posix_fallocate(fd, 0, static_cast<off_t>(size));
  if (error != 0) ::close(fd);
  Check(error == 0, "shared memory for ", size, " bytes of rows: ", std::strerror(error),
        "; .npy files need none");
  const std::string name = Join("/proc/", ::getpid(), "/fd/", fd);
  return std::shared_ptr<SharedBlock>(new SharedBlock(fd, size, name));
}

std::shared_ptr<SharedBlock> SharedBlock::Attach(const std::string& name, size_t size) {
  const int fd = ::open(name.c_str(), O_RDWR | O_CLOEXEC);
  Check(fd >= 0, "shared memory ", name, ": ", std::strerror(errno));
  struct stat info = {};
  const bool fits = ::fstat(fd, &info) == 0 && static_cast<size_t>(info.st_size) == size;
  if (!fits) ::close(fd);  // of another machine that has the same name
  Check(fits, "shared memory ", name, ": not the one that was meant");
  return std::shared_ptr<SharedBlock>(new SharedBlock(fd, size, name));
}

SharedBlock::~SharedBlock() {
  ::munmap(data_, std::max<size_t>(size_, 1));
  ::close(fd_);
}

std::string PackRest(const TrainData& data) {
  ArchiveWriter write;
  for (const Dataset* part : {&data.train, &data.val, &data.test}) {
    Dataset copy = *part;
    write(copy);
  }
  return write.Take();
}

size_t FeatureBytes(const TrainData& data) {
  return BytesOf(data.train) + BytesOf(data.val) + BytesOf(data.test);
}

std::string FeaturesAt(const TrainData& data, size_t at, size_t size) {
  std::string bytes(size, '\0');
  size_t begin = 0;  // of the part, among all bytes
  for (const Dataset* part : {&data.train, &data.val, &data.test}) {
    const size_t row = part->x.cols * sizeof(float);
    const size_t first = at > begin && row > 0 ? (at - begin) / row : 0;
    for (size_t i = first; i < part->x.rows && begin + i * row < at + size; ++i) {
      const size_t from = std::max(at, begin + i * row);
      const size_t to = std::min(at + size, begin + (i + 1) * row);
      const char* source = reinterpret_cast<const char*>(part->x.Row(i)) + (from - begin - i * row);
      if (from < to) std::memcpy(bytes.data() + (from - at), source, to - from);
    }
    begin += BytesOf(*part);
  }
  return bytes;
}

TrainData UnpackRows(const std::string& rest, std::shared_ptr<SharedBlock> block) {
  TrainData data;
  ArchiveReader read(rest, "rows");
  const char* at = block ? block->data() : nullptr;
  for (Dataset* part : {&data.train, &data.val, &data.test}) {
    read(*part);
    part->x.data = reinterpret_cast<const float*>(at);
    part->owner = block;
    at += BytesOf(*part);
  }
  return data;
}

}  // namespace gopnet
