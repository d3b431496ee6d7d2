package io.chimera.dataset.format.codec;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Cuts an object into splits, at ascending offsets that a format allows. One thread. */
final class SplitBorders {
    /** Maximum number of splits of an object; a shorter target length is raised. */
    static final int SPLITS_MAX = 100_000;

    private final List<ByteRange> ranges = new ArrayList<>();
    private final long length;
    private final long target;
    private long from;

    private SplitBorders(long length, long targetLength) {
        this.length = length;
        this.target = Math.min(length, Math.max(targetLength, (length + SPLITS_MAX - 1) / SPLITS_MAX));
    }

    static List<ByteRange> none(long length) {
        return List.of(new ByteRange(0, length));
    }

    static List<ByteRange> everywhere(long length, long targetLength) {
        SplitBorders borders = new SplitBorders(length, targetLength);
        while (borders.wished() < length) {
            borders.cut(borders.wished());
        }
        return borders.end();
    }

    static List<ByteRange> atFrames(ObjectBytes object, long targetLength, CodecLimits limits, FrameProbe probe)
            throws IOException {
        SplitBorders borders = new SplitBorders(object.length(), targetLength);
        FrameSearch search = new FrameSearch(object, probe);
        while (borders.wished() < object.length()) {
            long wished = borders.wished();
            long frame = search.find(wished, wished + Math.min(object.length() - wished, limits.frameSearchBytes()));
            if (frame == FrameSearch.NONE) {
                break;
            }
            borders.cut(frame);
        }
        return borders.end();
    }

    static List<ByteRange> ofZstd(ObjectBytes object, long targetLength, CodecLimits limits) throws IOException {
        if (limits.frameSearchBytes() == 0) {
            return none(object.length());
        }
        ZstdSeekTable table = ZstdSeekTable.find(object);
        List<ByteRange> ranges = table == null ? null : atEntries(object, targetLength, table);
        return ranges != null
                ? ranges
                : atFrames(object, targetLength, limits, new ZstdFrameProbe(limits.windowBytesMax()));
    }

    /** Cuts at the frames of a seek table; null when the frames do not fill the object up to the table. */
    private static @Nullable List<ByteRange> atEntries(ObjectBytes object, long targetLength, ZstdSeekTable table)
            throws IOException {
        SplitBorders borders = new SplitBorders(object.length(), targetLength);
        long frame = 0;
        for (long i = 0; i < table.frames() && frame <= table.offset(); i++) {
            if (frame >= borders.wished()) {
                borders.cut(frame);
            }
            frame += table.nextLength();
        }
        return frame == table.offset() ? borders.end() : null;
    }

    /** First offset at which the current split may end. */
    private long wished() {
        return from + target;
    }

    private void cut(long offset) {
        ranges.add(new ByteRange(from, offset));
        from = offset;
    }

    private List<ByteRange> end() {
        ranges.add(new ByteRange(from, length));
        return List.copyOf(ranges);
    }
}
