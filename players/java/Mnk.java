// Plays k in a row: looks at every place for a row, and takes the cell that matters most to those still open.
import java.util.*;
import java.util.stream.*;

class Mnk extends Player {
    final Set<Cell> cells = Cell.tiles(map).keySet(); // row by row, as the stones are listed
    final List<List<Cell>> rows = cells.stream().flatMap(cell -> // every place for k in a row
        Stream.of(Cell.RIGHT, Cell.DOWN, Cell.RIGHT.plus(Cell.DOWN), Cell.LEFT.plus(Cell.DOWN))
            .map(next -> cell.row(next, rules.get("k").integer()))).filter(cells::containsAll).toList();
    final int width = map.list().get(0).text().length();

    Mnk(Json start) { super(start); }
    int number(Cell cell) { return cell.y() * width + cell.x(); }
    double[] values(List<Object> stones, Object mine) { // how much each empty cell matters to this side
        double[] values = stones.stream().mapToDouble(stone -> stone == null ? dice.nextDouble() : 0).toArray();
        for (List<Cell> row : rows) {
            List<Object> inRow = row.stream().map(cell -> stones.get(number(cell))).toList();
            int own = Collections.frequency(inRow, mine), empty = Collections.frequency(inRow, null);
            if (own > 0 && own + empty < row.size()) continue; // nobody can fill it any more
            double weight = Math.pow(8, row.size() - empty) * (own > 0 ? 1.5 : 1);
            if (empty == 1) // whoever comes first, so winning is better than blocking, and both beat all else
                weight = own > 0 ? 1e200 : 1e100;
            for (Cell cell : row) if (stones.get(number(cell)) == null) values[number(cell)] += weight;
        }
        return values;
    }
    @Override void think(Json message) {
        Json seen = message.get("observation");
        List<Object> stones = seen.get("stones").list().stream().map(Json::value).toList();
        double[] values = values(stones, seen.get("to_move").value());
        List<Cell> empty = cells.stream().filter(cell -> stones.get(number(cell)) == null).toList();
        Cell best = Collections.max(empty, Comparator.comparing(cell -> values[number(cell)]));
        heat("What matters", empty, cell -> Math.log1p(values[number(cell)]));
        if (values[number(best)] > 1e99) note("There I win, or you do.");
        boolean plays = seen.get("phase").value().equals("Play"); // else in a swap opening, anything listed will do
        act(plays ? Json.object("Place", best.json()) : shuffled(message.get("actions").list()).get(0));
    }
    public static void main(String[] args) { play("Java rows", Mnk::new); }
}
