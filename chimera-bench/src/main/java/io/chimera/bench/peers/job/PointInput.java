package io.chimera.bench.peers.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Points as text, mapped from a file in memory. All lines have the same length. Immutable: any thread, each with a
 * separate reader.
 */
public final class PointInput {
    private final ByteBuffer mapped;
    private final int lineLength;

    private PointInput(ByteBuffer mapped, int lineLength) {
        this.mapped = mapped;
        this.lineLength = lineLength;
    }

    /**
     * Maps a file.
     *
     * @param lineLength bytes per line, including its end
     */
    public static PointInput open(Path file, int lineLength) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return new PointInput(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()), lineLength);
        }
    }

    /** Returns the number of points. */
    public int points() {
        return mapped.capacity() / lineLength;
    }

    /** Returns the bytes per line, including its end. */
    public int lineLength() {
        return lineLength;
    }

    /** Copies lines to the start of an array. */
    public void copy(int firstPoint, int count, byte[] target) {
        mapped.get(firstPoint * lineLength, target, 0, count * lineLength);
    }

    /** Returns a view of lines. */
    public ByteBuffer lines(int firstPoint, int count) {
        return mapped.slice(firstPoint * lineLength, count * lineLength);
    }
}
