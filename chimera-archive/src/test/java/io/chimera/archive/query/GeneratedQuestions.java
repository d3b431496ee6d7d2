package io.chimera.archive.query;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** A capture with frames of many kinds, and filters that ask about what is in them, for tests of other modules. */
public final class GeneratedQuestions {
    private static final long SEED_STRIDE = 1_000_003;

    private GeneratedQuestions() {}

    /**
     * Writes a capture file of Ethernet.
     *
     * @param count of filters
     * @param seed decides the filters
     * @return the filters; tcpdump or we may refuse some of them
     */
    public static List<String> write(Path capture, int count, long seed) {
        Packets packets = PublicCaptures.spoilt(LinkTypes.ETHERNET);
        packets.write(capture);
        return IntStream.range(0, count)
                .mapToObj(i -> new FilterGenerator(seed * SEED_STRIDE + i, packets).next())
                .toList();
    }
}
