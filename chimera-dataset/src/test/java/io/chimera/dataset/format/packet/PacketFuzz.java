package io.chimera.dataset.format.packet;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.FormatException;
import io.chimera.dataset.format.MemoryObject;
import io.chimera.dataset.format.PointTextSink;
import io.chimera.dataset.format.codec.CodecLimits;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary bytes cause no other exception than a {@link FormatException}. When the readers of all splits end without
 * one, they have the packets of the whole capture.
 */
final class PacketFuzz {
    private static final List<byte[]> BEGINNINGS = List.of(
            new byte[0],
            new CaptureSamples(ByteOrder.LITTLE_ENDIAN)
                    .pcap(CaptureSamples.ETHERNET)
                    .bytes(),
            new CaptureSamples(ByteOrder.BIG_ENDIAN)
                    .section()
                    .netInterface(CaptureSamples.ETHERNET)
                    .bytes());

    /** A short search finds borders in captures of a few kilobytes. */
    private static final PacketFormat FORMAT =
            new PacketFormat(CaptureSamples.MAPPING, null, CodecLimits.DEFAULT, new SearchDepth(1_500, 3_000));

    @FuzzTest(maxDuration = "1m")
    void takesAnything(byte[] bytes) throws Exception {
        for (byte[] beginning : BEGINNINGS) {
            byte[] capture = new byte[beginning.length + bytes.length];
            System.arraycopy(beginning, 0, capture, 0, beginning.length);
            System.arraycopy(bytes, 0, capture, beginning.length, bytes.length);
            check(capture, 1 + capture.length / 3);
        }
    }

    @Test
    void takesChangedCaptures() throws Exception {
        Random random = new Random(41);
        for (int i = 0; i < 300; i++) {
            ByteOrder order = random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            byte[] capture = random.nextBoolean()
                    ? CaptureSamples.pcap(random, order, 12)
                    : CaptureSamples.pcapng(random, order, 12);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                capture[random.nextInt(capture.length)] = (byte) random.nextInt();
            }
            check(capture, 1 + random.nextInt(capture.length));
        }
    }

    private static void check(byte[] capture, int target) throws Exception {
        if (capture.length == 0) {
            return;
        }
        List<String> whole = read(capture, List.of(new ByteRange(0, capture.length)));
        MemoryObject object = new MemoryObject("a", capture);
        List<String> splits = read(capture, FORMAT.splits(object, target));
        if (!splits.isEmpty() && !whole.equals(splits)) {
            throw new AssertionError("The splits make a difference.");
        }
    }

    /** Returns the packets and rejects; empty when a reader failed. */
    private static List<String> read(byte[] capture, List<ByteRange> ranges) throws Exception {
        PointTextSink sink = new PointTextSink();
        MemoryObject object = new MemoryObject("a", capture, new Random(capture.length), 900);
        try {
            for (ByteRange range : ranges) {
                sink.read(FORMAT, object, range);
            }
        } catch (FormatException e) {
            return List.of();
        }
        List<String> all = new ArrayList<>(sink.points);
        sink.rejects.forEach(reject -> all.add(reject.reason()));
        return all;
    }
}
