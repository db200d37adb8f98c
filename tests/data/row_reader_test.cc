// Reading a text in pieces gives the same rows as reading it at once, wherever the pieces end.
#include "gopnet/row_reader.h"

#include <gtest/gtest.h>

#include "support/temp_file.h"

namespace gopnet {
namespace {

std::string Repeated(const std::string& rows, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += rows;
  return text;
}

// Takes the schema from `few`, then reads `text` in pieces and returns its number of rows.
size_t RowsInPieces(const std::string& few, const std::string& text) {
  const TempFolder folder;
  ReadOptions options;
  options.task = Task::kRegression;
  options.header = false;
  const Dataset train = ReadDataset(folder.Write("few.txt", Repeated(few, 100'000)), options);
  options.like = &train.schema;
  RowReader reader(folder.Write("many.txt", text), options);
  size_t rows = 0;
  for (Dataset chunk; reader.Next(&chunk);) {
    for (size_t i = 0; i < chunk.rows(); ++i) EXPECT_EQ(chunk.x.Row(i)[0], 1.5f);
    rows += chunk.rows();
  }
  return rows;
}

constexpr size_t kPieces = 9'000'000, kMoreThanARow = 75'000'000;
// Puts nearly all line ends of the text within quotes.
const std::string kCity = "\"New" + std::string(200, '\n') + "York\"";
const std::string kLong = "Rom" + std::string(2000, 'o');  // makes few rows take many bytes

TEST(RowReader, SpaceSeparatedFieldsWithLineEndsInQuotes) {
  const std::string row = "1.5 2.5 " + kCity + " 3.5\n1.5 7.5 Rom 4.5\n";
  const std::string text = Repeated(row, kPieces);
  EXPECT_EQ(RowsInPieces(row, text), 2 * text.size() / row.size());
}

TEST(RowReader, AQuoteAfterAnotherSeparatorOpensNoField) {
  const std::string row = "1.5\t2.5\t" + kLong + "\t3.5\n1.5\t7.5\tUlm\t2.5\n";
  const std::string odd = "1.5\t2.5\tx, \"y\t3.5\n";
  const std::string tail = Repeated(row, kMoreThanARow);
  for (const std::string& head : {std::string(), Repeated(row, 100'000)})
    EXPECT_EQ(RowsInPieces(row, head + odd + tail),
              1 + 2 * (head.size() + tail.size()) / row.size());
}

TEST(RowReader, AQuoteInACommentOpensNoField) {
  const std::string row = "1.5,2.5," + kLong + ",3.5\n1.5,7.5,Ulm,2.5\n";
  const std::string text = Repeated(row, kMoreThanARow);
  EXPECT_EQ(RowsInPieces(row, "# cut, \"a\n" + text), 2 * text.size() / row.size());
}

}  // namespace
}  // namespace gopnet
