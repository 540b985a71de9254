// A cell of a board, x from the left and y from the top, counted from 0; or the way from one cell to another.
import java.util.*;
import java.util.stream.Stream;

record Cell(int x, int y) {
    static final Cell RIGHT = new Cell(1, 0), DOWN = new Cell(0, 1), LEFT = new Cell(-1, 0), UP = new Cell(0, -1);
    static final Cell ZERO = new Cell(0, 0);
    static final List<Cell> BESIDE = List.of(RIGHT, DOWN, LEFT, UP);
    static final List<Cell> AROUND = List.of(RIGHT, DOWN, LEFT, UP,
        RIGHT.plus(DOWN), LEFT.plus(DOWN), LEFT.plus(UP), RIGHT.plus(UP));
    static final List<Cell> AROUND_OR_ZERO = Stream.concat(AROUND.stream(), Stream.of(ZERO)).toList();

    static Cell of(Json cell) { return new Cell(cell.get("x").integer(), cell.get("y").integer()); }
    static List<Cell> all(Json cells) { return cells.list().stream().map(Cell::of).toList(); }
    Map<String, Object> json() { return Json.object("x", x, "y", y); }

    @Override public int hashCode() { // mixed well, so that maps are fast, and sets of sets of cells too
        int mixed = 0x9e3779b9 * (1024 * y + x);
        return mixed ^ mixed >>> 15;
    }

    Cell plus(Cell way) { return new Cell(x + way.x, y + way.y); }
    Cell minus(Cell cell) { return new Cell(x - cell.x, y - cell.y); }
    Cell sign() { return new Cell(Integer.signum(x), Integer.signum(y)); }
    List<Cell> row(Cell step, int length) { // of so many cells, beginning with this one
        return Stream.iterate(this, cell -> cell.plus(step)).limit(length).toList();
    }

    static Map<Cell, Character> tiles(Json map) { // what is where on the map of a level, row by row
        var tiles = new LinkedHashMap<Cell, Character>();
        List<String> rows = map.list().stream().map(Json::text).toList();
        for (int y = 0; y < rows.size(); y++)
            for (int x = 0; x < rows.get(y).length(); x++) tiles.put(new Cell(x, y), rows.get(y).charAt(x));
        return tiles;
    }
    static Set<Cell> find(Json map, String wanted) { // the cells of a map whose tile is one of these characters
        Map<Cell, Character> tiles = tiles(map);
        tiles.values().removeIf(tile -> wanted.indexOf(tile) < 0);
        return tiles.keySet();
    }
    static List<Cell> border(Json map) { // the cells at the border of a map, clockwise from the top left corner
        Set<Cell> cells = tiles(map).keySet();
        var border = new ArrayList<Cell>();
        Cell at = new Cell(0, 0);
        for (Cell step : BESIDE)
            for (; cells.contains(at.plus(step)); at = at.plus(step)) border.add(at);
        return border;
    }
    List<Cell> line(Cell way) { // the cells that a straight line enters on this way, from the centre of this cell
        var line = new ArrayList<Cell>();
        int i = 0, j = 0, width = Math.abs(way.x), height = Math.abs(way.y); // i columns and j rows are behind it
        while (i < width || j < height) {
            int side = (2 * i + 1) * height - (2 * j + 1) * width; // by which side it leaves the cell, 0 by a corner
            if (side <= 0) i++;
            if (side >= 0) j++;
            line.add(new Cell(x + i * way.sign().x, y + j * way.sign().y));
        }
        return line;
    }
}
