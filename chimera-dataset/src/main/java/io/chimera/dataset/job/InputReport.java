package io.chimera.dataset.job;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes the report of bad input into the folder of a job: {@code skipped.jsonl} with the skipped splits, and {@code
 * rejected.jsonl} with the rejected events of all other splits. Both depend on the results of the splits alone, so each
 * run writes the same bytes. One thread.
 */
public final class InputReport {
    private final Path folder;
    private final JsonFactory json = new JsonFactory();

    /** Gives the kept rejected events of the splits. */
    @FunctionalInterface
    public interface Rejects {
        /**
         * Gives the lines of each split with rows, in the order of the splits.
         *
         * @param taker receives the lines, until it wants no more
         * @throws IOException when a result cannot be read
         */
        void giveTo(Taker taker) throws IOException;
    }

    /** Receives the kept rejected events of a split. */
    @FunctionalInterface
    public interface Taker {
        /**
         * Takes the lines of a split.
         *
         * @param lines one JSON object per line
         * @return whether further lines are wanted
         * @throws IOException when the file cannot be written
         */
        boolean take(byte[] lines) throws IOException;
    }

    /**
     * Creates the writer of a report.
     *
     * @param folder receives the files
     */
    public InputReport(Path folder) {
        this.folder = folder;
    }

    /** Returns the file with the skipped splits. */
    public Path skippedSplits() {
        return folder.resolve(JobFolder.SKIPPED);
    }

    /** Returns the file with the first rejected events. */
    public Path rejectedEvents() {
        return folder.resolve(JobFolder.REJECTED);
    }

    /**
     * Writes the skipped splits, one JSON object per line.
     *
     * @param skipped the splits
     * @throws IOException when the file cannot be written
     */
    public void skipped(List<SkippedSplit> skipped) throws IOException {
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
        JobFolder.replace(folder, JobFolder.SKIPPED, lines::writeTo);
    }

    /**
     * Writes the first rejected events in the order of the splits.
     *
     * @param rejects gives the lines of the splits with rows
     * @param eventsMax maximum number of events
     * @throws IOException when a result cannot be read, or the file cannot be written
     */
    public void rejected(Rejects rejects, int eventsMax) throws IOException {
        JobFolder.replace(folder, JobFolder.REJECTED, out -> {
            int[] left = {eventsMax};
            if (eventsMax > 0) {
                rejects.giveTo(lines -> {
                    left[0] -= copy(lines, left[0], out);
                    return left[0] > 0;
                });
            }
        });
    }

    /** Copies lines; returns their number. */
    private static int copy(byte[] lines, int linesMax, OutputStream out) throws IOException {
        int count = 0;
        int end = 0;
        while (end < lines.length && count < linesMax) {
            while (end < lines.length && lines[end] != '\n') {
                end++;
            }
            end = Math.min(lines.length, end + 1);
            count++;
        }
        out.write(lines, 0, end);
        return count;
    }
}
