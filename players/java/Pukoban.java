// Solves Pukoban by breadth-first search: all positions that one step leads to, then those of two steps, and so on.
import java.util.*;

class Pukoban extends Player {
    record Node(Cell player, Set<Cell> boxes, String letter, Node before) {} // a position, and the steps that led to it
    final Set<Cell> floor = Cell.find(map, "-_ .$*@+"), goals = Cell.find(map, ".*+");
    final List<String> letters = shuffled(List.of("r", "d", "l", "u", ">", "v", "<", "^")); // dice choose among equals
    Pukoban(Json start) {
        super(start);
        if (rules.get("moves").text().equals("push")) letters.removeAll(List.of(">", "v", "<", "^")); // no pulls
    }
    Node after(Node node, String letter) { // the next position, or null if this step is not legal
        Cell next = Cell.BESIDE.get("rdlu>v<^".indexOf(letter) % 4), ahead = node.player.plus(next);
        boolean pulls = ">v<^".contains(letter);
        Cell from = pulls ? node.player.minus(next) : ahead, to = from.plus(next); // of a box, if one is there
        boolean moves = node.boxes.contains(from);
        Cell free = moves && !pulls ? to : ahead; // it has to be
        if (!floor.contains(free) || node.boxes.contains(free) || pulls && !moves) return null;
        Set<Cell> boxes = moves ? new HashSet<>(node.boxes) : node.boxes;
        if (moves && boxes.remove(from)) boxes.add(to);
        return new Node(ahead, boxes, letter, node);
    }
    long home(Node node) { return node.boxes.stream().filter(goals::contains).count(); } // how many boxes are on goals
    @Override void think(Json message) {
        Json seen = message.get("observation");
        double end = now() + 0.7 * (message.get("ms").numberOr(10_000) + message.get("bank_ms").number());
        Node best = new Node(Cell.of(seen.get("player")), Set.copyOf(Cell.all(seen.get("boxes"))), "", null);
        var found = new HashSet<>(Set.of(List.of(best.player, best.boxes)));
        var queue = new ArrayDeque<>(List.of(best));
        while (home(best) < goals.size() && !queue.isEmpty() && found.size() < 2_000_000 && now() < end) {
            Node node = queue.remove();
            if (home(node) > home(best)) best = node;
            letters.stream().map(letter -> after(node, letter))
                .filter(next -> next != null && found.add(List.of(next.player, next.boxes))).forEach(queue::add);
        }
        var way = new LinkedList<Node>();
        for (Node node = best; node != null; node = node.before) way.addFirst(node);
        path(way.stream().map(Node::player).toList());
        note("I saw " + found.size() + " positions.");
        act(way.size() == 1 ? message.get("default") : way.stream().skip(1).map(Node::letter).toList());
    }
    public static void main(String[] args) { play("Java mover", Pukoban::new); }
}
