// difference.cpp -- two sides of a comparison, as one more run: what has become more, and what less.
#include "page/runs/difference.hpp"

#include "report/algebra/algebra.hpp"
#include "report/algebra/cube_over.hpp"
#include "report/algebra/merged_sites.hpp"
#include "report/tree/unify_reports.hpp"

namespace tarry {
namespace {

using OwnedCube = std::unique_ptr<CubeSource>;

// A combination and what it is made of.
class OwningCube : public CubeOver {
 public:
  OwningCube(std::unique_ptr<CombinedCube> combined, std::vector<OwnedCube> parts)
      : CubeOver(*combined), combined_(std::move(combined)), parts_(std::move(parts)) {}

 private:
  std::unique_ptr<CombinedCube> combined_;
  std::vector<OwnedCube> parts_;
};

Result<OwnedCube> combined(std::vector<OwnedCube> parts, Combination combination) {
  std::vector<const CubeSource*> sources;
  std::vector<const ReportStructure*> structures;
  std::vector<std::string> names;
  for (const OwnedCube& part : parts) {
    sources.push_back(part.get());
    structures.push_back(&part->structure());
    names.push_back("run " + std::to_string(names.size() + 1));
  }
  // By name: an edit that moves lines does not part what is to be compared.
  TARRY_TRY_ASSIGN(mapped, unify_reports(structures, names, {.is_by_name = true}));
  auto cube = std::make_unique<CombinedCube>(std::move(sources), std::move(mapped), combination);
  return OwnedCube(std::make_unique<OwningCube>(std::move(cube), std::move(parts)));
}

Result<OwnedCube> mean_of(const std::vector<const ExploredRun*>& runs) {
  std::vector<OwnedCube> parts;
  for (const ExploredRun* run : runs) {
    TARRY_TRY_ASSIGN(part, without_call_sites(std::make_unique<CubeOver>(run->source())));
    parts.push_back(std::move(part));
  }
  if (parts.size() == 1) return std::move(parts[0]);
  return combined(std::move(parts), Combination::kExactMean);
}

}  // namespace

Result<std::unique_ptr<ExploredRun>> difference_of(const RunSides& sides) {
  std::vector<OwnedCube> parts;
  for (const auto* side : {&sides.now, &sides.before}) {
    TARRY_TRY_ASSIGN(mean, mean_of(*side));
    parts.push_back(std::move(mean));
  }
  TARRY_TRY_ASSIGN(cube, combined(std::move(parts), Combination::kDifference));
  return std::make_unique<ExploredRun>("difference.cubex", "difference.cubex", std::move(cube));
}

}  // namespace tarry
