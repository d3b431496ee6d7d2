package io.chimera.bench.peers.job;

/**
 * Parses every n-th chunk of the input: several readers share it, and each sees times that only grow. One thread.
 */
public final class ChunkReader {
    /** Points of a chunk. */
    public static final int CHUNK = 1_000;

    private final LineParser parser = new LineParser();
    private final PointInput input;
    private final int step;
    private final byte[] lines;
    private int first;
    private int next;
    private int filled;

    /**
     * A reader.
     *
     * @param index which of the readers, from 0
     * @param readers how many there are
     */
    public ChunkReader(PointInput input, int index, int readers) {
        this.input = input;
        step = readers * CHUNK;
        first = index * CHUNK - step;
        lines = new byte[CHUNK * input.lineLength()];
    }

    /** The next point; null when there is none. */
    public Point next() {
        if (next == filled && !nextChunk()) {
            return null;
        }
        return parser.parse(lines, next++ * input.lineLength());
    }

    private boolean nextChunk() {
        if (first + step >= input.points()) {
            return false;
        }
        first += step;
        filled = Math.min(CHUNK, input.points() - first);
        next = 0;
        input.copy(first, filled, lines);
        return true;
    }
}
