// The house of Stealth, as far as the thief knows it: where the guards are, and what it costs to enter a cell.
import java.util.*;
import java.util.stream.*;

class House {
    final Map<Cell, Character> tiles;
    private final List<List<Cell>> rounds; // for each guard the cell after 0, 1, 2 and more moves, then from the start

    House(Json map, Json patrols) {
        var standing = Cell.find(map, "Z").stream().map(List::of);
        tiles = Cell.tiles(map);
        rounds = Stream.concat(patrols.list().stream().map(Cell::all), standing).toList();
    }
    List<Cell> guards(int moves) { return rounds.stream().map(round -> round.get(moves % round.size())).toList(); }
    boolean isOpen(Cell from, Cell to, List<Cell> now, List<Cell> then) { // whether neither wall nor guard stops a step
        boolean changesPlaces = now.contains(to) && then.get(now.indexOf(to)).equals(from);
        return tiles.getOrDefault(to, '#') != '#' && !then.contains(to) && !changesPlaces;
    }
    double cost(Cell cell, List<Cell> guards) {
        double cost = switch (tiles.get(cell)) {
            case 'X' -> 3;
            case 'T' -> 4.5;
            default -> 1.5;
        };
        for (Cell guard : guards) cost *= factor(guard, cell);
        return cost;
    }
    private double factor(Cell guard, Cell cell) { // what a guard makes of a cost, near by and in sight
        Cell way = cell.minus(guard);
        int far = Math.max(Math.abs(way.x()), Math.abs(way.y()));
        if (far > 4) return 1;
        for (int i = 0; i < far; i++) // along the line of sight
            if (tiles.get(guard.plus(new Cell(round(i * way.x(), far), round(i * way.y(), far)))) == '#') return 1;
        return (8 - far) / 3.0;
    }
    private static int round(int part, int parts) { // a fraction to the nearest number, and a half away from 0
        return (2 * part + Integer.signum(part) * parts) / (2 * parts);
    }
}
