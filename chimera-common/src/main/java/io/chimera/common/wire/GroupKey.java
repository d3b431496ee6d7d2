package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Extracts the group key of a pipeline from a series: the metric and all tags, only the tags listed in {@code by}, or
 * all tags except those listed in {@code without}. The pipeline is sharded by the hash of the group key, so all records
 * of a group arrive at one processor. A group key has the format of a series key with the selected tags. Not
 * thread-safe; allocates nothing.
 */
public final class GroupKey {
    private enum Choice {
        ALL,
        BY,
        WITHOUT
    }

    private final Choice choice;
    private final UnsafeBuffer[] names;
    private final UnsafeBuffer copy;

    private DirectBuffer buffer;
    private int offset;
    private int length;
    private int tagCount;
    private long hash;

    private GroupKey(Choice choice, List<String> tagNames) {
        this.choice = choice;
        names = tagNames.stream()
                .map(name -> new UnsafeBuffer(name.getBytes(StandardCharsets.UTF_8)))
                .toArray(UnsafeBuffer[]::new);
        copy = new UnsafeBuffer(new byte[choice == Choice.ALL ? 0 : BodyLayout.LENGTH_MAX]);
    }

    /** Creates a group key of the metric and all tags. */
    public static GroupKey all() {
        return new GroupKey(Choice.ALL, List.of());
    }

    /** Creates a group key of the metric and the named tags. Points without a named tag form a group of their own. */
    public static GroupKey by(List<String> tagNames) {
        return new GroupKey(Choice.BY, tagNames);
    }

    /** Creates a group key of the metric and all tags except the named tags. */
    public static GroupKey without(List<String> tagNames) {
        return new GroupKey(Choice.WITHOUT, tagNames);
    }

    /**
     * Creates the group key of a pipeline's configuration. At most one of the two lists is non-empty.
     *
     * @param by tags to group by, or empty
     * @param without tags to leave out, or empty
     */
    public static GroupKey of(List<String> by, List<String> without) {
        if (!by.isEmpty()) {
            return by(by);
        }
        return without.isEmpty() ? all() : without(without);
    }

    /** Extracts the group key of a series; the accessors describe this group key until the next call. */
    @HotPath
    public void of(SeriesFlyweight series) {
        if (choice == Choice.ALL) {
            buffer = series.buffer();
            offset = series.keyOffset();
            length = series.keyLength();
            tagCount = series.tagCount();
            hash = series.keyHash();
        } else {
            select(series);
        }
    }

    private void select(SeriesFlyweight series) {
        DirectBuffer source = series.buffer();
        int position = 2 + series.sizeAt(series.metric());
        copy.putBytes(0, source, series.metric(), position);
        int tag = series.firstTag();
        tagCount = 0;
        for (int i = series.tagCount(); i > 0; i--) {
            int next = series.nextTag(tag);
            if (isNamed(source, tag, series.sizeAt(tag)) == (choice == Choice.BY)) {
                copy.putBytes(position, source, tag, next - tag);
                position += next - tag;
                tagCount++;
            }
            tag = next;
        }
        buffer = copy;
        offset = 0;
        length = position;
        hash = SeriesHash.of(copy, 0, position);
    }

    private boolean isNamed(DirectBuffer source, int tag, int size) {
        for (UnsafeBuffer name : names) {
            if (name.capacity() == size && startsWith(source, tag + 2, name, size)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(DirectBuffer source, int position, UnsafeBuffer name, int size) {
        for (int i = 0; i < size; i++) {
            if (source.getByte(position + i) != name.getByte(i)) {
                return false;
            }
        }
        return true;
    }

    /** Buffer of the group key: either the buffer of the series definition or an internal copy. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Index of the group key's first byte. */
    public int offset() {
        return offset;
    }

    /** Length of the group key in bytes. */
    public int length() {
        return length;
    }

    /** Number of tags in the group key. */
    public int tagCount() {
        return tagCount;
    }

    /** {@link SeriesHash} of the group key. */
    public long hash() {
        return hash;
    }
}
