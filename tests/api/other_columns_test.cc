// Validation and test sets that are read separately must have the columns of the training set.
#include <gtest/gtest.h>

#include "gopnet/gopnet.h"
#include "support/temp_file.h"

namespace gopnet {
namespace {

std::string Table(const std::string& head, const std::string& city) {
  std::string text = head + "\n";
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i % 11) + ".5";
    text += number + "," + (i % 2 == 0 ? city : "Rome") + "," + (i % 3 == 0 ? "x" : "y") + "\n";
  }
  return text;
}

TEST(TrainData, DifferentColumnsAreAnError) {
  const TempFolder folder;
  const Params params =
      Params().Set("ensemble", 1).Set("topology", "3").Set("epochs", 1).Set("finetune_epochs", 0);
  TrainData data;
  data.train = ReadDataset(folder.Write("train.csv", Table("a,city,kind", "Oslo")));
  const std::string same = folder.Write("same.csv", Table("a,city,kind", "Oslo"));
  const std::string city = folder.Write("city.csv", Table("a,city,kind", "Paris"));
  const std::string name = folder.Write("name.csv", Table("b,city,kind", "Oslo"));
  data.test = ReadDataset(same);
  const Model model = Train("popfast", data, params).model;
  for (const std::string& other : {city, name}) {
    data.test = ReadDataset(other);
    EXPECT_ERROR("differs from column", Train("popfast", data, params));
    EXPECT_ERROR("differs from column", Evaluate(model, data.test));
    EXPECT_ERROR("differs from column", PermutationImportance(model, data.test));
  }
  ReadOptions like;
  like.like = &data.train.schema;
  data.test = ReadDataset(city, like);
  EXPECT_EQ(Evaluate(model, data.test).rows, 40u);
}

}  // namespace
}  // namespace gopnet
