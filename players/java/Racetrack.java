// Drives a car: tries all ways to steer for some turns, and takes the one that gets farthest and could brake then.
import java.util.*;
import java.util.stream.*;

class Racetrack extends Player {
    record Way(Cell cell, double left, Way rest) {} // where a move leads, and how far it is after the rest of the way
    final Map<Cell, Character> tiles = Cell.tiles(map);
    final String lap = new TreeSet<>(tiles.values()).toString().replaceAll("[^1-9F]", ""); // its gates in their order
    final List<Routes> toGate = lap.chars().mapToObj(gate ->
        new Routes(Cell.find(map, Character.toString(gate)), Cell.find(map, ".S" + lap), Cell.AROUND)).toList();
    final List<Cell> pushes = rules.get("steering").text().equals("nine") ? Cell.AROUND_OR_ZERO : Cell.AROUND;
    final double maxSpeed = rules.get("max_speed").numberOr(99), gates = lap.length() * rules.get("laps").number();

    Racetrack(Json start) { super(start); }
    Way drive(Cell from, Cell speed, int passed, int turns) { // makes this move, and the best ones after it
        Cell landing = from.plus(speed), brake = Cell.ZERO.minus(speed.sign());
        int gate = passed;
        for (Cell cell : from.line(speed)) {
            char tile = tiles.getOrDefault(cell, '#');
            if (tile == '#' || Math.hypot(speed.x(), speed.y()) > maxSpeed) return new Way(landing, 1e9, null); // never
            if (tile == lap.charAt(gate % lap.length()) && ++gate == gates) return new Way(landing, -turns, null);
        }
        double left = 1000 * (gates - gate) + toGate.get(gate % lap.length()).length(landing);
        if (turns <= 0 && speed.equals(Cell.ZERO)) return new Way(landing, left, null);
        int now = gate; // after the last turn the car brakes until it stands
        Way rest = (turns > 0 ? pushes : List.of(brake)).stream().map(push ->
            drive(landing, speed.plus(push), now, turns - 1)).min(Comparator.comparing(Way::left)).get();
        return new Way(landing, turns == 0 ? Math.max(left, rest.left) : rest.left, rest);
    }
    @Override void think(Json message) {
        Json seen = message.get("observation"), car = seen.get("race", "cars").list().get(seen.get("seat").integer());
        Cell cell = Cell.of(car.get("cell")), speed = Cell.of(car.get("velocity"));
        Way best = shuffled(Cell.all(message.get("actions"))).stream().map(push -> drive(cell, speed.plus(push),
            car.get("progress").integer(), 3)).min(Comparator.comparing(Way::left)).get();
        path(Stream.concat(Stream.of(cell), Stream.iterate(best, Objects::nonNull, Way::rest).map(Way::cell)).toList());
        if (best.left <= 0) note("I can see the finish!");
        act(best.cell.minus(cell).minus(speed).json());
    }
    public static void main(String[] args) { play("Java racer", Racetrack::new); }
}
