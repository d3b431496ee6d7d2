package io.chimera.processor;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PointBytes;
import io.chimera.common.wire.RecordFlyweight;
import io.chimera.common.wire.SeriesFlyweight;
import io.chimera.common.wire.encode.RecordEncoder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The DATA frames of a pipeline in a transmission, encoded as by a queue node: definitions are valid across frames. One
 * thread.
 */
final class FrameBody {
    private final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
    private final RecordEncoder encoder = new RecordEncoder();
    private final RecordFlyweight record = new RecordFlyweight();
    private final SeriesFlyweight series = new SeriesFlyweight();
    private final Map<Integer, Long> keyHashes = new HashMap<>();

    /** Start of the next frame. */
    private int start;

    private int position;
    private long checksum;

    FrameBody() {
        encoder.open(body, 0, Integer.MAX_VALUE);
    }

    /** Adds a RESET of all definitions to the next frame. */
    FrameBody reset() {
        encoder.open(body, encoder.position(), Integer.MAX_VALUE);
        return this;
    }

    FrameBody add(boolean isPrimary, List<PointBytes> points) {
        for (PointBytes point : points) {
            int ended = point.encode(encoder);
            if (ended < 0) {
                throw new IllegalArgumentException("Code " + ended + " for " + point.metric() + point.tags() + ".");
            }
        }
        while (position < encoder.position()) {
            onEntry(isPrimary);
            position += Entries.length(body, position);
        }
        return this;
    }

    private void onEntry(boolean isPrimary) {
        int kind = Entries.kind(body, position);
        if (kind == BodyLayout.SERIES) {
            series.wrap(body, position);
            keyHashes.put(series.number(), series.keyHash());
        } else if (kind == BodyLayout.RECORD) {
            body.putShort(
                    position + BodyLayout.FLAGS, (short) (isPrimary ? BodyLayout.FLAG_PRIMARY : 0), LITTLE_ENDIAN);
            record.wrap(body, position);
            checksum += PartFrame.recordChecksum(keyHashes.get(record.series()), record);
        }
    }

    /** Returns the checksum of the points so far. */
    long checksum() {
        return checksum;
    }

    /** Cuts off the next frame, with space for the header. */
    UnsafeBuffer cut() {
        int end = encoder.position();
        UnsafeBuffer frame = new UnsafeBuffer(new byte[PartFrame.HEADER_LENGTH + end - start]);
        frame.putBytes(PartFrame.HEADER_LENGTH, body, start, end - start);
        start = end;
        position = end;
        return frame;
    }
}
