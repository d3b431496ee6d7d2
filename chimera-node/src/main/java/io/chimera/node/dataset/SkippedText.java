package io.chimera.node.dataset;

import io.chimera.dataset.job.SkippedSplit;
import java.util.LinkedHashMap;
import java.util.Map;

/** Shows the skipped splits of a job. */
final class SkippedText {
    private SkippedText() {}

    /** Returns a split in a line. */
    static String line(SkippedSplit split) {
        return "Skipped split " + split.split() + ": " + split.object() + ", bytes " + split.from() + " to "
                + split.to() + ", " + split.reason() + ": " + split.message();
    }

    /** Returns a split as figures for JSON, with the keys of {@code skipped.jsonl}. */
    static Map<String, Object> figures(SkippedSplit split) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("split", split.split());
        figures.put("object", split.object());
        figures.put("from", split.from());
        figures.put("to", split.to());
        figures.put("reason", split.reason());
        figures.put("message", split.message());
        return figures;
    }
}
