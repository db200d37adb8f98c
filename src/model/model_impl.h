// What the public class Model keeps.
#pragma once

#include "gopnet/model.h"
#include "model/model_file.h"

namespace gopnet {

struct Model::Impl {
  ModelData data;
};

inline Model MakeModel(ModelData data) {
  return Model(std::make_shared<const Model::Impl>(Model::Impl{std::move(data)}));
}

}  // namespace gopnet
