package io.chimera.common.config;

import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Rule that splits dotted Graphite paths into the metric and tags.
 *
 * @param filter patterns of the first names of a path; empty for all paths
 * @param parts meaning of each name of a path
 * @param tags further tags
 */
public record GraphiteTemplate(List<String> filter, List<String> parts, SortedMap<String, String> tags) {
    /** Part of the metric. */
    public static final String METRIC = "metric";

    /** The remaining names belong to the metric. */
    public static final String METRICS = "metric*";

    /** Longest filter first, then the filter with more letters besides wildcards. */
    static final Comparator<GraphiteTemplate> LONGEST_FIRST = Comparator.comparingInt(
                    (GraphiteTemplate template) -> -template.filter.size())
            .thenComparingInt(template ->
                    -String.join("", template.filter).replace("*", "").length());

    /** Parses a template: {@code [filter] parts [tag=value,...]}. */
    static GraphiteTemplate parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        boolean hasTags = words.length > 1 && words[words.length - 1].contains("=");
        int others = hasTags ? words.length - 1 : words.length;
        if (text.isBlank() || others > 2) {
            throw new IllegalArgumentException("[filter] parts [tag=value,...]");
        }
        List<String> filter = others == 2 ? List.of(words[0].split("\\.", -1)) : List.of();
        List<String> parts = List.of(words[others - 1].split("\\.", -1));
        int rest = parts.indexOf(METRICS);
        if (rest < 0 ? !parts.contains(METRIC) : rest < parts.size() - 1) {
            throw new IllegalArgumentException("a part metric, or metric* as the last part");
        }
        List<String> names = parts.stream()
                .filter(part -> !part.isEmpty() && !part.equals(METRIC) && !part.equals(METRICS))
                .toList();
        if (names.stream().distinct().count() < names.size()) {
            throw new IllegalArgumentException("each tag once");
        }
        if (filter.contains("")) {
            throw new IllegalArgumentException("a filter without empty names");
        }
        return new GraphiteTemplate(filter, parts, hasTags ? tags(words[words.length - 1], parts) : new TreeMap<>());
    }

    private static SortedMap<String, String> tags(String text, List<String> parts) {
        SortedMap<String, String> tags = new TreeMap<>();
        for (String tag : text.split(",", -1)) {
            int equals = tag.indexOf('=');
            String name = tag.substring(0, Math.max(0, equals));
            boolean isNew = equals > 0 && !parts.contains(name) && !tags.containsKey(name);
            if (!isNew || equals == tag.length() - 1) {
                throw new IllegalArgumentException("tags as name=value,..., each name once");
            }
            tags.put(name, tag.substring(equals + 1));
        }
        return tags;
    }
}
