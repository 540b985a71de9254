// Solves Pukoban by breadth-first search: all positions that one step leads to, then those of two steps, and so on.
#include <chrono>
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>
#include <random>
#include <unordered_map>
using namespace std;
using nlohmann::json;
using Clock = chrono::steady_clock;
using Position = u16string; // the cell of the player, then those of the boxes, the smallest first
string tiles; int width; vector<pair<char, int>> steps; // the map in one row, with a wall around it
void say(const json& message) { cout << message << endl; }
int number(const json& cell) { return cell["x"].get<int>() + 1 + (cell["y"].get<int>() + 1) * width; }
bool is_wall(int cell) { return tiles[cell] == '#'; }
bool is_goal(int cell) { return strchr(".*+", tiles[cell]); }
int solved(const Position& position) { return count_if(position.begin() + 1, position.end(), is_goal); }

void hear(const json& message) {
  if (message["type"] == "start") {
    const vector<string> map = message["level"]["map"];
    width = map[0].size() + 1, tiles = string(width * (map.size() + 2) + 1, '#');
    for (size_t y = 0; y < map.size(); y++) tiles.replace((y + 1) * width + 1, width - 1, map[y]);
    steps = {{'l', -1}, {'r', 1}, {'u', -width}, {'d', width}, {'<', -1}, {'>', 1}, {'^', -width}, {'v', width}};
    if (message["level"]["rules"]["moves"] == "push") steps.resize(4); // nothing can be pulled
    shuffle(steps.begin(), steps.end(), mt19937_64(message["seed"].get<uint64_t>())); // to choose among equal solutions
    say({{"type", "ready"}, {"protocol", 1}, {"name", "C++ mover"}, {"keep_alive", true}});
  } else if (message["type"] == "turn") {
    const json &seen = message["observation"], &turn = message["turn"];
    const int ms = (message.value("ms", 10000) + message["bank_ms"].get<int>()) * 2 / 3; // some time for the rest
    const auto end = Clock::now() + chrono::milliseconds(ms);
    const int goals = count_if(tiles.begin(), tiles.end(), [](char tile) { return strchr(".*+", tile); });
    Position start(1, number(seen["player"]));
    for (const json& box : seen["boxes"]) start += number(box);
    sort(start.begin() + 1, start.end());
    unordered_map<Position, pair<Position, char>> ways{{start, {}}}; // the position before, and the step from there
    list<Position> queue{start};
    Position best = start;
    map<int, int> visits; // in how many positions the player is in a cell
    for (const Position& position : queue) { // the queue grows while we walk along it
      visits[position[0]]++;
      if (solved(position) > solved(best)) best = position;
      if (solved(best) == goals || Clock::now() > end || ways.size() * start.size() > 3e7) break; // mind the memory
      for (auto [letter, step] : steps) {
        const bool pulls = strchr("<>^v", letter);
        const size_t box = position.find(position[0] + (pulls ? -step : step), 1);
        Position after = position;
        after[0] += step;
        if (box != Position::npos) after[box] += step;
        else if (pulls) continue; // there is nothing to pull
        sort(after.begin() + 1, after.end());
        if (any_of(after.begin(), after.end(), is_wall) || after.find(after[0], 1) != Position::npos) continue;
        if (adjacent_find(after.begin(), after.end()) != after.end()) continue; // two boxes in one cell
        if (ways.emplace(after, pair(position, letter)).second) queue.push_back(after);
      }
    }
    json action, heat;
    for (; best != start; best = ways[best].first) action.push_back(string(1, ways[best].second));
    reverse(action.begin(), action.end());
    for (auto [cell, times] : visits) heat.push_back({{{"x", cell % width - 1}, {"y", cell / width - 1}}, times});
    say({{"type", "insight"}, {"turn", turn}, {"heat", {{"label", "Positions"}, {"cells", heat}}}});
    say({{"type", "note"}, {"turn", turn}, {"text", "I saw " + to_string(ways.size()) + " positions."}});
    say({{"type", "action"}, {"turn", turn}, {"action", action.empty() ? message["default"] : action}});
  }
}
int main() { for (string line; getline(cin, line);) hear(json::parse(line)); }
