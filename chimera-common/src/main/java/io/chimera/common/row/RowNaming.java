package io.chimera.common.row;

import io.chimera.api.model.Tags;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Names the rows of one pipeline. Two rows of a pipeline have the same metric and tags only if they belong to the same metric,
 * group, field, function and text.
 *
 * <p>Metric: {@code <metric>.<field>.<function>}, or {@code <metric>.<field>} for a point that becomes rows without a function. Field
 * and function escape {@code %} as {@code %25} and {@code .} as {@code %2E}, so a reader takes both from the right; the metric
 * keeps its dots. The prefix of the pipeline stands in front.
 *
 * <p>Tags: the group's tags, and tags of Chimera's own: the tags that the configuration gives all rows of the pipeline; without
 * these {@value #PIPELINE_TAG} with the name of the pipeline where the group has no tag; and {@value #TEXT_TAG} with the text of a
 * {@code top} function. A tag of the group that has one of these names, behind any number of {@value #GROUP_PREFIX}, gets one more {@value #GROUP_PREFIX} in front. The text {@value #NO_TEXT}, behind any number of {@code %}, gets
 * one more {@code %}, because {@value #NO_TEXT} stands for the empty text, which no store accepts as the value of a tag.
 *
 * <p>Immutable. Any thread.
 */
public final class RowNaming {
    /** Tag with the name of the pipeline in rows of a group without tags. */
    public static final String PIPELINE_TAG = "chimera";

    /** Tag with the text of a row of a {@code top} function. */
    public static final String TEXT_TAG = "value";

    /** Stands in front of a group's tag whose name is one of Chimera's own. */
    public static final String GROUP_PREFIX = "group_";

    /** Value of {@link #TEXT_TAG} for the empty text. */
    public static final String NO_TEXT = "(empty)";

    private static final char SEPARATOR = '.';
    private static final char ESCAPE = '%';
    private static final String ESCAPED_SEPARATOR = "%2E";
    private static final String ESCAPED_ESCAPE = "%25";

    private final String prefix;
    private final Map<String, String> tags;
    private final Tags untagged;

    /**
     * The metric of a row, taken apart.
     *
     * @param metric of the data points
     * @param field of the data points
     * @param function of the pipeline
     */
    public record Name(String metric, String field, String function) {
        /** The metric of the row; {@link #parse} takes it apart. */
        public String text() {
            return point(metric, field) + SEPARATOR + escape(function);
        }
    }

    /**
     * The names of a pipeline's rows.
     *
     * @param pipeline name of the pipeline
     * @param prefix of the metric of each row
     * @param tags of each row; their names are {@link #isFree free}
     */
    public RowNaming(String pipeline, String prefix, Map<String, String> tags) {
        this.prefix = prefix;
        this.tags = Map.copyOf(tags);
        untagged = Tags.of(tags.isEmpty() ? Map.of(PIPELINE_TAG, pipeline) : tags);
    }

    /** Whether a tag that a configuration gives all rows of a pipeline may have a name. */
    public static boolean isFree(String name) {
        return !name.isEmpty()
                && !name.equals(PIPELINE_TAG)
                && !name.equals(TEXT_TAG)
                && !name.startsWith(GROUP_PREFIX);
    }

    /** Metric of the row of a function. */
    public String metric(String metric, String field, String function) {
        return prefix + new Name(metric, field, function).text();
    }

    /** Metric of the row of a point's field, without a function. */
    public String metric(String metric, String field) {
        return prefix + point(metric, field);
    }

    private static String point(String metric, String field) {
        return metric + SEPARATOR + escape(field);
    }

    /** Tags of the rows of a group. */
    public Tags tags(Tags group) {
        if (group.asMap().isEmpty()) {
            return untagged;
        }
        return tags.isEmpty() && !isAnyReserved(group, false) ? group : Tags.of(renamed(group, false));
    }

    /** Tags of the row of a group and a text of a {@code top} function. */
    public Tags tags(Tags group, String text) {
        Map<String, String> all = group.asMap().isEmpty() ? new TreeMap<>(untagged.asMap()) : renamed(group, true);
        all.put(TEXT_TAG, textValue(text));
        return Tags.of(all);
    }

    private Map<String, String> renamed(Tags group, boolean hasText) {
        Map<String, String> all = new TreeMap<>(tags);
        group.asMap().forEach((name, value) -> all.put(isReserved(name, hasText) ? GROUP_PREFIX + name : name, value));
        return all;
    }

    private boolean isAnyReserved(Tags group, boolean hasText) {
        for (String name : group.asMap().keySet()) {
            if (isReserved(name, hasText)) {
                return true;
            }
        }
        return false;
    }

    private boolean isReserved(String name, boolean hasText) {
        int from = 0;
        while (name.startsWith(GROUP_PREFIX, from)) {
            from += GROUP_PREFIX.length();
        }
        String own = name.substring(from);
        return own.equals(PIPELINE_TAG) || tags.containsKey(own) || (hasText && own.equals(TEXT_TAG));
    }

    private static String textValue(String text) {
        if (text.isEmpty()) {
            return NO_TEXT;
        }
        int from = 0;
        while (from < text.length() && text.charAt(from) == ESCAPE) {
            from++;
        }
        return text.startsWith(NO_TEXT, from) && text.length() == from + NO_TEXT.length() ? ESCAPE + text : text;
    }

    /**
     * Takes the metric of a row apart; a prefix counts as the beginning of the metric.
     *
     * @param row metric of a row that a function made
     * @return metric, field and function; empty when the text has fewer than two dots and so is the metric of no such row
     */
    public static Optional<Name> parse(String row) {
        int function = row.lastIndexOf(SEPARATOR);
        int field = row.lastIndexOf(SEPARATOR, function - 1);
        if (function < 1 || field < 0) {
            return Optional.empty();
        }
        return Optional.of(new Name(
                row.substring(0, field),
                unescape(row.substring(field + 1, function)),
                unescape(row.substring(function + 1))));
    }

    /** A field or function without {@code .}, and with {@code %} only where it escapes. */
    private static String escape(String part) {
        return part.indexOf(SEPARATOR) < 0 && part.indexOf(ESCAPE) < 0
                ? part
                : part.replace("%", ESCAPED_ESCAPE).replace(".", ESCAPED_SEPARATOR);
    }

    private static String unescape(String part) {
        return part.indexOf(ESCAPE) < 0
                ? part
                : part.replace(ESCAPED_SEPARATOR, ".").replace(ESCAPED_ESCAPE, "%");
    }
}
