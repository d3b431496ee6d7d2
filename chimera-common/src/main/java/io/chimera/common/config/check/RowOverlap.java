package io.chimera.common.config.check;

import io.chimera.common.config.Listening;
import io.chimera.common.config.StoreConfig;
import io.chimera.common.config.pipeline.AggregateConfig;
import io.chimera.common.config.pipeline.PipelineConfig;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Overlap of two pipelines with a common store: the configuration does not exclude that both write the same row.
 *
 * @param first name of a pipeline
 * @param second name of the other pipeline
 * @param stores names of the stores with the same destination
 * @param row example of a row possibly written by both
 */
public record RowOverlap(String first, String second, Set<String> stores, String row) {
    /** Example values for parts of a row left open by the configuration. */
    private static final String ANY_METRIC = "cpu";

    private static final String ANY_FIELD = "value";
    private static final String ANY_TAG = "host";
    private static final String ANY_VALUE = "a";

    private static final Map<String, Integer> DEFAULT_PORTS = Map.of("http", 80, "https", 443, "postgresql", 5432);

    /** Returns all overlaps of a configuration. */
    public static List<RowOverlap> of(Map<String, PipelineConfig> pipelines, Map<String, StoreConfig> stores) {
        List<RowOverlap> all = new ArrayList<>();
        Map<String, PipelineConfig> ordered = new TreeMap<>(pipelines);
        ordered.forEach((first, one) -> ordered.forEach((second, other) -> {
            if (first.compareTo(second) < 0) {
                Set<String> shared = shared(one.stores(), other.stores(), stores);
                if (!shared.isEmpty()) {
                    commonRow(one, other).ifPresent(row -> all.add(new RowOverlap(first, second, shared, row)));
                }
            }
        }));
        return all;
    }

    /**
     * Describes the problem of all overlapping pairs of pipelines of one destination, with a remedy.
     *
     * @param overlaps one or more overlaps with the same stores
     */
    static String message(List<RowOverlap> overlaps) {
        RowOverlap one = overlaps.get(0);
        String where = one.stores.size() == 1
                ? "the store " + one.stores.iterator().next()
                : "the stores " + String.join(" and ", one.stores) + ", which have the same destination";
        List<String> names = overlaps.stream()
                .flatMap(overlap -> Stream.of(overlap.first, overlap.second))
                .distinct()
                .sorted()
                .map(name -> "pipelines." + name)
                .toList();
        String last = names.get(names.size() - 1);
        boolean isPair = overlaps.size() == 1;
        return String.join(", ", names.subList(0, names.size() - 1)) + " and " + last + " can write the same row to "
                + where + ", e.g. " + one.row
                + (isPair ? "" : " of " + one.first + " and " + one.second + " (" + overlaps.size() + " pairs)")
                + ", and the later row would overwrite the earlier one. Give rows.tags of " + (isPair ? "both" : "all")
                + " pipelines one tag with different values (rows: { tags: { per: " + one.second
                + " } }), or rows.prefix of " + (isPair ? "both" : "all")
                + " values of which none begins with another, or name different stores.";
    }

    // Stores

    private static Set<String> shared(List<String> one, List<String> other, Map<String, StoreConfig> stores) {
        Map<Object, String> destinations = new LinkedHashMap<>();
        one.forEach(name -> destinations.putIfAbsent(destination(name, stores.get(name)), name));
        for (String name : other) {
            String known = destinations.get(destination(name, stores.get(name)));
            if (known != null) {
                Set<String> shared = new LinkedHashSet<>();
                shared.add(known);
                shared.add(name);
                return shared;
            }
        }
        return Set.of();
    }

    /**
     * Returns the identity of a store's destination, equal for possibly identical stores: same type and address,
     * because other settings, such as retries or a password, prove no difference. Plugin stores without an address are
     * compared by the plugin's settings. Host names are compared as text without a lookup, so a configuration is valid
     * on every machine or on none.
     */
    private static Object destination(String name, StoreConfig store) {
        if (store == null || store.type().equals(StoreConfig.ARCHIVE)) {
            return name; // two archives never share a stream of a volume
        }
        boolean hasAddress =
                store.type().equals(StoreConfig.KAIROSDB) || !store.url().equals(StoreConfig.URL_DEFAULT);
        return List.of(
                store.type(),
                hasAddress ? address(store.url()) : store.settings().asMap());
    }

    /** Normalizes a URL: lower case, one name for the loopback address, explicit port, no trailing slash. */
    private static String address(String url) {
        URI uri;
        try {
            uri = URI.create(url);
        } catch (IllegalArgumentException e) {
            return url; // the format belongs to a plugin
        }
        if (uri.getScheme() == null || uri.getHost() == null) {
            return url.replaceAll("/+$", "");
        }
        String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        String host = uri.getHost().toLowerCase(Locale.ROOT).replaceAll("\\.$", "");
        int port = uri.getPort() < 0 ? DEFAULT_PORTS.getOrDefault(scheme, -1) : uri.getPort();
        String path = uri.normalize().getRawPath().replaceAll("/{2,}", "/").replaceAll("/+$", "");
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return scheme + "://" + (Listening.LOOPBACK.contains(host) ? "localhost" : host) + ":" + port + path + query;
    }

    // Rows

    private static Optional<String> commonRow(PipelineConfig one, PipelineConfig other) {
        boolean isPoint = isOfPoints(one);
        boolean isOtherPoint = isOfPoints(other);
        Optional<String> function = commonFunction(one, other);
        Optional<String> tags = commonTags(one, other);
        if (function.isEmpty() || tags.isEmpty()) {
            return Optional.empty();
        }
        // the field of a point is in the position of the function of aggregates
        boolean isMixed = isPoint != isOtherPoint;
        MetricPattern pattern = pattern(one, isMixed && !isPoint);
        return pattern.common(pattern(other, isMixed && !isOtherPoint), isMixed ? ANY_FIELD : ANY_METRIC)
                .map(metric -> metric + (isMixed ? "" : "." + ANY_FIELD) + function.get() + tags.get());
    }

    private static boolean isOfPoints(PipelineConfig pipeline) {
        return pipeline.aggregate().functions().isEmpty();
    }

    /** Returns the pattern of the rows' metrics without function, and without field unless {@code hasField}. */
    private static MetricPattern pattern(PipelineConfig pipeline, boolean hasField) {
        boolean hasBlocks = pipeline.before() != null || pipeline.after() != null; // blocks may emit any metric
        return MetricPattern.of(pipeline.rows().prefix(), hasBlocks ? "*" : pipeline.where(), hasField);
    }

    /**
     * Returns a function, with a leading dot, as a possible end of rows of both pipelines; for rows of points the field
     * is the end.
     */
    private static Optional<String> commonFunction(PipelineConfig one, PipelineConfig other) {
        if (isOfPoints(one) && isOfPoints(other)) {
            return Optional.of("");
        }
        Collection<String> functions =
                (isOfPoints(one) ? other : one).aggregate().functions();
        return functions.stream()
                .filter(name -> isOfPoints(one)
                        || isOfPoints(other)
                        || other.aggregate().functions().contains(name))
                .findFirst()
                .map(name -> "." + name);
    }

    private static Optional<String> commonTags(PipelineConfig one, PipelineConfig other) {
        Map<String, String> tags = new TreeMap<>(one.rows().tags());
        for (Map.Entry<String, String> tag : other.rows().tags().entrySet()) {
            String known = tags.putIfAbsent(tag.getKey(), tag.getValue());
            if (known == null ? !mayHave(one, tag.getKey()) : !known.equals(tag.getValue())) {
                return Optional.empty();
            }
        }
        for (String tag : one.rows().tags().keySet()) {
            if (!other.rows().tags().containsKey(tag) && !mayHave(other, tag)) {
                return Optional.empty();
            }
        }
        if (tags.isEmpty()) { // rows without tags name their pipeline, so a common row has a group tag of both
            Optional<String> tag = commonTag(one, other);
            if (tag.isEmpty()) {
                return Optional.empty();
            }
            tags.put(tag.get(), ANY_VALUE);
        }
        return Optional.of(tags.toString().replace(", ", ","));
    }

    private static Optional<String> commonTag(PipelineConfig one, PipelineConfig other) {
        for (PipelineConfig pipeline : List.of(one, other)) {
            List<String> by = pipeline.aggregate().by();
            if (!by.isEmpty() && !isOfPoints(pipeline)) {
                return by.stream()
                        .filter(tag -> mayHave(one, tag) && mayHave(other, tag))
                        .findFirst();
            }
        }
        String tag = ANY_TAG;
        while (!mayHave(one, tag) || !mayHave(other, tag)) {
            tag += ANY_VALUE;
        }
        return Optional.of(tag);
    }

    /** Returns whether a group may have a tag. Rows of points may have any tag, set by a block. */
    private static boolean mayHave(PipelineConfig pipeline, String tag) {
        AggregateConfig aggregate = pipeline.aggregate();
        if (isOfPoints(pipeline)) {
            return true;
        }
        return aggregate.by().isEmpty()
                ? !aggregate.without().contains(tag)
                : aggregate.by().contains(tag);
    }
}
