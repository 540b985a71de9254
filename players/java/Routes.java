// Shortest routes, found by breadth-first search: to all cells that one step leads to, then two steps, and so on.
import java.util.*;

class Routes {
    private record Route(Cell end, Route before, int length) {} // before: the same without its last step

    private final Map<Cell, Route> routes = new HashMap<>();

    /** All routes over the floor, and to the cells right beside it, from whichever start is nearest. */
    Routes(Collection<Cell> starts, Set<Cell> floor, List<Cell> steps) {
        var queue = new ArrayDeque<Route>();
        for (Cell start : starts) queue.add(new Route(start, null, 0));
        queue.forEach(route -> routes.put(route.end, route));
        while (!queue.isEmpty()) {
            Route route = queue.remove();
            for (Cell step : steps) {
                Cell end = route.end.plus(step);
                if (routes.containsKey(end)) continue;
                routes.put(end, new Route(end, route, route.length + 1));
                if (floor.contains(end)) queue.add(routes.get(end));
            }
        }
    }
    int length(Cell end) { return routes.containsKey(end) ? routes.get(end).length : 999; } // 999: there is no route

    String letters(Cell end) { // where the steps are those of Cell.BESIDE; no letters if there is no route
        var letters = new StringBuilder();
        for (Route route = routes.get(end); route != null && route.before != null; route = route.before)
            letters.append("RDLU".charAt(Cell.BESIDE.indexOf(route.end.minus(route.before.end))));
        return letters.reverse().toString();
    }
}
