package io.chimera.common.row;

import io.chimera.api.ColdPath;
import io.chimera.api.model.Tags;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Names the rows of one pipeline. Two rows of a pipeline have the same metric and tags only if they have the same
 * source metric, group, field, function and text.
 *
 * <p>Metric: {@code <metric>.<field>.<function>}, or {@code <metric>.<field>} for a point written as rows without a
 * function. In field and function, {@code %} is escaped as {@code %25} and {@code .} as {@code %2E}, so a reader can
 * parse both from the right; the dots of the metric are unchanged. The prefix of the pipeline precedes the metric.
 *
 * <p>Tags: the group's tags plus Chimera's own tags. Own tags are the configured tags of all rows of the pipeline;
 * without configured tags, {@value #PIPELINE_TAG} with the name of the pipeline in rows of a group without tags; and
 * {@value #TEXT_TAG} with the text of a {@code top} function. If a group tag has the name of an own tag, after any
 * number of {@value #GROUP_PREFIX}, one more {@value #GROUP_PREFIX} precedes the name. If a text equals {@value
 * #NO_TEXT}, after any number of {@code %}, one more {@code %} precedes the text, because {@value #NO_TEXT} represents
 * the empty text and no store accepts an empty tag value.
 *
 * <p>Immutable. Any thread.
 */
public final class RowNaming {
    /** Tag with the name of the pipeline in rows of a group without tags. */
    public static final String PIPELINE_TAG = "chimera";

    /** Tag with the text of a row of a {@code top} function. */
    public static final String TEXT_TAG = "value";

    /** Prefix of a group tag whose name collides with an own tag of Chimera. */
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
     * Parsed metric of a row.
     *
     * @param metric metric of the data points
     * @param field field of the data points
     * @param function function of the pipeline
     */
    public record Name(String metric, String field, String function) {
        /** Formats the metric of the row; the inverse of {@link #parse}. */
        public String text() {
            return point(metric, field) + SEPARATOR + escape(function);
        }
    }

    /**
     * Creates the naming of a pipeline's rows.
     *
     * @param pipeline name of the pipeline
     * @param prefix prefix of the metric of each row
     * @param tags tags of each row; their names are {@link #isFree free}
     */
    public RowNaming(String pipeline, String prefix, Map<String, String> tags) {
        this.prefix = prefix;
        this.tags = Map.copyOf(tags);
        untagged = Tags.of(tags.isEmpty() ? Map.of(PIPELINE_TAG, pipeline) : tags);
    }

    /** Returns whether a configured tag of a pipeline's rows may have this name. */
    public static boolean isFree(String name) {
        return !name.isEmpty()
                && !name.equals(PIPELINE_TAG)
                && !name.equals(TEXT_TAG)
                && !name.startsWith(GROUP_PREFIX);
    }

    /** Metric of a row with a function. */
    @ColdPath
    public String metric(String metric, String field, String function) {
        return prefix + new Name(metric, field, function).text();
    }

    /** Metric of a row without a function, for a field of a point. */
    @ColdPath
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

    /** Tags of the row of a group and of a text of a {@code top} function. */
    public Tags tags(Tags group, String text) {
        Map<String, String> all = group.asMap().isEmpty() ? new TreeMap<>(untagged.asMap()) : renamed(group, true);
        all.put(TEXT_TAG, textValue(text));
        return Tags.of(all);
    }

    @ColdPath
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

    @ColdPath
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
     * Parses the metric of a row; a prefix becomes part of the metric.
     *
     * @param row metric of a row with a function
     * @return metric, field and function; empty for a text with fewer than two dots
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

    /** Escapes {@code %} and {@code .} in a field or function. */
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
