package io.chimera.bench.archive.index;





import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A process that measures the index: over packets of capture files, over packets made up, what other nodes are sent, or what a miss costs. */
public final class IndexPeer {
    /** The argument ahead of how many packets a miss is asked of. */
    public static final String MISS = "miss";

    /** The argument ahead of capture files, or of none, for what is sent to other nodes. */
    public static final String SHARED = "shared";

    private static final int MADE_PACKETS = 1 << 18;
    private static final int PACKETS_MAX = 2_000_000;

    private IndexPeer() {}

    /**
     * Prints one line.
     *
     * @param arguments {@link #MISS} and how many packets; or capture files, or none, with {@link #SHARED} ahead of them or
     *     without
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
