package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.LinkTypes;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Generates a capture with many kinds of frames, and filters for its content, for tests of other modules. */
public final class GeneratedQuestions {
    private static final long SEED_STRIDE = 1_000_003;

    private GeneratedQuestions() {}

    /**
     * Writes a capture file of Ethernet.
     *
     * @param count number of filters
     * @param seed seed of the filters
     * @return the filters; tcpdump or the archive may refuse some of them
     */
    public static List<String> write(Path capture, int count, long seed) {
        Packets packets = PublicCaptures.spoilt(LinkTypes.ETHERNET);
        packets.write(capture);
        return IntStream.range(0, count)
                .mapToObj(i -> new FilterGenerator(seed * SEED_STRIDE + i, packets).next())
                .toList();
    }
}
