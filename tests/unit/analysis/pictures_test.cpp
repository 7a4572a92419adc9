// pictures_test.cpp -- writes the traces of the figures and what the analysis finds in them for docs/pictures, which
// are drawn from that (`make pictures`).
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "analysed_figure.hpp"
#include "base/text/json.hpp"
#include "base/text/text.hpp"

namespace tarry {
namespace {

std::string comma_separated(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ",\n") + item;
  return text;
}

std::string event_json(AnalysedFigure& figure, std::uint32_t rank, const Event& event) {
  const std::string start = "[" + std::to_string(rank) + "," + std::to_string(event.time) + ",";
  const auto peer = [](CommRank rank) { return std::to_string(rank.value) + "]"; };
  switch (event.kind) {
    case EventKind::kEnter:
      return start + "\"enter\"," + json_string(figure.region_name(record_of<record::Enter>(event).region)) + "]";
    case EventKind::kLeave: return start + "\"leave\"]";
    case EventKind::kMpiSend: return start + "\"send\"," + peer(record_of<record::MpiSend>(event).receiver);
    case EventKind::kMpiRecv: return start + "\"receive\"," + peer(record_of<record::MpiRecv>(event).sender);
    default: return "";
  }
}

std::string events_json(AnalysedFigure& figure) {
  std::vector<std::string> items;
  for (std::uint32_t r = 0; r < figure.ranks(); ++r)
    for (const Event& event : figure.events_of(r))
      if (std::string text = event_json(figure, r, event); !text.empty()) items.push_back(std::move(text));
  return comma_separated(items);
}

// [metric, call path, rank, value] for every value found.
std::string values_json(const AnalysedFigure& figure) {
  std::vector<std::string> items;
  figure.found().for_each_value([&](Metric metric, PathIndex path, const AnalysedThread& thread, double value) {
    if (!thread.is_master()) return;
    items.push_back("[" + json_string(info_of(metric).unique_name) + "," + json_string(figure.found().path_name(path)) +
                    "," + std::to_string(thread.rank_index.value) + "," + exact_number(value) + "]");
  });
  return comma_separated(items);
}

std::string panel_json(const Figure& panel) {
  AnalysedFigure figure(panel);
  return "{\"picture\":" + json_string(panel.picture) + ",\"caption\":" + json_string(panel.caption) +
         ",\"ranks\":" + std::to_string(figure.ranks()) + ",\"events\":[" + events_json(figure) + "],\"values\":[" +
         values_json(figure) + "],\"critical_path\":" + json_string(figure.found().result().critical_path) + "}";
}

TEST(Pictures, EveryFigureIsDescribed) {
  std::vector<std::string> panels;
  for (const Figure& panel : kFigures) {
    panels.push_back(panel_json(panel));
    EXPECT_NE(panels.back().find("\"critical_path\""), std::string::npos) << panel.picture;
  }
  if (const char* file = std::getenv("TARRY_PICTURES")) {
    std::ofstream out(file);
    out << "[" << comma_separated(panels) << "]\n";
    EXPECT_TRUE(out.flush().good()) << file;
  }
}

}  // namespace
}  // namespace tarry
