package io.chimera.bench.peers.job;

/**
 * Parses every n-th chunk of the input: several readers share the input, and each reader sees increasing times. One
 * thread.
 */
public final class ChunkReader {
    /** Points per chunk. */
    public static final int CHUNK = 1_000;

    private final LineParser parser = new LineParser();
    private final PointInput input;
    private final int step;
    private final byte[] lines;
    private int first;
    private int next;
    private int filled;

    /**
     * Creates a reader.
     *
     * @param index index of this reader, from 0
     * @param readers number of readers
     */
    public ChunkReader(PointInput input, int index, int readers) {
        this.input = input;
        step = readers * CHUNK;
        first = index * CHUNK - step;
        lines = new byte[CHUNK * input.lineLength()];
    }

    /** Returns the next point; null at the end. */
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
