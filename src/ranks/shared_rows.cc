#include "ranks/shared_rows.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/archive.h"
#include "base/check.h"

namespace gopnet {
namespace {

constexpr size_t kAlignment = 64;

size_t Aligned(size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

size_t BytesOf(const Dataset& part) { return Aligned(part.x.rows * part.x.cols * sizeof(float)); }

char* Map(int fd, size_t size, const std::string& name) {
  void* at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int error = errno;
  ::close(fd);
  Check(at != MAP_FAILED, "shared memory ", name, ": ", size, " bytes: ", std::strerror(error));
  return static_cast<char*>(at);
}

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

std::shared_ptr<SharedBlock> SharedBlock::Create(const std::string& name, size_t size) {
  const int fd = ::shm_open(name.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  Check(fd >= 0, "shared memory ", name, ": ", std::strerror(errno));
  const int error = ::posix_fallocate(fd, 0, static_cast<off_t>(size));
  if (error != 0) {
    ::close(fd);
    Unlink(name);
    Fail("shared memory ", name, ": ", size,
         " bytes for the rows are not to be had: ", std::strerror(error), "; .npy files need none");
  }
  return std::shared_ptr<SharedBlock>(new SharedBlock(Map(fd, size, name), size));
}

std::shared_ptr<SharedBlock> SharedBlock::Attach(const std::string& name, size_t size) {
  const int fd = ::shm_open(name.c_str(), O_RDWR | O_CLOEXEC, 0600);
  Check(fd >= 0, "shared memory ", name, ": ", std::strerror(errno));
  return std::shared_ptr<SharedBlock>(new SharedBlock(Map(fd, size, name), size));
}

SharedBlock::~SharedBlock() { ::munmap(data_, size_); }

void SharedBlock::Unlink(const std::string& name) { ::shm_unlink(name.c_str()); }

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

void CopyFeatures(const TrainData& data, char* to) {
  for (const Dataset* part : {&data.train, &data.val, &data.test}) {
    const size_t row = part->x.cols * sizeof(float);
    for (size_t i = 0; i < part->x.rows; ++i) std::memcpy(to + i * row, part->x.Row(i), row);
    to += BytesOf(*part);
  }
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
