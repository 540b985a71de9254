// A JSON value: a Map, List, String, Long, Double, Boolean or null. Reads and writes it, and finds what is inside.
import java.util.*;
import java.util.regex.*;
import java.util.stream.Collectors;

record Json(Object value) {
    Json get(String... names) { // what is under the first name, in that under the second, and so on; null if nothing is
        Object found = value;
        for (String name : names) found = found instanceof Map<?, ?> map ? map.get(name) : null;
        return new Json(found);
    }
    List<Json> list() { return value instanceof List<?> list ? list.stream().map(Json::new).toList() : List.of(); }
    double number() { return ((Number) value).doubleValue(); }
    double numberOr(double other) { return value == null ? other : number(); }
    int integer() { return ((Number) value).intValue(); }
    boolean isTrue() { return Boolean.TRUE.equals(value); }
    String text() { return (String) value; }

    static Map<String, Object> object(Object... entries) { // from names and values in turn
        var object = new LinkedHashMap<String, Object>(); // keeps their order
        for (int i = 0; i < entries.length; i += 2) object.put((String) entries[i], entries[i + 1]);
        return object;
    }
    static String write(Object value) {
        if (value instanceof Json json) return write(json.value);
        if (value instanceof List<?> l) return l.stream().map(Json::write).collect(Collectors.joining(",", "[", "]"));
        if (value instanceof Map<?, ?> map) return map.entrySet().stream()
            .map(e -> write(e.getKey()) + ":" + write(e.getValue())).collect(Collectors.joining(",", "{", "}"));
        if (!(value instanceof String text)) return String.valueOf(value);
        return '"' + SPECIAL.matcher(text).replaceAll(special -> special.group().chars()
            .mapToObj(c -> String.format("\\\\u%04x", c)).collect(Collectors.joining())) + '"';
    }

    // The parts of JSON: brackets, strings, and words such as numbers. Commas, colons and blanks only separate them.
    private static final Pattern PART = Pattern.compile("[{}\\[\\]]|\"(?:[^\"\\\\]|\\\\.)*+\"|[^\\s,:{}\\[\\]\"]+");
    private static final Pattern SPECIAL = Pattern.compile("[^ -~]|[\"\\\\]"); // what has to be escaped
    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|(.))");
    private static final Map<String, String> ESCAPES = Map.of("b", "\b", "f", "\f", "n", "\n", "r", "\r", "t", "\t");

    static Json read(String text) { // trusts that it is JSON
        var parts = PART.matcher(text).results().map(MatchResult::group).iterator();
        return new Json(value(parts.next(), parts));
    }
    private static Object value(String part, Iterator<String> rest) {
        if (part.equals("{")) {
            var map = new LinkedHashMap<String, Object>();
            for (String p = rest.next(); !p.equals("}"); p = rest.next()) map.put(unquote(p), value(rest.next(), rest));
            return map;
        }
        if (part.equals("[")) {
            var list = new ArrayList<Object>();
            for (String p = rest.next(); !p.equals("]"); p = rest.next()) list.add(value(p, rest));
            return list;
        }
        if (part.startsWith("\"")) return unquote(part);
        if (part.equals("null")) return null;
        if (part.equals("true") || part.equals("false")) return part.equals("true");
        return part.matches("-?\\d{1,18}") ? (Object) Long.valueOf(part) : (Object) Double.valueOf(part);
    }
    private static String unquote(String part) {
        return ESCAPE.matcher(part.substring(1, part.length() - 1)).replaceAll(escape -> Matcher.quoteReplacement(
            escape.group(1) != null ? "" + (char) Integer.parseInt(escape.group(1), 16)
            : ESCAPES.getOrDefault(escape.group(2), escape.group(2))));
    }
}
