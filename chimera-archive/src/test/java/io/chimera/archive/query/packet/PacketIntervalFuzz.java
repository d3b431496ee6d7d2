package io.chimera.archive.query.packet;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.query.filter.PacketFilter;
import io.chimera.archive.query.filter.PacketFilters;
import io.chimera.archive.query.interval.IntervalHeader;
import io.chimera.archive.query.key.KeySet;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.common.error.ChimeraException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/**
 * Arbitrary records of a data stream yield packets within the record, or are refused. The header is corrected, so the
 * fuzzer reaches the packets, a filter and the key extraction; the keys of a matching packet match the probe.
 */
final class PacketIntervalFuzz {
    private static final PacketFilters FILTERS = new PacketFilters("tcp[20] = 1 or udp port 53 or ip6 host ::1");

    private int matched;

    @FuzzTest(maxDuration = "1m")
    void readsAnyBytes(byte[] bytes) {
        UnsafeBuffer record =
                new UnsafeBuffer(Arrays.copyOf(bytes, Math.max(bytes.length, PacketInterval.HEADER_BYTES)));
        PacketInterval packets = new PacketInterval();
        try {
            packets.wrap(new UnsafeBuffer(bytes), 0, bytes.length);
        } catch (ChimeraException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        PacketInterval.HEADER.write(
                record,
                IntervalHeader.word(record, 0),
                IntervalHeader.items(record, 0),
                record.capacity(),
                IntervalHeader.firstNs(record, 0),
                IntervalHeader.lastNs(record, 0));
        try {
            read(packets.wrap(record, 0, record.capacity()), record.capacity());
        } catch (QuestionException e) {
            assertThat(e).hasMessageContaining("not supported by filters"); // frames of an unsupported link type
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining("exceeds its record");
        }
    }

    private void read(PacketInterval packets, int recordBytes) {
        PacketFilter filter = FILTERS.of(packets.linkType());
        Probe probe = FILTERS.probe();
        int bytes = PacketInterval.HEADER_BYTES;
        while (packets.next()) {
            bytes += PacketInterval.PACKET_HEADER_BYTES + packets.captured();
            assertThat(bytes).isLessThanOrEqualTo(recordBytes);
            KeySet keys = new KeySet();
            byte[] array = packets.buffer().byteArray();
            new PacketKeys(packets.linkType(), keys)
                    .add(array, packets.buffer().addressOffset() + packets.offset(), packets.captured());
            if (filter.matches(packets.buffer(), packets.offset(), packets.captured(), packets.length())) {
                assertThat(keys.matches(probe)).isTrue();
                matched++;
            }
        }
    }

    @Test
    void findsTheKeysOfAPacketThatMatches() {
        UnsafeBuffer frame = new UnsafeBuffer(new byte[14 + 20 + 8]);
        frame.putShort(12, (short) 0x0800, ByteOrder.BIG_ENDIAN);
        frame.putByte(14, (byte) 0x45);
        frame.putByte(14 + 9, (byte) 17);
        frame.putShort(14 + 20 + 2, (short) 53, ByteOrder.BIG_ENDIAN);
        PacketIntervalWriter writer = new PacketIntervalWriter(1 << 12);
        UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(frame.capacity()));
        memory.putBytes(0, frame, 0, frame.capacity());
        assertThat(writer.add(1, 0, memory.addressOffset(), frame.capacity(), frame.capacity(), 0, 0))
                .isTrue();
        byte[] record = new byte[writer.finish()];
        writer.buffer().getBytes(0, record);
        readsAnyBytes(record);
        assertThat(matched).isOne();
    }
}
