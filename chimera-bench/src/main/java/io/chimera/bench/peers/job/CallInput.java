package io.chimera.bench.peers.job;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/**
 * Calls as lines, mapped from a file in memory. Each pass has its own calls, with increasing times over all passes. The
 * start of each pass is located on open. Immutable: any thread.
 */
public final class CallInput {
    /** Calls per pass. */
    public static final int CALLS = Integer.getInteger("peer.calls", 1);

    private final ByteBuffer mapped;
    private final int[] starts;

    private CallInput(ByteBuffer mapped, int[] starts) {
        this.mapped = mapped;
        this.starts = starts;
    }

    /**
     * Maps a file of whole lines.
     *
     * @param calls calls per pass
     */
    public static CallInput open(Path file, int calls) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            int[] starts = new int[1];
            int lines = 0;
            for (int i = 0; i < mapped.capacity(); i++) {
                if (mapped.get(i) == '\n' && ++lines % calls == 0) {
                    starts = Arrays.copyOf(starts, starts.length + 1);
                    starts[starts.length - 1] = i + 1;
                }
            }
            return new CallInput(mapped, starts);
        }
    }

    /** Returns the number of passes. */
    public int passes() {
        return starts.length - 1;
    }

    /** Returns the lines of a pass, counted from 0. */
    public ByteBuffer pass(int index) {
        return mapped.slice(starts[index], starts[index + 1] - starts[index]);
    }
}
