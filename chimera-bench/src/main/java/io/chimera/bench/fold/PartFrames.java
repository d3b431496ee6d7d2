package io.chimera.bench.fold;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.bench.load.PointRecords;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import io.chimera.common.cluster.ConfigurationDigest;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Entries;
import io.chimera.common.wire.PartFrame;
import io.chimera.common.wire.PartId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Frames of points, filled as by a queue node.
 *
 * @param first frames at the start of a transmission: each record with the definition of its series
 * @param others later frames: each series once more, without definitions
 */
public record PartFrames(List<UnsafeBuffer> first, List<UnsafeBuffer> others) {
    /** Points of {@link #first}, and of {@link #others}. */
    public static final int POINTS = PointText.SERIES;

    /** Configuration digest of the frames. */
    static final ConfigurationDigest DIGEST = new ConfigurationDigest("d");

    /** Frame size at which a queue node sends a frame. */
    private static final int FRAME_LENGTH = 64 << 10;

    /** Position of the index in a frame. */
    private static final int INDEX = 20;

    /** Creates the frames of a shape. */
    public static PartFrames of(PointShape shape) {
        PointRecords records = PointRecords.of(shape, 2 * POINTS);
        List<UnsafeBuffer> first = new ArrayList<>();
        List<UnsafeBuffer> others = new ArrayList<>();
        int position = 0;
        int points = 0;
        while (position < records.length()) {
            int pointsMax = points < POINTS ? POINTS - points : POINTS;
            List<UnsafeBuffer> frames = points < POINTS ? first : others;
            UnsafeBuffer frame = new UnsafeBuffer(ByteBuffer.allocateDirect(FRAME_LENGTH));
            int length = PartFrame.HEADER_LENGTH;
            int count = 0;
            while (position < records.length() && count < pointsMax) {
                int entry = Entries.length(records.buffer(), position);
                if (length + entry > FRAME_LENGTH) {
                    break;
                }
                frame.putBytes(length, records.buffer(), position, entry);
                count += Entries.kind(records.buffer(), position) == BodyLayout.RECORD ? 1 : 0;
                length += entry;
                position += entry;
            }
            PartFrame.header(frame, 0, PartFrame.DATA, new PartId(1, 0, 0), 0, 1, 0, count);
            PartFrame.fingerprint(frame, 0, DIGEST.fingerprint());
            frames.add(new UnsafeBuffer(frame, 0, length));
            points += count;
        }
        return new PartFrames(first, others);
    }

    /** Sets the number of a frame in its transmission. */
    public static void number(UnsafeBuffer frame, int index) {
        frame.putInt(INDEX, index, LITTLE_ENDIAN);
    }
}
