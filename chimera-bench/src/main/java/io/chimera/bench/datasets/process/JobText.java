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
 */
public record JobText(EventKind format, List<String> objects, long splitBytes) {
    /** Name of the jobs. */
    public static final String NAME = "bench";

    private static final long SPLIT_MIN = 64L << 10;

    /** Kind of the events of a job. */
    public enum EventKind {
        /** Line protocol. */
        POINTS("influx", "region"),
        /** Events of a detector. */
        EVENTS(EventParserType.NAME, "trigger");

        private final String type;
        private final String tag;

        EventKind(String type, String tag) {
            this.type = type;
            this.tag = tag;
        }
    }

    /** Copies the list, and sets splits of at least 64 KiB. */
    public JobText {
        objects = List.copyOf(objects);
        splitBytes = Math.max(SPLIT_MIN, splitBytes);
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
                Locale.ROOT, """
                name: %s
                source: { url: "%s"%s }
                objects: [%s]
                format: { type: %s }
                window: 1m
                split: %d
                pipelines:
                  all:
                    aggregate: { by: [%s], functions: [count, mean, max] }
                %s""", NAME, urls.get(0), replicas, names, format.type, splitBytes, format.tag, section);
    }
}
