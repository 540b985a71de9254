// Sneaks to the goal: Dijkstra's search for the cheapest path past the guards; in the fog again before every step.
import java.util.*;
import java.util.stream.Stream;

class Stealth extends Player {
    record Node(double cost, String letters, List<Cell> path) {} // the letters of the steps that are still to come

    Stealth(Json start) { super(start); }
    Node search(Node start, House house) { // the cheapest path to the goal, or just the start if no way leads there
        var queue = new PriorityQueue<>(Comparator.comparing(Node::cost).thenComparing(Node::letters));
        var done = new HashSet<List<Object>>(); // cells, each with the guards at a time
        for (queue.add(start); !queue.isEmpty(); ) {
            Node node = queue.remove();
            int moves = node.path.size() - 1;
            Cell cell = node.path.get(moves);
            if (house.tiles.get(cell) == 'Y') return node;
            List<Cell> now = house.guards(moves), then = house.guards(moves + 1);
            if (!done.add(List.of(cell, now, then))) continue; // a cheaper path leads to the same
            for (int i = 0; i < 4; i++) {
                Cell next = cell.plus(Cell.BESIDE.get(i));
                if (node.path.contains(next) || !house.isOpen(cell, next, now, then)) continue;
                String letters = node.letters + "rdlu".charAt(i);
                queue.add(new Node(node.cost + house.cost(next, then), letters, longer(node.path, next)));
            }
        }
        return start;
    }
    List<Cell> longer(List<Cell> path, Cell next) { return Stream.concat(path.stream(), Stream.of(next)).toList(); }
    @Override void think(Json message) {
        Json seen = message.get("observation"), known = seen.get("known");
        boolean fog = known.value() != null;
        var walked = seen.get("path").list().stream().map(Cell::of).toList(); // the thief enters none of them again
        Node best = search(new Node(0, "", walked), new House(fog ? known.get("map") : map, seen.get("patrols")));
        path(best.path);
        note(shuffled(List.of("Quietly now.", "Did you hear that?", "Keep to the wall.")).get(0));
        act(fog && !best.letters.isEmpty() ? best.letters.substring(0, 1) : best.letters);
    }
    public static void main(String[] args) { play("Java sneak", Stealth::new); }
}
