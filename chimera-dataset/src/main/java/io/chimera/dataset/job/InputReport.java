package io.chimera.dataset.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes the report of bad input into the folder of a job: {@code skipped.jsonl} with the skipped splits, and {@code
 * rejected.jsonl} with the rejected events of all other splits. Both depend on the results of the splits alone, so each
 * run writes the same bytes. One thread.
 */
final class InputReport {
    private final JobFolder folder;
    private final JsonFactory json = new JsonFactory();

    InputReport(JobFolder folder) {
        this.folder = folder;
    }

    /**
     * Writes the skipped splits, one JSON object per line.
     *
     * @param skipped the splits
     * @throws IOException when the file cannot be written
     */
    void skipped(List<SkippedSplit> skipped) throws IOException {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (SkippedSplit split : skipped) {
            try (JsonGenerator object = json.createGenerator(lines)) {
                object.writeStartObject();
                object.writeNumberField("split", split.split());
                object.writeStringField("object", split.object());
                object.writeNumberField("from", split.from());
                object.writeNumberField("to", split.to());
                object.writeStringField("reason", split.reason());
                object.writeStringField("message", split.message());
                object.writeEndObject();
            }
            lines.write('\n');
        }
        folder.replace(JobFolder.SKIPPED, lines.toByteArray());
    }

    /**
     * Writes the first rejected events in the order of the splits.
     *
     * @param results results of the splits with rows, ordered by split
     * @param eventsMax maximum number of events
     * @throws IOException when a result cannot be read, or the file cannot be written
     */
    void rejected(List<SplitResult> results, int eventsMax) throws IOException {
        folder.replace(JobFolder.REJECTED, out -> {
            int left = eventsMax;
            for (SplitResult result : results) {
                left -= left == 0 ? 0 : copy(result.pieces().rejects(), left, out);
            }
        });
    }

    /** Copies lines; returns their number. */
    private static int copy(byte[] lines, int linesMax, OutputStream out) throws IOException {
        int count = 0;
        int end = 0;
        while (end < lines.length && count < linesMax) {
            while (lines[end] != '\n') {
                end++;
            }
            end++;
            count++;
        }
        out.write(lines, 0, end);
        return count;
    }
}
