package io.chimera.queue.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes batches for tests. Stream and sequence number determine the contents of a record, so two batches have the same
 * bytes if and only if they have the same records.
 */
public final class Batches {
    private static final byte[] METRIC = "cpu".getBytes(UTF_8);
    private static final byte[] TAG = "host".getBytes(UTF_8);
    private static final byte[] FIELD = "value".getBytes(UTF_8);
    private static final byte[] TEXT = "text".getBytes(UTF_8);

    private final RecordEncoder encoder = new RecordEncoder();
    private final CRC32C crc = new CRC32C();
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(BatchLayout.LENGTH_MAX));

    /** Creates a maker with a buffer of its own. */
    public Batches() {}

    /** Buffer with the last batch, from index 0. */
    public UnsafeBuffer buffer() {
        return buffer;
    }

    /** Makes a sealed batch of small records and returns its length. */
    public int seal(long stream, long firstSeq, int count) {
        return seal(stream, firstSeq, count, 0);
    }

    /** Makes a sealed batch of records with a text of the given length and returns its length. */
    public int seal(long stream, long firstSeq, int count, int textLength) {
        int length = records(buffer, stream, firstSeq, count, textLength);
        BatchLayout.seal(buffer, 0, length, stream, firstSeq, count, crc);
        return length;
    }

    /** Writes records like a source does, and returns the length including the header, which is not written. */
    public int records(UnsafeBuffer target, long stream, long firstSeq, int count, int textLength) {
        encoder.open(target, BatchLayout.HEADER_LENGTH, target.capacity());
        for (int i = 0; i < count; i++) {
            record(stream, firstSeq + i, textLength);
        }
        return encoder.position();
    }

    private void record(long stream, long seq, int textLength) {
        byte[] host = Long.toHexString(stream).getBytes(UTF_8);
        encoder.begin();
        encoder.metric(METRIC, 0, METRIC.length);
        encoder.tag(TAG, 0, TAG.length, host, 0, host.length);
        encoder.field(FIELD, 0, FIELD.length, FieldType.LONG.code(), seq);
        if (textLength > 0) {
            byte[] text = new byte[textLength];
            encoder.textField(TEXT, 0, TEXT.length, text, 0, textLength);
        }
        if (encoder.end(seq, 0) != PointSink.OK) {
            throw new IllegalArgumentException("The batch does not fit.");
        }
    }

    /** Makes a batch and appends it. */
    public Journal.Appended append(Journal journal, long stream, long firstSeq, int count) {
        return append(journal, stream, firstSeq, count, 0);
    }

    /** Makes a batch of records with a text and appends it. */
    public Journal.Appended append(Journal journal, long stream, long firstSeq, int count, int textLength) {
        int length = seal(stream, firstSeq, count, textLength);
        return journal.append(buffer, 0, length);
    }
}
