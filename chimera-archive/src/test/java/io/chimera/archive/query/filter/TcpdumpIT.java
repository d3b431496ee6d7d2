package io.chimera.archive.query.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.chimera.archive.query.condition.LinkTypes;
import io.chimera.archive.query.filter.Packets.Packet;
import io.chimera.archive.query.filter.Tcpdump.Answer;
import io.chimera.archive.query.text.QuestionException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Filters match the same packets as tcpdump. Options for longer runs: {@code -Dchimera.filters=5000
 * -Dchimera.filters.seed=7 -Dchimera.captures=<folder>}.
 */
final class TcpdumpIT {
    private static final int FILTERS = Integer.getInteger("chimera.filters", 200);
    private static final long SEED = Long.getLong("chimera.filters.seed", 1);

    /** Libpcap divides by a constant 0 at run time, and shifts out all bits; see docs/archive.md. */
    private static final List<String> REFUSED_BY_US = List.of("divided by 0", "shift them");

    /** Filters without any match, and sums that start with a 0; see docs/archive.md. */
    private static final List<String> REFUSED_BY_LIBPCAP = List.of(
            "expression rejects all packets",
            "division by zero",
            "modulus by zero",
            "shift by more than 31 bits",
            "too many registers needed");

    @TempDir
    private Path folder;

    @BeforeEach
    void needsTcpdump() {
        assumeTrue(Tcpdump.isInstalled(), "tcpdump is not installed; scripts/setup does it");
    }

    @Test
    void findsExactlyThePacketsThatTcpdumpFindsInEthernet() {
        compare(PublicCaptures.spoilt(LinkTypes.ETHERNET), false, FILTERS, false);
    }

    @ParameterizedTest
    @ValueSource(ints = {LinkTypes.RAW, LinkTypes.LINUX_SLL, LinkTypes.LINUX_SLL2, LinkTypes.IPV4, LinkTypes.IPV6})
    void findsExactlyThePacketsThatTcpdumpFindsInOtherFrames(int linkType) {
        compare(PublicCaptures.spoilt(linkType), false, FILTERS / 5, false);
    }

    @Test
    void findsWhatTcpdumpFindsByDefaultInFramesThatAreWhole() {
        compare(PublicCaptures.whole(LinkTypes.ETHERNET), true, FILTERS, true);
    }

    private void compare(Packets packets, boolean isOptimised, int filters, boolean isEveryday) {
        Path capture = folder.resolve("packets.pcap");
        packets.write(capture);
        Tcpdump tcpdump = new Tcpdump(capture, isOptimised);
        List<String> differences = IntStream.range(0, filters)
                .parallel()
                .mapToObj(i -> {
                    FilterGenerator generator = new FilterGenerator(SEED * 1_000_003 + i, packets);
                    String filter = isEveryday ? generator.everyday() : generator.next();
                    return difference(packets, filter, tcpdump.ask(filter));
                })
                .filter(difference -> !difference.isEmpty())
                .toList();
        assertThat(differences).isEmpty();
    }

    /** Returns the difference; empty without a difference. */
    private static String difference(Packets packets, String filter, Answer answer) {
        BitSet found;
        try {
            found = found(packets, PacketFilter.compile(filter, packets.linkType));
        } catch (QuestionException e) {
            boolean isKnown = REFUSED_BY_US.stream().anyMatch(e.getMessage()::contains);
            return isKnown || answer.positions() == null ? "" : "Only we refuse " + filter + ": " + e.getMessage();
        }
        if (answer.positions() == null) {
            boolean isKnown = REFUSED_BY_LIBPCAP.stream().anyMatch(answer.refusal()::contains);
            return isKnown ? "" : "Only libpcap refuses " + filter + ": " + answer.refusal();
        }
        BitSet different = (BitSet) found.clone();
        different.xor(answer.positions());
        return different.isEmpty()
                ? ""
                : filter + ": differs in packets " + first(different) + " of " + packets.packets.size();
    }

    private static List<Integer> first(BitSet positions) {
        List<Integer> first = new ArrayList<>();
        positions.stream().limit(5).forEach(first::add);
        return first;
    }

    private static BitSet found(Packets packets, PacketFilter filter) {
        BitSet found = new BitSet();
        UnsafeBuffer buffer = new UnsafeBuffer(new byte[0]);
        for (int i = 0; i < packets.packets.size(); i++) {
            Packet packet = packets.packets.get(i);
            buffer.wrap(packet.bytes());
            found.set(i, filter.matches(buffer, 0, packet.bytes().length, packet.length()));
        }
        return found;
    }
}
