package io.chimera.common.wire;

import io.chimera.api.HotPath;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a pipeline groups by, taken from a series: the metric and all tags, only those named ({@code by}), or all but
 * those named ({@code without}). The pipeline is sharded by the hash of it, so a group always meets in one processor. A
 * group key has the form of a series' key with the tags that are left. Not thread-safe; allocates nothing.
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

    /** Groups by metric and all tags. */
    public static GroupKey all() {
        return new GroupKey(Choice.ALL, List.of());
    }

    /** Groups by metric and the named tags; a point that lacks one is grouped with the others that lack it. */
    public static GroupKey by(List<String> tagNames) {
        return new GroupKey(Choice.BY, tagNames);
    }

    /** Groups by metric and all tags but the named ones. */
    public static GroupKey without(List<String> tagNames) {
        return new GroupKey(Choice.WITHOUT, tagNames);
    }

    /**
     * Groups as a pipeline's configuration says.
     *
     * @param by tags to group by, or empty
     * @param without tags to leave out, or empty; one of the two lists is empty
     */
    public static GroupKey of(List<String> by, List<String> without) {
        if (!by.isEmpty()) {
            return by(by);
        }
        return without.isEmpty() ? all() : without(without);
    }

    /** Takes the group key of a series; the accessors then speak of it until the next call. */
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

    /** Buffer that holds the group key: the definition's own or this object's. */
    public DirectBuffer buffer() {
        return buffer;
    }

    /** Index of its first byte. */
    public int offset() {
        return offset;
    }

    /** Its length in bytes. */
    public int length() {
        return length;
    }

    /** Number of tags in it. */
    public int tagCount() {
        return tagCount;
    }

    /** {@link SeriesHash} of it. */
    public long hash() {
        return hash;
    }
}
