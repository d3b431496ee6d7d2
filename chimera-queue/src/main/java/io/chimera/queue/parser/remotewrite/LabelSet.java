package io.chimera.queue.parser.remotewrite;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.Utf8;
import java.util.Arrays;

/**
 * Labels of one series, as ranges of the request body. The label {@code __name__} is the metric, all others are tags.
 * Not thread-safe; allocates nothing.
 */
final class LabelSet {
    /** Tags of a point, and the metric. */
    private static final int LABELS_MAX = PointSink.TAGS_MAX + 1;

    /** Maximum length of a name or value: the limit of the sink is 64 KiB. */
    static final int TEXT_LENGTH_MAX = BodyLayout.TEXT_LENGTH_MAX - 1;

    private static final byte[] NAME = {'_', '_', 'n', 'a', 'm', 'e', '_', '_'};
    private static final int NONE = -1;

    private final int[] nameOffsets = new int[LABELS_MAX];
    private final int[] nameLengths = new int[LABELS_MAX];
    private final int[] valueOffsets = new int[LABELS_MAX];
    private final int[] valueLengths = new int[LABELS_MAX];

    private byte[] bytes;
    private int count;
    private int metric;
    private int textLength;
    private RemoteWriteError error;

    /** Whether the texts of the series were checked, which a series with many samples needs only once. */
    private boolean isChecked;

    LabelSet() {}

    /** Begins the labels of a series in an array. */
    @HotPath
    void open(byte[] source) {
        if (bytes != source) {
            bytes = source; // conditional, because writing a reference costs a GC barrier
        }
        count = 0;
        metric = NONE;
        textLength = 0;
        error = null;
        isChecked = false;
    }

    void release() {
        bytes = null;
        count = 0;
    }

    /** Returns whether a range is the name of the label with the metric. */
    @HotPath
    static boolean isMetric(byte[] source, int offset, int length) {
        return length == NAME.length && Arrays.equals(source, offset, offset + length, NAME, 0, length);
    }

    /** Adds a label, unless the label is a defect. The limits keep the sum of the lengths far below 2 GiB. */
    @HotPath
    void add(int nameOffset, int nameLength, int valueOffset, int valueLength) {
        if (count == LABELS_MAX) {
            fail(RemoteWriteError.TOO_MANY_LABELS);
            return;
        }
        if (nameLength > TEXT_LENGTH_MAX
                || valueLength > TEXT_LENGTH_MAX
                || textLength + nameLength + valueLength > BodyLayout.LENGTH_MAX) {
            fail(RemoteWriteError.TOO_LONG);
            return;
        }
        if (isMetric(bytes, nameOffset, nameLength)) {
            metric = count;
        }
        nameOffsets[count] = nameOffset;
        nameLengths[count] = nameLength;
        valueOffsets[count] = valueOffset;
        valueLengths[count] = valueLength;
        textLength += nameLength + valueLength;
        count++;
    }

    /** Records a defect; the first defect of a series wins. */
    void fail(RemoteWriteError newError) {
        if (error == null) {
            error = newError;
        }
    }

    /** Total length of names and values. */
    int textLength() {
        return textLength;
    }

    /** Index of the first byte of the metric; 0 without a metric. */
    int metricOffset() {
        return metric == NONE ? 0 : valueOffsets[metric];
    }

    /** Length of the metric in bytes; 0 without a metric. */
    int metricLength() {
        return metric == NONE ? 0 : valueLengths[metric];
    }

    /** Returns the defect of the labels; null for none. Reads the texts once per series. */
    @HotPath
    RemoteWriteError check() {
        if (error == null && !isChecked) {
            isChecked = true;
            error = defect();
        }
        return error;
    }

    private RemoteWriteError defect() {
        if (metricLength() == 0) {
            return RemoteWriteError.NO_METRIC;
        }
        for (int i = 0; i < count; i++) {
            if (nameLengths[i] == 0 || valueLengths[i] == 0) {
                return RemoteWriteError.EMPTY_LABEL;
            }
            if (!isText(nameOffsets[i], nameLengths[i]) || !isText(valueOffsets[i], valueLengths[i])) {
                return RemoteWriteError.NOT_UTF8;
            }
        }
        return hasDuplicate() ? RemoteWriteError.DUPLICATE_LABEL : null;
    }

    /** Compares neighbours, because senders sort their labels, and only then all pairs. */
    private boolean hasDuplicate() {
        boolean isSorted = true;
        for (int i = 1; i < count; i++) {
            isSorted &= compareNames(i - 1, i) < 0;
        }
        for (int i = 1; i < count && !isSorted; i++) {
            for (int j = 0; j < i; j++) {
                if (compareNames(j, i) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private int compareNames(int one, int other) {
        return Arrays.compareUnsigned(
                bytes,
                nameOffsets[one],
                nameOffsets[one] + nameLengths[one],
                bytes,
                nameOffsets[other],
                nameOffsets[other] + nameLengths[other]);
    }

    private boolean isText(int offset, int length) {
        return Utf8.isValid(bytes, offset, offset + length);
    }

    /** Passes metric and tags to a sink; only for labels without a defect. */
    @HotPath
    void writeTo(PointSink sink) {
        sink.metric(bytes, valueOffsets[metric], valueLengths[metric]);
        for (int i = 0; i < count; i++) {
            if (i != metric) {
                sink.tag(bytes, nameOffsets[i], nameLengths[i], bytes, valueOffsets[i], valueLengths[i]);
            }
        }
    }

    /**
     * Writes the labels as {@code metric{name="value",...}}, for a dead letter. The text ends early at the end of the
     * target.
     *
     * @return length of the text
     */
    int render(byte[] target) {
        int at = metric == NONE ? 0 : append(target, 0, valueOffsets[metric], valueLengths[metric]);
        at = append(target, at, '{');
        boolean isFirst = true;
        for (int i = 0; i < count; i++) {
            if (i != metric) {
                at = isFirst ? at : append(target, at, ',');
                at = append(target, at, nameOffsets[i], nameLengths[i]);
                at = append(target, append(target, at, '='), '"');
                at = append(target, append(target, at, valueOffsets[i], valueLengths[i]), '"');
                isFirst = false;
            }
        }
        return append(target, at, '}');
    }

    private static int append(byte[] target, int at, char c) {
        if (at == target.length) {
            return at;
        }
        target[at] = (byte) c;
        return at + 1;
    }

    private int append(byte[] target, int at, int offset, int length) {
        int copied = Math.min(length, target.length - at);
        System.arraycopy(bytes, offset, target, at, copied);
        return at + copied;
    }
}
