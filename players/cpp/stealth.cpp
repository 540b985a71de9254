// Sneaks to the goal: Dijkstra's search for the cheapest path past the guards; in the fog again before every step.
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <queue>
#include <random>
#include <set>
using namespace std;
using nlohmann::json;
using Path = vector<int>; // a cell is its number in the map, which is in one row, with a wall around it
using Plan = tuple<double, string, Path>; // what it costs, the letters, and all cells
json level; string tiles; int width; Path walked; mt19937_64 dice;
void say(const json& message) { cout << message << endl; }
int number(const json& cell) { return cell["x"].get<int>() + 1 + (cell["y"].get<int>() + 1) * width; }

double factor(int guard, int cell) { // by how much a guard raises a cost: nothing from afar, nor through a wall
  const int dx = cell % width - guard % width, dy = cell / width - guard / width, far = max(abs(dx), abs(dy));
  for (int i = 1; i < far; i++) // the cells on the line between them
    if (tiles[guard + lround(1.0 * i * dx / far) + lround(1.0 * i * dy / far) * width] == '#') return 1;
  return far > 4 ? 1 : (8 - far) / 3.0;
}
Plan search(const vector<Path>& patrols) { // the cheapest path to the goal, with the cells that were walked
  priority_queue<Plan, vector<Plan>, greater<>> queue;
  queue.emplace(0, "", walked);
  set<pair<int, int>> done;
  int period = 1;
  for (const Path& loop : patrols) period = lcm(period, loop.size());
  while (!queue.empty()) {
    auto [cost, letters, path] = queue.top();
    queue.pop();
    const int cell = path.back(), moves = path.size(); // so many moves after the next one
    if (tiles[cell] == 'Y') return {cost, letters, path};
    if (!done.emplace(cell, moves % period).second) continue;
    for (auto [letter, near] : {pair('u', cell - width), {'d', cell + width}, {'l', cell - 1}, {'r', cell + 1}}) {
      bool is_free = !strchr("#Z", tiles[near]) && !count(path.begin(), path.end(), near);
      double price = tiles[near] == 'X' ? 3 : tiles[near] == 'T' ? 4.5 : 1.5;
      for (const Path& loop : patrols) {
        const int before = loop[(moves - 1) % loop.size()], after = loop[moves % loop.size()];
        is_free = is_free && near != after && (near != before || cell != after); // nor may they change places
        price *= factor(after, near);
      }
      path.push_back(near);
      if (is_free) queue.emplace(cost + price, letters + letter, path);
      path.pop_back();
    }
  }
  return {0, "", walked}; // no way leads to the goal, so it stops here
}

void hear(const json& message) {
  if (message["type"] == "start") {
    level = message["level"];
    dice.seed(message["seed"].get<uint64_t>());
    say({{"type", "ready"}, {"protocol", 1}, {"name", "C++ sneak"}, {"keep_alive", true}});
  } else if (message["type"] == "turn") {
    const json &seen = message["observation"], &turn = message["turn"];
    const bool fog = !seen["known"].is_null();
    const vector<string> map = (fog ? seen["known"] : level)["map"];
    width = map[0].size() + 1, tiles = string(width * (map.size() + 2) + 1, '#');
    for (size_t y = 0; y < map.size(); y++) tiles.replace((y + 1) * width + 1, width - 1, map[y]);
    vector<Path> patrols;
    for (const json& loop : seen["patrols"]) {
      patrols.emplace_back();
      for (const json& cell : loop) patrols.back().push_back(number(cell));
    }
    for (size_t i = 0; i < tiles.size(); i++) if (tiles[i] == 'Z') patrols.push_back({int(i)}); // these stand still
    walked.clear();
    for (const json& cell : seen["path"]) walked.push_back(number(cell));
    const auto [cost, letters, path] = search(patrols);
    json cells;
    for (int cell : path) cells.push_back({{"x", cell % width - 1}, {"y", cell / width - 1}});
    const vector<string> notes = {"Quietly now.", "Did you hear that?", "Keep to the wall."};
    say({{"type", "insight"}, {"turn", turn}, {"paths", {{{"cells", cells}}}}});
    say({{"type", "note"}, {"turn", turn}, {"text", notes[dice() % notes.size()]}});
    say({{"type", "action"}, {"turn", turn}, {"action", fog ? letters.substr(0, 1) : letters}});
  }
}
int main() { for (string line; getline(cin, line);) hear(json::parse(line)); }
