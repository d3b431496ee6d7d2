package io.chimera.archive.query.point;

import io.chimera.api.model.Row;
import io.chimera.api.model.Tags;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Rows, filters of rows as text, and their meaning, computed without the code of filters. */
public final class RowFilters {
    private static final List<String> HOSTS = List.of("web0", "web1", "web2", "db 1", "db2");
    private static final List<String> METRICS = List.of("cpu.load.mean", "cpu.load.count", "mem.mean");
    private static final long START_MS = 1_700_000_000_000L;

    private final Random random;

    public RowFilters(long seed) {
        random = new Random(seed);
    }

    /** Filter with its meaning. */
    public record Filter(String text, Predicate<Row> means) {}

    /** Creates a row from a small domain, where most rows differ only in their values. */
    public Row row(int times) {
        Map<String, String> tags = new TreeMap<>();
        tags.put("host", pick(HOSTS));
        if (random.nextInt(3) > 0) {
            tags.put("rack", Integer.toString(random.nextInt(3)));
        }
        long timeMs = START_MS + 10_000L * random.nextInt(times);
        return random.nextBoolean()
                ? Row.ofLong(pick(METRICS), Tags.of(tags), timeMs, random.nextInt(20))
                : Row.ofDouble(pick(METRICS), Tags.of(tags), timeMs, random.nextInt(80) / 4.0);
    }

    private <T> T pick(List<T> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** Creates a filter up to a nesting depth. */
    public Filter filter(int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0 -> metric(pick(METRICS));
            case 1 -> tag("host", pick(HOSTS));
            case 2 -> otherTag("host", pick(HOSTS));
            case 3 -> tag("rack", Integer.toString(random.nextInt(4)));
            case 4 -> value();
            case 5 -> {
                Filter negated = filter(depth - 1);
                yield new Filter("not (" + negated.text + ")", negated.means.negate());
            }
            case 6 -> {
                Filter left = filter(depth - 1);
                Filter right = filter(depth - 1);
                yield new Filter("(" + left.text + ") and (" + right.text + ")", left.means.and(right.means));
            }
            default -> {
                Filter left = filter(depth - 1);
                Filter right = filter(depth - 1);
                yield new Filter("(" + left.text + ") or (" + right.text + ")", left.means.or(right.means));
            }
        };
    }

    private static Filter metric(String name) {
        return new Filter("metric=" + name, row -> row.metric().equals(name));
    }

    private static Filter tag(String name, String value) {
        return new Filter(
                name + "=\"" + value + "\"", row -> value.equals(row.tags().get(name)));
    }

    private static Filter otherTag(String name, String value) {
        return new Filter(
                name + " != \"" + value + "\"",
                row -> row.tags().get(name) != null && !value.equals(row.tags().get(name)));
    }

    private Filter value() {
        double limit = random.nextInt(40) / 2.0;
        return switch (random.nextInt(4)) {
            case 0 -> new Filter("value>" + limit, row -> row.asDouble() > limit);
            case 1 -> new Filter("value<=" + limit, row -> row.asDouble() <= limit);
            case 2 -> new Filter("value=" + limit, row -> row.asDouble() == limit);
            default -> new Filter("value!=" + limit, row -> row.asDouble() != limit);
        };
    }
}
