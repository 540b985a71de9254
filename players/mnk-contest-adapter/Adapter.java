// Lets a player of the original MNK contest play in Outwit: java -cp build:mnk-player.jar Adapter my.pack.MyPlayer
import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.stream.*;

class Adapter {
    private static final PrintStream OUTWIT = System.out;
    private final Class<?> type;
    private final Method initPlayer, selectCell, playerName;
    private Object player; // a new one for each game
    private int rows, columns, k, timeout;
    private String first, mine; // whose stones begin, and which are the player's own: "x" or "o"
    private final List<Integer> marked = new ArrayList<>(); // cells with stones, as numbers, in the order of the game
    private Integer chosen; // the number of the cell that the player chose last, or null before its first move

    Adapter(String name) throws ReflectiveOperationException {
        type = Class.forName(name);
        initPlayer = type.getMethod("initPlayer", int.class, int.class, int.class, boolean.class, int.class);
        playerName = type.getMethod("playerName");
        selectCell = Stream.of(type.getMethods())
            .filter(m -> m.getName().equals("selectCell") && m.getParameterCount() == 2 && !m.isBridge()).findFirst()
            .orElseThrow(() -> new NoSuchMethodException(name + ".selectCell(mnkgame.MNKCell[],mnkgame.MNKCell[])"));
    }
    private void start(Json message) throws ReflectiveOperationException {
        Json rules = message.get("level", "rules"), budget = message.get("budget");
        String map = message.get("level", "map").list().stream().map(Json::text).collect(Collectors.joining());
        if (!message.get("game").text().equals("mnk")) fail("the contest is k in a row: choose the game mnk");
        if (!rules.get("opening").text().equals("free") || rules.get("exact").isTrue() || !map.matches("[.XO]*"))
            fail("the contest has no swap, no exact rows and no other tiles than . X O: choose a level without them");
        rows = message.get("level", "map").list().size();
        columns = map.length() / rows;
        k = rules.get("k").integer();
        int more = map.chars().map(tile -> tile == 'X' ? 1 : tile == 'O' ? -1 : 0).sum(); // X than O
        first = more == 0 ? rules.get("to_move").text() : more > 0 ? "x" : "o";
        mine = message.get("seat").text();
        double turns = Math.ceil(map.length() / 2.0), match = budget.get("match_ms").numberOr(10_000 * turns);
        timeout = (int) Math.max(1, budget.get("ms").numberOr(match / turns) / 1000); // in seconds; 10 without a clock
        begin();
        say("type", "ready", "protocol", 1, "name", "" + playerName.invoke(player));
    }
    private void begin() throws ReflectiveOperationException {
        player = type.getConstructor().newInstance();
        initPlayer.invoke(player, rows, columns, k, mine.equals(first), timeout);
        marked.clear();
        chosen = null;
    }
    private void turn(Json message) throws ReflectiveOperationException {
        Json seen = message.get("observation"), last = seen.get("last");
        List<Object> stones = seen.get("stones").list().stream().map(Json::value).toList();
        var free = IntStream.range(0, stones.size()).boxed().filter(cell -> stones.get(cell) == null).toList();
        var fresh = IntStream.range(0, stones.size()).boxed().collect(Collectors.toCollection(LinkedHashSet::new));
        free.forEach(fresh::remove); // so these are the cells with stones
        boolean goesOn = fresh.size() == marked.size() + 2 // by its own stone and the opponent's
            && (message.get("last", "late").isTrue() || fresh.contains(chosen) && mine.equals(stones.get(chosen)))
            && IntStream.range(0, marked.size()).allMatch(i -> owner(i).equals(stones.get(marked.get(i))));
        if (!goesOn && chosen != null) begin(); // somebody took back a move, or this is another game
        marked.forEach(fresh::remove); // so these are only the stones that the player has not seen
        if (chosen == null && fresh.size() > 1) System.err.println("Adapter: the game begins with " + fresh.size()
            + " stones, and a player that looks only at the last one misses the others: use --openings none");
        Integer newest = last.value() == null ? null : last.get("x").integer() + columns * last.get("y").integer();
        if (fresh.remove(newest)) fresh.add(newest); // to the end
        while (!fresh.isEmpty()) { // the stones of an opening have no order but that sides take turns
            String owner = owner(marked.size());
            Integer next = fresh.stream().filter(cell -> owner.equals(stones.get(cell))).findFirst().orElseThrow();
            fresh.remove(next);
            marked.add(next);
        }
        Object cell = selectCell.invoke(player, cells(free, "FREE", "FREE"), cells(marked, "P1", "P2"));
        if (cell == null) fail(type.getName() + ".selectCell returned null: it has to return one of the free cells");
        int x = cell.getClass().getField("j").getInt(cell), y = cell.getClass().getField("i").getInt(cell);
        chosen = x + columns * y;
        say("type", "action", "turn", message.get("turn"), "action", Json.object("Place", Json.object("x", x, "y", y)));
    }
    private String owner(int move) { return (move % 2 == 0) == first.equals("x") ? "x" : "o"; }
    private Object cells(List<Integer> numbers, String... states) throws ReflectiveOperationException {
        Class<?> cell = selectCell.getReturnType(), state = cell.getField("state").getType();
        Constructor<?> newCell = cell.getConstructor(int.class, int.class, state);
        Object cells = Array.newInstance(cell, numbers.size()); // with the given states in turn
        for (int i = 0; i < numbers.size(); i++)
            Array.set(cells, i, newCell.newInstance(numbers.get(i) / columns, numbers.get(i) % columns,
                state.getField(states[i % 2]).get(null)));
        return cells;
    }
    private static void say(Object... entries) { OUTWIT.println(Json.write(Json.object(entries))); OUTWIT.flush(); }
    private static void fail(String problem) { System.err.println("Adapter: " + problem); System.exit(1); }

    public static void main(String[] args) throws IOException {
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.setOut(System.err); // what the player prints belongs in the log
        if (args.length != 1) fail("name the player, as in: java -cp build:player.jar Adapter mnkplayer.MyPlayer");
        try {
            var adapter = new Adapter(args[0]);
            for (Json message : (Iterable<Json>) input.lines().map(Json::read)::iterator)
                if (message.get("type").text().equals("start")) adapter.start(message);
                else if (message.get("type").text().equals("turn")) adapter.turn(message);
        } catch (InvocationTargetException e) {
            e.getCause().printStackTrace();
            fail(args[0] + " threw " + e.getCause() + ": the stack trace above says where");
        } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
            fail("cannot use " + args[0] + " because of " + e + ": give the full name of a public class that has the"
                + " methods of mnkgame.MNKPlayer, and put it and all that it needs after -cp, mnkgame too");
        }
        System.exit(0); // even if the player left a thread running
    }
}
