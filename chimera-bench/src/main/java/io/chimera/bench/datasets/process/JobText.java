package io.chimera.bench.datasets.process;

import io.chimera.bench.datasets.event.EventParserType;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Definition of a job of the measurements.
 *
 * @param format format of the objects
 * @param objects names of the objects
 * @param splitBytes wished length of a split
 * @param workers threads that compute; 0: one per processor of the machine
 */
public record JobText(EventKind format, List<String> objects, long splitBytes, int workers) {
    /** Name of the jobs. */
    public static final String NAME = "bench";

    /** Metric of rows of Parquet. */
    public static final String METRIC = "load";

    /** Column with the time, column with the tag, and column with the only field of rows of Parquet. */
    public static final List<String> COLUMNS = List.of("at", "region", "value");

    private static final long SPLIT_MIN = 64L << 10;

    /** Kind of the events of a job. */
    public enum EventKind {
        /** Line protocol. */
        POINTS("influx", "region", "count, mean, max"),
        /** Events of a detector. */
        EVENTS(EventParserType.NAME, "trigger", "count, mean, max"),
        /** Rows of Parquet; the results are stored exactly once, in a store that counts. */
        ROWS("parquet", COLUMNS.get(1), "count, sum, min, max, mean, variance") {
            @Override
            String mapping() {
                return String.format(
                        ", mapping: { metric: %s, time: %s, tags: { %3$s: %3$s }, fields: { %4$s: { column: %4$s } } }",
                        METRIC, COLUMNS.get(0), COLUMNS.get(1), COLUMNS.get(2));
            }

            @Override
            String delivery() {
                return "\n    stores: [counts]\n    delivery: exactly_once\nstores:\n  counts: { type: counting }";
            }
        };

        private final String type;
        private final String tag;
        private final String functions;

        EventKind(String type, String tag, String functions) {
            this.type = type;
            this.tag = tag;
            this.functions = functions;
        }

        /** Returns the mapping of columns. */
        String mapping() {
            return "";
        }

        /** Returns the stores of the pipeline. */
        String delivery() {
            return "";
        }
    }

    /** Copies the list, and sets splits of at least 64 KiB. */
    public JobText {
        objects = List.copyOf(objects);
        splitBytes = Math.max(SPLIT_MIN, splitBytes);
    }

    /** Creates the text of a job with a thread per processor. */
    public JobText(EventKind format, List<String> objects, long splitBytes) {
        this(format, objects, splitBytes, 0);
    }

    /**
     * Returns the file of the job.
     *
     * @param urls address of the source, and of its replicas
     * @param copies folder of copies; empty for a strategy without copies
     */
    String yaml(List<String> urls, String copies) {
        String names = objects.stream().map(name -> '"' + name + '"').collect(Collectors.joining(", "));
        String replicas = urls.size() == 1
                ? ""
                : urls.stream().skip(1).collect(Collectors.joining("\", \"", ", replicas: [\"", "\"]"));
        String section = copies.isEmpty()
                ? ""
                : "copies: { folder: \"%s\", max_bytes: 16GiB, keep_for: 1h }\n".formatted(copies);
        return String.format(
                Locale.ROOT,
                """
                name: %s
                source: { url: "%s"%s }
                objects: [%s]
                format: { type: %s%s }
                window: 1m
                split: %d
                workers: %d
                pipelines:
                  all:
                    aggregate: { by: [%s], functions: [%s] }%s
                %s""",
                NAME,
                urls.get(0),
                replicas,
                names,
                format.type,
                format.mapping(),
                splitBytes,
                workers,
                format.tag,
                format.functions,
                format.delivery(),
                section);
    }
}
