// Cops and robber: the thief runs to a gate, or away from all cops; cops wait at the gates, or go where it would hide.
import java.util.*;
import java.util.stream.*;
class Cops extends Player {
    record Exit(int time, Cell door) {} // when the thief can be out, and through which cell of the border
    final List<Cell> border = Cell.border(map);
    Cops(Json start) { super(start); }
    Stream<Exit> exits(Json gate, int time) { // where a gate that keeps its pace is at that time
        double way = rules.get("p_gate_move").number() * time * (gate.get("clockwise").isTrue() ? 1 : -1);
        int place = gate.get("place").integer() + (int) Math.round(way);
        return IntStream.range(place, place + rules.get("gate_width").integer())
            .mapToObj(i -> new Exit(time, border.get(Math.floorMod(i, border.size()))));
    }
    @Override void think(Json message) {
        Json now = message.get("observation", "now");
        Set<Cell> floor = Cell.find(map, ".TC-|");
        for (Json wall : now.get("walls").list())
            floor.removeAll(Cell.of(wall.get("cell")).row(wall.get("standing").isTrue() ? Cell.DOWN : Cell.RIGHT,
                rules.get("wall_length").integer()));
        var thief = new Routes(List.of(Cell.of(now.get("thief"))), floor, Cell.BESIDE);
        List<Cell> cops = Cell.all(now.get("cops"));
        var nearest = new Routes(cops, floor, Cell.BESIDE); // of whichever cop is there first
        var cells = shuffled(floor).stream().filter(cell -> thief.length(cell) < 999).toList();
        Cell hideout = Collections.max(cells, Comparator.comparing((Cell cell) ->
            thief.length(cell) < nearest.length(cell)).thenComparing(nearest::length));
        var exits = now.get("gates").list().stream().flatMap(gate -> IntStream.range(1, 100).boxed()
            .flatMap(time -> exits(gate, time)).filter(exit -> thief.length(exit.door) <= exit.time).limit(1))
            .sorted(Comparator.comparing(Exit::time)).toList(); // the first through each gate, and the soonest first
        String run = exits.stream().filter(exit -> exit.time < nearest.length(exit.door)).findFirst().map(Exit::door)
            .map(thief::letters).map(way -> way.replaceFirst(".$", "$0".repeat(20))) // tries to get out until it can
            .orElse(thief.letters(hideout));
        var plans = message.get("observation", "seat").integer() == 0 ? List.of(run) : cops.stream().map(cop ->
            new Routes(List.of(cop), floor, Cell.BESIDE)).map(cop -> cop.letters(exits.stream().map(Exit::door)
            .filter(door -> cop.length(door) == nearest.length(door)).findFirst().orElse(hideout))).toList();
        heat("Cops in", cells, nearest::length);
        if (!exits.isEmpty()) note("The thief could be out in " + exits.get(0).time + " ticks.");
        act(plans.stream().map(plan -> plan.substring(0, Math.min(rules.get("k").integer(), plan.length()))).toList());
    }
    public static void main(String[] args) { play("Java pursuit", Cops::new); }
}
