// Drives a car: tries all ways to steer for some turns, and takes the one that gets farthest and could brake then.
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>
#include <random>
using namespace std;
using nlohmann::json;
int width, max_speed; string road, gates; // the map in one row, with a wall around it; what the car must cross
map<pair<char, int>, int> to_gate; // how many cells it is to a gate from a cell
mt19937_64 dice;
void say(const json& message) { cout << message << endl; }

double drive(int cell, int vx, int vy, size_t passed, int turns) { // what is left after this move and the best to come
  const int w = abs(vx), h = abs(vy), right = (vx > 0) - (vx < 0), down = (vy > 0) - (vy < 0);
  for (int i = 1, j = 1; i < 2 * w || j < 2 * h;) { // cell by cell along the line from centre to centre
    const int side = i * h - j * w; // on which side the line leaves the cell
    if (side <= 0) i += 2, cell += right;
    if (side >= 0) j += 2, cell += down * width;
    if (road[cell] == '#' || hypot(vx, vy) > max_speed) return 1e9; // a crash, or not allowed
    if (road[cell] == gates[passed] && ++passed == gates.size()) return -turns; // the sooner, the better
  }
  const double left = 1000 * (gates.size() - passed) + to_gate[{gates[passed], cell}];
  if (turns == 0) return w + h == 0 ? left : max(left, drive(cell, vx - right, vy - down, passed, 0)); // it brakes
  double best = 1e9;
  for (int ax : {-1, 0, 1})
    for (int ay : {-1, 0, 1}) best = min(best, drive(cell, vx + ax, vy + ay, passed, turns - 1));
  return best;
}

void hear(const json& message) {
  if (message["type"] == "start") {
    const json& rules = message["level"]["rules"];
    const vector<string> map = message["level"]["map"];
    max_speed = rules["max_speed"].is_null() ? 99 : rules["max_speed"].get<int>(), gates = "", to_gate = {};
    width = map[0].size() + 1, road = string(width * (map.size() + 2) + 1, '#');
    for (size_t y = 0; y < map.size(); y++) road.replace((y + 1) * width + 1, width - 1, map[y]);
    for (int lap = 0; lap < rules["laps"]; lap++)
      for (char gate : "123456789F"s) if (road.find(gate) != string::npos) gates += gate;
    dice.seed(message["seed"].get<uint64_t>());
    list<pair<char, int>> queue;
    for (size_t i = 0; i < road.size(); i++) if (isalnum(road[i])) to_gate[queue.emplace_back(road[i], i)] = 0;
    for (auto [gate, cell] : queue) // breadth-first search: the list grows while we walk along it
      for (int step : {1, width - 1, width, width + 1}) for (int near : {cell - step, cell + step})
        if (road[near] != '#' && to_gate.emplace(pair(gate, near), to_gate[{gate, cell}] + 1).second)
          queue.emplace_back(gate, near);
    say({{"type", "ready"}, {"protocol", 1}, {"name", "C++ racer"}, {"keep_alive", true}});
  } else if (message["type"] == "turn") {
    const json &seen = message["observation"], &turn = message["turn"];
    const json& car = seen["race"]["cars"][seen["seat"].get<int>()];
    const int x = car["cell"]["x"], y = car["cell"]["y"], vx = car["velocity"]["x"], vy = car["velocity"]["y"];
    map<double, json> ways; // the actions by what is left after them
    vector<json> actions = message["actions"];
    shuffle(actions.begin(), actions.end(), dice); // of equal ones, the last one counts
    for (const json& a : actions)
      ways[drive((y + 1) * width + x + 1, vx + a["x"].get<int>(), vy + a["y"].get<int>(), car["progress"], 3)] = a;
    const auto [left, action] = *ways.begin();
    const json next = {{"x", x + vx + action["x"].get<int>()}, {"y", y + vy + action["y"].get<int>()}};
    say({{"type", "insight"}, {"turn", turn}, {"arrows", {{{"from", car["cell"]}, {"to", next}}}}});
    if (left <= 0) say({{"type", "note"}, {"turn", turn}, {"text", "I can see the finish!"}});
    say({{"type", "action"}, {"turn", turn}, {"action", action}});
  }
}
int main() { for (string line; getline(cin, line);) hear(json::parse(line)); }
