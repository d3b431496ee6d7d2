package io.chimera.dataset.format.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.codec.Compression;
import io.chimera.dataset.format.codec.Packed;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The splits of a capture have the packets of the whole capture, each once, wherever the borders are. */
final class PacketSplitsTest {
    private static final int PACKETS = 600;

    private static PointTextSink whole(String path, byte[] bytes) throws Exception {
        return PointTextSink.of(CaptureSamples.format(), new MemoryObject(path, bytes), new ByteRange(0, bytes.length));
    }

    private static PointTextSink splits(MemoryObject object, List<ByteRange> ranges) throws Exception {
        PointTextSink sink = new PointTextSink();
        for (ByteRange range : ranges) {
            sink.read(CaptureSamples.format(), object, range);
        }
        return sink;
    }

    @ParameterizedTest
    @EnumSource
    void anyLengthOfSplits(Compression compression) throws Exception {
        for (int seed = 0; seed < 8; seed++) {
            Random random = new Random(seed);
            ByteOrder order = seed % 2 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            byte[] capture = seed % 4 < 2
                    ? CaptureSamples.pcap(random, order, PACKETS)
                    : CaptureSamples.pcapng(random, order, PACKETS);
            byte[] packed = Packed.frames(compression, capture, random, 1 + random.nextInt(100_000));
            String path = "a" + compression.suffix();
            PointTextSink expected = whole(path, packed);
            assertThat(expected.points).hasSize(PACKETS);
            assertThat(expected.rejects).isEmpty();
            for (int target : new int[] {5_000, 1 + random.nextInt(packed.length), Integer.MAX_VALUE}) {
                MemoryObject object = new MemoryObject(path, packed, random, 1 + random.nextInt(20_000));
                List<ByteRange> ranges = CaptureSamples.format().splits(object, target);

                PointTextSink found = splits(object, ranges);

                assertThat(found.points).as("seed %s, target %s", seed, target).isEqualTo(expected.points);
                assertThat(found.rejects).isEmpty();
            }
        }
    }

    /** Every end of the first split of a short capture, with a short search. */
    @Test
    void anyEnd() throws Exception {
        Random random = new Random(5);
        PacketFormat format =
                new PacketFormat(CaptureSamples.MAPPING, null, CodecLimits.DEFAULT, new SearchDepth(1_500, 3_000));
        CaptureSamples packets = new CaptureSamples(ByteOrder.LITTLE_ENDIAN).pcap(CaptureSamples.ETHERNET);
        for (int i = 0; i < 60; i++) {
            packets.record(CaptureSamples.FIRST_SECOND, i, CaptureSamples.noise(random, 1 + random.nextInt(200)));
        }
        byte[] capture = packets.bytes();
        MemoryObject object = new MemoryObject("a", capture);
        List<String> expected = whole("a", capture).points;
        boolean hasTwoParts = false;
        for (int end = 1; end < capture.length; end++) {
            PointTextSink found = PointTextSink.of(format, object, new ByteRange(0, end));
            int ofFirst = found.points.size();
            found.read(format, object, new ByteRange(end, capture.length));

            assertThat(found.points).as("end %s", end).isEqualTo(expected);
            hasTwoParts |= ofFirst < expected.size() && ofFirst > expected.size() / 2;
        }
        assertThat(hasTwoParts).isTrue();
    }

    /** A packet that has a whole capture as payload, longer than the chain of a search. */
    @Test
    void aWrongBorderEndsTheReaderBeforeIt() throws Exception {
        Random random = new Random(9);
        CaptureSamples inner = new CaptureSamples(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < 3_300; i++) {
            inner.record(CaptureSamples.FIRST_SECOND, 0, CaptureSamples.noise(random, 60));
        }
        CaptureSamples outer = new CaptureSamples(ByteOrder.LITTLE_ENDIAN).pcap(CaptureSamples.ETHERNET);
        outer.record(CaptureSamples.FIRST_SECOND, 0, CaptureSamples.noise(random, 100));
        outer.record(CaptureSamples.FIRST_SECOND, 0, inner.bytes());
        for (int i = 0; i < 300; i++) {
            outer.record(CaptureSamples.FIRST_SECOND, 1, CaptureSamples.noise(random, 1_000));
        }
        byte[] capture = outer.bytes();
        MemoryObject object = new MemoryObject("outer.pcap", capture);

        assertThat(whole("a", capture).points).hasSize(302);
        assertThatThrownBy(() -> splits(object, List.of(new ByteRange(0, 1_000))))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("outer.pcap", "one split");
    }

    @Test
    void zerosDoNotTakeLong() throws Exception {
        CaptureSamples capture = new CaptureSamples(ByteOrder.LITTLE_ENDIAN).pcap(CaptureSamples.ETHERNET);
        for (int i = 0; i < 20; i++) {
            capture.record(CaptureSamples.FIRST_SECOND, i, new byte[100_000]);
        }
        byte[] bytes = capture.bytes();
        MemoryObject object = new MemoryObject("a", bytes);

        List<ByteRange> ranges = CaptureSamples.format().splits(object, 150_000);

        assertThat(splits(object, ranges).points).hasSize(20);
    }

    @Test
    void anInterfaceAfterTheFirstPacketNeedsOneSplit() throws Exception {
        Random random = new Random(3);
        CaptureSamples capture =
                new CaptureSamples(ByteOrder.BIG_ENDIAN).section().netInterface(CaptureSamples.ETHERNET);
        for (int i = 0; i < 500; i++) {
            if (i == 100) {
                capture.netInterface(CaptureSamples.ETHERNET);
            }
            capture.enhanced(i < 100 ? 0 : 1, i, CaptureSamples.frame(random, new byte[1_000]));
        }
        byte[] bytes = capture.bytes();

        assertThat(whole("a", bytes).points).hasSize(500);
        assertThatThrownBy(() -> splits(
                        new MemoryObject("late.pcapng", bytes),
                        List.of(new ByteRange(0, 200_000), new ByteRange(200_000, bytes.length))))
                .isInstanceOf(FormatException.class)
                .hasMessageContainingAll("late.pcapng", "interface", "one split");
    }
}
