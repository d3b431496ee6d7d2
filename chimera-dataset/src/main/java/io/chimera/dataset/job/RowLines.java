package io.chimera.dataset.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.DataPoint;
import io.chimera.api.model.Row;
import io.chimera.api.model.SeriesKey;
import io.chimera.common.wire.LineProtocol;
import io.chimera.processor.pipeline.Pipeline;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * A file with the rows of pipelines without stores, as line protocol: the field {@code value} has the value of the row.
 * The file appears under this name once all rows are durable. One thread.
 */
final class RowLines implements RowTarget, AutoCloseable {
    private static final long NS_PER_MS = 1_000_000;

    private final Path file;
    private final Path unfinished;
    private final BufferedWriter writer;

    /**
     * Begins the file under another name, beside its place.
     *
     * @param file the file
     * @throws IOException when the file cannot be created
     */
    RowLines(Path file) throws IOException {
        this.file = file;
        unfinished = file.resolveSibling(file.getFileName() + ".part");
        writer = Files.newBufferedWriter(unfinished, UTF_8);
    }

    @Override
    public boolean hasEarlierRows() {
        return false;
    }

    @Override
    public void write(Pipeline pipeline, List<Row> rows) throws IOException {
        for (Row row : rows) {
            Object value = row.isLong() ? (Object) row.bits() : (Object) row.asDouble();
            DataPoint point = new DataPoint(
                    new SeriesKey(row.metric(), row.tags()), Map.of("value", value), row.timeMs() * NS_PER_MS);
            writer.write(LineProtocol.line(point));
            writer.write('\n');
        }
    }

    /**
     * Ends the file: makes the file durable, then visible under the final name.
     *
     * @throws IOException when the file cannot be written
     */
    void finish() throws IOException {
        writer.close();
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Closes the file, and deletes an unfinished one. */
    @Override
    public void close() throws IOException {
        writer.close();
        Files.deleteIfExists(unfinished);
    }
}
