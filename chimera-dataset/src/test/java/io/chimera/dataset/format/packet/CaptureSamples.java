package io.chimera.dataset.format.packet;

import io.chimera.api.model.FieldType;
import io.chimera.dataset.format.codec.CodecLimits;
import io.chimera.dataset.format.text.FieldColumn;
import io.chimera.dataset.format.text.MetricName;
import io.chimera.dataset.format.text.RowMapping;
import io.chimera.dataset.format.text.TagColumn;
import io.chimera.dataset.format.text.TimeColumn;
import io.chimera.dataset.format.text.TimeFormat;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** Captures in memory, in any byte order. */
final class CaptureSamples {
    static final int ETHERNET = 1;
    static final int FIRST_SECOND = 1_700_000_000;

    static final RowMapping MAPPING = mapping(List.of("source", "vlan", "outcome"), List.of("length", "tcp_flags"));

    private static final int BYTES_MAX = 64 << 20;

    private final ByteBuffer out = ByteBuffer.allocate(4 << 20);

    CaptureSamples(ByteOrder order) {
        out.order(order);
    }

    static RowMapping mapping(List<String> tags, List<String> fields) {
        return new RowMapping(
                MetricName.constant("p"),
                new TimeColumn("time", TimeFormat.of("ns", ZoneOffset.UTC)),
                tags.stream().map(name -> new TagColumn(name, name)).toList(),
                fields.stream()
                        .map(name -> new FieldColumn(name, name, FieldType.LONG))
                        .toList());
    }

    static PacketFormat format() {
        return new PacketFormat(MAPPING, null, CodecLimits.DEFAULT);
    }

    byte[] bytes() {
        return Arrays.copyOf(out.array(), out.position());
    }

    CaptureSamples pcap(int linkType) {
        out.putInt(0xA1B2C3D4).putShort((short) 2).putShort((short) 4);
        out.putInt(0).putInt(0).putInt(262_144).putInt(linkType);
        return this;
    }

    CaptureSamples record(int second, int micros, byte[] packet) {
        out.putInt(second).putInt(micros).putInt(packet.length).putInt(packet.length);
        out.put(packet);
        return this;
    }

    CaptureSamples section() {
        return block(0x0A0D0D0A, ints(0x1A2B3C4D, versions(), -1, -1));
    }

    private int versions() {
        return out.order() == ByteOrder.LITTLE_ENDIAN ? 1 : 1 << 16;
    }

    CaptureSamples netInterface(int linkType) {
        return block(1, ints(out.order() == ByteOrder.LITTLE_ENDIAN ? linkType : linkType << 16, 262_144));
    }

    CaptureSamples enhanced(int number, long micros, byte[] packet) {
        byte[] head = ints(number, (int) (micros >>> 32), (int) micros, packet.length, packet.length);
        return block(6, joined(head, packet));
    }

    CaptureSamples simple(byte[] packet) {
        return block(3, joined(ints(packet.length), packet));
    }

    private CaptureSamples block(int type, byte[] body) {
        int padded = (body.length + 3) / 4 * 4;
        out.putInt(type)
                .putInt(padded + 12)
                .put(body)
                .put(new byte[padded - body.length])
                .putInt(padded + 12);
        return this;
    }

    private byte[] ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(out.order());
        Arrays.stream(values).forEach(bytes::putInt);
        return bytes.array();
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** A frame with TCP in IPv4, mostly with some bytes of payload. */
    static byte[] frame(RandomGenerator random, byte[] payload) {
        byte[] source = {10, 0, 0, (byte) random.nextInt(250)};
        ByteBuffer frame = ByteBuffer.allocate(14 + 20 + 20 + payload.length);
        frame.position(12).putShort((short) 0x0800);
        frame.put((byte) 0x45)
                .put((byte) 0)
                .putShort((short) (40 + payload.length))
                .putInt(0);
        frame.put((byte) 64).put((byte) 6).putShort((short) 0).put(source).put(new byte[] {10, 0, 0, 1});
        frame.putShort((short) 1234).putShort((short) 80).putInt(1).putInt(2);
        frame.put((byte) 0x50)
                .put((byte) random.nextInt(64))
                .putShort((short) 100)
                .putInt(0);
        return frame.put(payload).array();
    }

    static byte[] noise(RandomGenerator random, int length) {
        byte[] bytes = new byte[Math.min(BYTES_MAX, length)];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A pcap capture with packets of random length; some payloads have zeros, or look like records. */
    static byte[] pcap(RandomGenerator random, ByteOrder order, int packets) {
        CaptureSamples capture = new CaptureSamples(order).pcap(ETHERNET);
        for (int i = 0; i < packets; i++) {
            capture.record(FIRST_SECOND + i, random.nextInt(1_000_000), frame(random, payload(random, order)));
        }
        return capture.bytes();
    }

    /** The same as pcapng with two interfaces. */
    static byte[] pcapng(RandomGenerator random, ByteOrder order, int packets) {
        CaptureSamples capture =
                new CaptureSamples(order).section().netInterface(ETHERNET).netInterface(ETHERNET);
        for (int i = 0; i < packets; i++) {
            long micros = (FIRST_SECOND + i) * 1_000_000L + random.nextInt(1_000_000);
            capture.enhanced(random.nextInt(2), micros, frame(random, payload(random, order)));
        }
        return capture.bytes();
    }

    private static byte[] payload(RandomGenerator random, ByteOrder order) {
        int length = random.nextInt(1_400);
        return switch (random.nextInt(4)) {
            case 0 -> new byte[length];
            case 1 -> innerRecords(random, order, length);
            default -> noise(random, random.nextInt(4) == 0 ? 0 : length);
        };
    }

    /** Bytes of a transferred capture. */
    private static byte[] innerRecords(RandomGenerator random, ByteOrder order, int length) {
        CaptureSamples inner = new CaptureSamples(order);
        for (int i = 0; i < 20; i++) {
            inner.record(FIRST_SECOND, 0, noise(random, 60));
        }
        return Arrays.copyOf(inner.bytes(), length);
    }
}
