// A player of any game: reads what Outwit says, one message on each line, and answers what a subclass thinks.
// To compile all: javac -d build *.java. To start one: java -Xmx1g -cp build Cops. Outwit allows 2 GiB of memory, and
// without -Xmx1g Java may take more when it has to keep a lot, as Pukoban does: then it crashes.
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Function;

abstract class Player {
    final Json rules, map; // of the level
    final Random dice; // the same seed gives the same dice
    private Json turn; // its number, which each answer has to name

    Player(Json start) {
        rules = start.get("level", "rules");
        map = start.get("level", "map");
        dice = new Random((long) start.get("seed").number());
    }
    double now() { return System.nanoTime() / 1e6; } // in milliseconds
    <T> List<T> shuffled(Collection<T> things) {
        var list = new ArrayList<>(things);
        Collections.shuffle(list, dice);
        return list;
    }

    abstract void think(Json message); // about a turn; in the end it has to act
    void act(Object action) { say("type", "action", "turn", turn, "action", action); }
    void note(String text) { say("type", "note", "turn", turn, "text", text); }
    void path(List<Cell> cells) { // to be drawn on the board
        var path = Json.object("cells", cells.stream().map(Cell::json).toList());
        say("type", "insight", "turn", turn, "paths", List.of(path));
    }
    void heat(String label, Collection<Cell> cells, Function<Cell, Number> value) { // to be drawn as colours
        var values = cells.stream().map(cell -> List.of(cell.json(), value.apply(cell))).toList();
        say("type", "insight", "turn", turn, "heat", Json.object("label", label, "cells", values));
    }
    private static void say(Object... entries) {
        System.out.println(Json.write(Json.object(entries)));
        System.out.flush();
    }

    static void play(String name, Function<Json, Player> newPlayer) { // match after match, until the input ends
        var input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Player player = null;
        for (Json message : (Iterable<Json>) input.lines().map(Json::read)::iterator)
            switch (message.get("type").text()) {
                case "start" -> {
                    player = newPlayer.apply(message);
                    say("type", "ready", "protocol", 1, "name", name, "keep_alive", true);
                }
                case "turn" -> {
                    player.turn = message.get("turn");
                    player.think(message);
                }
                default -> { } // "end", or something that only later versions of Outwit say
            }
    }
}
