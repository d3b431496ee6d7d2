package io.chimera.archive.query;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Any record of a data stream: packets within it, or refused. What it begins with is made right, so that the rest is looked at, also
 * by a filter and by what rebuilds the index.
 */
final class PacketIntervalFuzz {
    private static final PacketFilters FILTERS = new PacketFilters("tcp[20] = 1 or udp port 53 or ip6 host ::1");

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
            assertThat(e).hasMessageContaining("cannot be asked about"); // frames of a kind that filters do not know
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining("does not lie within its record");
        }
    }

    private static void read(PacketInterval packets, int recordBytes) {
        PacketFilter filter = FILTERS.of(packets.linkType());
        int bytes = PacketInterval.HEADER_BYTES;
        while (packets.next()) {
            bytes += PacketInterval.PACKET_HEADER_BYTES + packets.captured();
            assertThat(bytes).isLessThanOrEqualTo(recordBytes);
            filter.matches(packets.buffer(), packets.offset(), packets.captured(), packets.length());
        }
    }
}
