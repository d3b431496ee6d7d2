package io.chimera.bench.archive;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A process that measures the index: over packets of capture files, over packets made up, or what a miss costs. */
public final class IndexPeer {
    /** The argument ahead of how many packets a miss is asked of. */
    public static final String MISS = "miss";

    private static final int MADE_PACKETS = 1 << 18;
    private static final int PACKETS_MAX = 2_000_000;

    private IndexPeer() {}

    private static void shared(List<String> files) {
        PacketTuples packets = files.isEmpty()
                ? PacketTuples.make(MADE_PACKETS)
                : PacketTuples.read(files.stream().map(Path::of).toList(), PACKETS_MAX);
        System.out.println(SharedCost.of(packets));
    }

    /**
     * Prints one line.
     *
     * @param arguments {@code miss} and how many packets; or {@code shared}, for what is sent to other nodes, ahead
     *     of the rest; capture files, or none
     */
    public static void main(String[] arguments) {
        List<String> given = Arrays.asList(arguments);
        if (!given.isEmpty() && given.get(0).equals(MISS)) {
            System.out.println(MissCost.of(Long.parseLong(given.get(1))));
            return;
        }
        if (!given.isEmpty() && given.get(0).equals("shared")) {
            shared(given.subList(1, given.size()));
            return;
        }
        PacketTuples packets = given.isEmpty()
                ? PacketTuples.make(MADE_PACKETS)
                : PacketTuples.read(given.stream().map(Path::of).toList(), PACKETS_MAX);
        System.out.println(IndexCost.of(packets));
    }
}
