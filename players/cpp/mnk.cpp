// Plays k in a row: looks at every place for a row, and takes the cell that matters most to those still open.
#include <iostream>
#include <nlohmann/json.hpp>
#include <random>
using namespace std;
using nlohmann::json;
int width, k; mt19937_64 dice;
void say(const json& message) { cout << message << endl; }
vector<json> weigh(const vector<json>& stones, const json& mine) { // all empty cells, and how much each of them matters
  vector<double> value(stones.size());
  for (int i = 0; i < int(stones.size()); i++)
    for (auto [dx, dy] : {pair(1, 0), {0, 1}, {1, 1}, {-1, 1}}) { // k cells in a row, from this one to the last one
      const int step = dx + dy * width, last = i + (k - 1) * step, last_x = i % width + (k - 1) * dx;
      if (last_x < 0 || last_x >= width || last >= int(stones.size())) continue; // they would leave the board
      int own = 0, empty = 0;
      for (int j = 0; j < k; j++) own += stones[i + j * step] == mine, empty += stones[i + j * step].is_null();
      const double weight = empty > 1 ? pow(8, k - empty) * (own ? 1.5 : 1) : own ? 1e200 : 1e100; // a win comes first
      if (own == 0 || own + empty == k) for (int j = 0; j < k; j++) value[i + j * step] += weight; // it can be filled
    }
  vector<json> heat;
  for (int i = 0; i < int(stones.size()); i++) if (stones[i].is_null())
    heat.push_back({{{"x", i % width}, {"y", i / width}}, log1p(value[i] + dice() % 100 / 100.0)});
  return heat;
}
void hear(const json& message) {
  if (message["type"] == "start") {
    width = message["level"]["map"][0].get<string>().size(), k = message["level"]["rules"]["k"];
    dice.seed(message["seed"].get<uint64_t>());
    say({{"type", "ready"}, {"protocol", 1}, {"name", "C++ rows"}, {"keep_alive", true}});
  } else if (message["type"] == "turn") {
    const json &seen = message["observation"], &turn = message["turn"], &actions = message["actions"];
    const vector<json> heat = weigh(seen["stones"], seen["to_move"]);
    const json best = *max_element(heat.begin(), heat.end(), [](auto& a, auto& b) { return a[1] < b[1]; });
    const json place = {{"Place", best[0]}}, any = actions[dice() % actions.size()]; // any will do in a swap opening
    say({{"type", "insight"}, {"turn", turn}, {"heat", {{"label", "What matters"}, {"cells", heat}}}});
    if (best[1] > log(1e99)) say({{"type", "note"}, {"turn", turn}, {"text", "There I win, or you do."}});
    say({{"type", "action"}, {"turn", turn}, {"action", seen["phase"] == "Play" ? place : any}});
  }
}
int main() { for (string line; getline(cin, line);) hear(json::parse(line)); }
