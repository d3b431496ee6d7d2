package io.chimera.bench.table;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.bench.report.Report;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the output of a bench command, whose last line is the report. */
final class ReportFile {
    private ReportFile() {}

    /**
     * Reads a file.
     *
     * @throws IOException with the file name when the file is unreadable, or its last line is not a report
     */
    static Report read(Path file) throws IOException {
        try {
            return ofOutput(Files.readString(file, UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a stream.
     *
     * @throws IllegalArgumentException when its last line is not a report
     */
    static Report read(InputStream input) throws IOException {
        return ofOutput(new String(input.readAllBytes(), UTF_8));
    }

    private static Report ofOutput(String output) {
        return Report.ofJson(output.strip().lines().reduce("", (before, last) -> last));
    }
}
