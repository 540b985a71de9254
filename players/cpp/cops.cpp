// Cops and robber: the thief runs to a gate, or away from all cops; cops wait at the gates, or go where it would hide.
#include <iostream>
#include <list>
#include <nlohmann/json.hpp>
#include <random>
using namespace std;
using nlohmann::json;
json rules; string board; int width; vector<int> border; mt19937_64 dice; // a cell is its number in the board
void say(const json& message) { cout << message << endl; }
int number(const json& cell) { return cell["x"].get<int>() + cell["y"].get<int>() * width; }

map<int, string> routes(list<int> queue, const string& ground) { // breadth-first search: the letters to each cell
  map<int, string> found;
  for (int cell : queue) found[cell] = "";
  for (int cell : queue) // the queue grows while we walk along it
    for (auto [letter, near] : {pair('R', cell + 1), {'D', cell + width}, {'L', cell - 1}, {'U', cell - width}})
      if (ground[cell] != '=' && ground[near] != '#' && found.emplace(near, found[cell] + letter).second)
        queue.push_back(near); // ways may end in the border, but none goes on from there
  return found;
}

void hear(const json& message) {
  if (message["type"] == "start") {
    const vector<string> map = message["level"]["map"];
    rules = message["level"]["rules"], width = map[0].size(), board = "", border = {};
    dice.seed(message["seed"].get<uint64_t>());
    for (const string& row : map) for (char tile : row) board += tile == 'G' ? '=' : tile;
    int cell = 0, right = width - 1, down = map.size() - 1; // we walk along the border, clockwise
    for (auto [step, steps] : {pair(1, right), {width, down}, {-1, right}, {-width, down}})
      for (int i = 0; i < steps; i++, cell += step) border.push_back(cell);
    say({{"type", "ready"}, {"protocol", 1}, {"name", "C++ pursuit"}, {"keep_alive", true}});
  } else if (message["type"] == "turn") {
    const json &now = message["observation"]["now"], &turn = message["turn"];
    string ground = board;
    for (const json& wall : now["walls"])
      for (int i = 0, step = wall["standing"] ? width : 1; i < rules["wall_length"]; i++)
        ground[number(wall["cell"]) + i * step] = '#';
    list<int> cops;
    for (const json& cop : now["cops"]) cops.push_back(number(cop));
    auto thief = routes({number(now["thief"])}, ground), nearest = routes(cops, ground);
    const auto far = [&](int cell) { return nearest.count(cell) ? int(nearest[cell].size()) : 999; };
    json heat, plans;
    tuple<bool, int, uint64_t, int> best; // whether the thief is there first, how far the cops are, a die, and the cell
    for (auto& [cell, way] : thief) if (ground[cell] != '=') {
      best = max(best, {int(way.size()) < far(cell), far(cell), dice(), cell});
      heat.push_back({{{"x", cell % width}, {"y", cell / width}}, far(cell)});
    }
    map<int, int, greater<>> exits; // when and where the thief can meet a gate that keeps its pace, the latest first
    for (const json& gate : now["gates"])
      for (int i = 0, all = border.size(); i < all; i++) {
        const int place = gate["place"], time = thief.count(border[i]) ? thief[border[i]].size() : 0;
        const int moved = int(rules["p_gate_move"].get<double>() * time) * (gate["clockwise"] ? 1 : -1);
        if (time > 0 && (i - place - moved + 100 * all) % all < rules["gate_width"]) exits[time] = border[i];
      }
    int goal = get<3>(best); // a place to hide
    if (message["observation"]["seat"] == 0) {
      for (auto [time, cell] : exits) if (time < far(cell)) goal = cell;
      string way = thief[goal];
      if (ground[goal] == '=') way += string(rules["k"], way.back()); // if the gate comes late, it waits at the wall
      plans.push_back(way.substr(0, rules["k"]));
    } else for (int cop : cops) {
      auto ways = routes({cop}, ground);
      int post = goal;
      for (auto [time, cell] : exits) if (int(ways[cell].size()) == far(cell)) post = cell; // nobody is nearer
      plans.push_back(ways[post].substr(0, rules["k"]));
    }
    say({{"type", "insight"}, {"turn", turn}, {"heat", {{"label", "Cops in"}, {"cells", heat}}}});
    const int soonest = exits.empty() ? 0 : exits.rbegin()->first;
    const string text = "The thief could be out in " + to_string(soonest) + " ticks.";
    if (soonest > 0) say({{"type", "note"}, {"turn", turn}, {"text", text}});
    say({{"type", "action"}, {"turn", turn}, {"action", plans}});
  }
}
int main() { for (string line; getline(cin, line);) hear(json::parse(line)); }
