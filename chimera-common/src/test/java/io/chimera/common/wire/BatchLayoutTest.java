package io.chimera.common.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class BatchLayoutTest {
    private static final int OFFSET = 64;
    private static final long STREAM = 0x1234_5678_9ABC_DEF0L;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(8192));
    private final CRC32C crc = new CRC32C();
    private final BodyReader body = new BodyReader();
    private int length;

    private void seal(long stream, long firstSeq, int count) {
        RecordEncoder encoder = new RecordEncoder();
        encoder.open(buffer, OFFSET + BatchLayout.HEADER_LENGTH, buffer.capacity());
        for (int i = 0; i < 3; i++) {
            new PointBytes("cpu" + i).tag("host", "a").field("v", (long) i).encode(encoder);
        }
        length = encoder.position() - OFFSET;
        BatchLayout.seal(buffer, OFFSET, length, stream, firstSeq, count, crc);
    }

    private boolean isWhole(int available) {
        return BatchLayout.isWhole(buffer, OFFSET, available, crc, body);
    }

    @Test
    void givesBackWhatWasSealed() {
        seal(STREAM, 17, 3);

        assertThat(BatchLayout.length(buffer, OFFSET)).isEqualTo(length);
        assertThat(BatchLayout.stream(buffer, OFFSET)).isEqualTo(STREAM);
        assertThat(BatchLayout.firstSeq(buffer, OFFSET)).isEqualTo(17);
        assertThat(BatchLayout.count(buffer, OFFSET)).isEqualTo(3);
        assertThat(isWhole(length)).isTrue();
        assertThat(isWhole(length + 1)).isTrue();
    }

    @Test
    void refusesCutBatches() {
        seal(STREAM, 1, 3);

        for (int available = 0; available < length; available++) {
            assertThat(isWhole(available)).isFalse();
        }
    }

    @Test
    void refusesAnyDamagedByte() {
        seal(STREAM, 1, 3);

        for (int i = 0; i < length; i++) {
            byte good = buffer.getByte(OFFSET + i);
            buffer.putByte(OFFSET + i, (byte) (good ^ 0x10));
            assertThat(isWhole(length)).as("byte " + i).isFalse();
            buffer.putByte(OFFSET + i, good);
        }
        assertThat(isWhole(length)).isTrue();
    }

    @Test
    void refusesBatchesThatContradictTheirRecords() {
        seal(STREAM, 1, 2);
        assertThat(isWhole(length)).as("a record too many").isFalse();
        seal(STREAM, 1, 4);
        assertThat(isWhole(length)).as("a record too few").isFalse();
        seal(STREAM, 1, -1);
        assertThat(isWhole(length)).as("negative count").isFalse();
    }

    @Test
    void refusesBatchesThatHaveNoPlaceInAStream() {
        seal(0, 1, 3);
        assertThat(isWhole(length)).as("no stream").isFalse();
        seal(STREAM, 0, 3);
        assertThat(isWhole(length)).as("sequence number 0").isFalse();
        seal(STREAM, Long.MAX_VALUE - 1, 3);
        assertThat(isWhole(length)).as("sequence numbers beyond the last").isFalse();
        BatchLayout.seal(buffer, OFFSET, BatchLayout.HEADER_LENGTH, STREAM, 1, 0, crc);
        assertThat(isWhole(length)).as("no record").isFalse();
    }

    @Test
    void isLittleEndian() {
        seal(STREAM, 5, 3);

        assertThat(buffer.getLong(OFFSET + BatchLayout.STREAM, ByteOrder.BIG_ENDIAN))
                .isEqualTo(Long.reverseBytes(STREAM));
    }

    @Test
    void checksumIsTheSameOnAndOffTheHeap() {
        seal(STREAM, 1, 3);
        UnsafeBuffer heap = new UnsafeBuffer(new byte[8200], 8, 8192);
        heap.putBytes(0, buffer, 0, 8192);

        assertThat(BatchLayout.isWhole(heap, OFFSET, length, crc, body)).isTrue();
    }
}
