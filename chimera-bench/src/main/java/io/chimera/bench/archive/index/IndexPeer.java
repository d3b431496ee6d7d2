package io.chimera.bench.archive.index;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Process that measures the index: over packets of capture files, over synthetic packets, the bytes sent to other
 * nodes, or the cost of a miss.
 */
public final class IndexPeer {
    /** Argument before the number of packets for the cost of a miss. */
    public static final String MISS = "miss";

    /** Argument before optional capture files for the bytes sent to other nodes. */
    public static final String SHARED = "shared";

    private static final int MADE_PACKETS = 1 << 18;
    private static final int PACKETS_MAX = 2_000_000;

    private IndexPeer() {}

    /**
     * Prints one line.
     *
     * @param arguments {@link #MISS} and a number of packets; or optional capture files, with or without {@link
     *     #SHARED} before them
     */
    public static void main(String[] arguments) {
        List<String> given = Arrays.asList(arguments);
        String what = given.isEmpty() ? "" : given.get(0);
        if (what.equals(MISS)) {
            System.out.println(MissCost.of(Long.parseLong(given.get(1))));
        } else if (what.equals(SHARED)) {
            System.out.println(SharedCost.of(packets(given.subList(1, given.size()))));
        } else {
            System.out.println(IndexCost.of(packets(given)));
        }
    }

    private static PacketTuples packets(List<String> files) {
        return files.isEmpty()
                ? PacketTuples.make(MADE_PACKETS)
                : PacketTuples.read(files.stream().map(Path::of).toList(), PACKETS_MAX);
    }
}
