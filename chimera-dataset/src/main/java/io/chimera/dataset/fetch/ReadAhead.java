package io.chimera.dataset.fetch;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.format.ObjectBytes;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Bytes of an object, requested ahead of the reader: as many ranges are under way as the rate times the round trip asks
 * for, so that a far source is as fast as a near one. Ahead of the reader are only bytes of the split; bytes before and
 * after it are requested in small ranges, when the reader asks for them. Once all bytes of the split are requested, the
 * ranges that are left are for a {@link Successor}, and so is their memory: reader and successor together use the
 * memory of one {@link Depth}, and 64 KiB on each side of the split. One thread at a time.
 */
public final class ReadAhead implements ObjectBytes, AutoCloseable {
    /** Length of a range outside the split: a header, and the rest of the last event, are mostly short. */
    private static final int OUTSIDE_LENGTH = 64 << 10;

    private final DataSource source;
    private final DataObject object;
    private final Reception reception;
    private final ByteRange split;
    private final Depth depth;

    private Successor successor = Successor.NONE;

    /** Whether the last byte of the split is requested. */
    private boolean isRequested;

    /** Range before the split, if the reader asked for one. */
    private Optional<Range> before = Optional.empty();

    /** Requested ranges without gaps, in the order of their offsets. */
    private final Deque<Range> ranges = new ArrayDeque<>();

    /** Buffers of the common length for reuse; none once the successor has requested bytes. */
    private final Deque<ByteBuffer> idle = new ArrayDeque<>();

    /**
     * Ranges under way for a reader.
     *
     * @param rangeLength length of a range in bytes, at least 1
     * @param ranges maximum number of ranges, received ones that are not read yet included; at least 1
     * @param isAligned whether ranges ahead of the reader end at multiples of their length, so that each is a whole
     *     block of a copy
     */
    public record Depth(int rangeLength, int ranges, boolean isAligned) {
        /** Eight ranges of 1 MiB. */
        public static final Depth DEFAULT = new Depth(1 << 20, 8);

        /** Memory of a reader for blocks of copies, as far as the bounds of their number permit. */
        private static final int BLOCKS_BYTES = 8 << 20;

        private static final int BLOCKS_MIN = 4;
        private static final int BLOCKS_MAX = 32;

        /**
         * Checks the values.
         *
         * @param rangeLength at least 1
         * @param ranges at least 1
         */
        public Depth {
            if (rangeLength < 1 || ranges < 1) {
                throw new IllegalArgumentException(
                        ranges + " ranges of " + rangeLength + " bytes; expected at least one of each");
            }
        }

        /** Creates a depth whose ranges begin where the reader begins. */
        public Depth(int rangeLength, int ranges) {
            this(rangeLength, ranges, false);
        }

        /** Returns a depth for blocks of copies: 8 MiB, but at least 4 blocks and at most 32. */
        public static Depth ofBlocks(int blockBytes) {
            return new Depth(blockBytes, Math.max(BLOCKS_MIN, Math.min(BLOCKS_MAX, BLOCKS_BYTES / blockBytes)), true);
        }

        /** Returns the wished length of a range at an offset. */
        private long lengthAt(long offset) {
            return isAligned ? rangeLength - offset % rangeLength : rangeLength;
        }
    }

    /** Reader of the following split, which may request bytes before this reader has ended. */
    @FunctionalInterface
    public interface Successor {
        /** Nobody follows. */
        Successor NONE = ranges -> {};

        /**
         * Requests bytes.
         *
         * @param ranges number of ranges that this reader does not need any more; increases to the end of the split
         */
        void request(int ranges);
    }

    private record Range(long offset, ByteBuffer bytes, Future<?> received) {
        private long end() {
            return offset + bytes.limit();
        }
    }

    /**
     * Creates a reader without any request and without a successor.
     *
     * @param source source of the object
     * @param object the object
     * @param split range to read ahead
     * @param depth ranges under way
     * @param reception receives the ranges
     */
    public ReadAhead(DataSource source, DataObject object, ByteRange split, Depth depth, Reception reception) {
        this.source = source;
        this.object = object;
        this.split = split;
        this.depth = depth;
        this.reception = reception;
    }

    /** Names the successor. */
    public void follow(Successor next) {
        successor = next;
    }

    /** Returns the memory of the ranges and of the idle buffers in bytes. */
    long memory() {
        return Stream.concat(Stream.concat(before.stream(), ranges.stream()).map(Range::bytes), idle.stream())
                .mapToLong(ByteBuffer::capacity)
                .sum();
    }

    /**
     * Requests the begin of the split before the first read.
     *
     * @param count number of ranges under way from now on; more than the depth counts as the depth
     */
    public void request(int count) {
        fill(split.from(), Math.min(count, depth.ranges()));
    }

    @Override
    public String path() {
        return object.path();
    }

    @Override
    public long length() {
        return object.length();
    }

    /** {@inheritDoc} The source refuses to read an object whose version is another one now. */
    @Override
    public Object contentKey() {
        return object;
    }

    @Override
    public int read(long offset, ByteBuffer into) throws IOException {
        if (offset >= object.length()) {
            return -1;
        }
        if (offset < split.from()) {
            return readBefore(offset, into);
        }
        seek(offset);
        fill(offset, depth.ranges());
        Range first = ranges.getFirst();
        Reception.await(first.received());
        ByteBuffer from = first.bytes().duplicate().position((int) (offset - first.offset()));
        int count = Math.min(from.remaining(), into.remaining());
        into.put(from.limit(from.position() + count));
        if (offset + count == first.end()) {
            release(ranges.removeFirst());
            if (offset + count < split.to()) { // bytes after the split are rarely needed twice
                fill(offset + count, depth.ranges());
            }
        }
        if (isRequested && ranges.size() < depth.ranges() && successor != Successor.NONE) {
            idle.clear(); // their memory is for the ranges of the successor
            successor.request(depth.ranges() - ranges.size());
        }
        return count;
    }

    /** Reads bytes before the split, such as a header, and keeps the bytes that are requested ahead. */
    private int readBefore(long offset, ByteBuffer into) throws IOException {
        if (before.isEmpty()
                || offset < before.get().offset()
                || offset >= before.get().end()) {
            before.ifPresent(ReadAhead::giveUp);
            ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(OUTSIDE_LENGTH, split.from() - offset));
            before = Optional.of(new Range(offset, bytes, reception.request(source, object, offset, bytes)));
        }
        Range range = before.get();
        Reception.await(range.received());
        ByteBuffer from = range.bytes().duplicate().position((int) (offset - range.offset()));
        int count = Math.min(from.remaining(), into.remaining());
        into.put(from.limit(from.position() + count));
        return count;
    }

    /** Drops the ranges before an offset, or all ranges if the offset is in none. */
    private void seek(long offset) {
        while (!ranges.isEmpty()
                && (ranges.getFirst().end() <= offset || ranges.getFirst().offset() > offset)) {
            release(ranges.removeFirst());
        }
    }

    /** Requests further ranges up to a number, the first one at an offset. */
    private void fill(long offset, int count) {
        long next = ranges.isEmpty() ? offset : ranges.getLast().end();
        while (next < object.length() && ranges.size() < count && (next < split.to() || ranges.isEmpty())) {
            long length = next < split.to()
                    ? Math.min(depth.lengthAt(next), split.to() - next)
                    : Math.min(OUTSIDE_LENGTH, object.length() - next);
            ByteBuffer bytes = next < split.to() ? buffer((int) length) : ByteBuffer.allocate((int) length);
            ranges.addLast(new Range(next, bytes, reception.request(source, object, next, bytes)));
            next += length;
            isRequested |= next == split.to();
        }
    }

    private ByteBuffer buffer(int length) {
        if (!idle.isEmpty()) {
            return idle.removeLast().clear().limit(length);
        }
        return ByteBuffer.allocate(depth.rangeLength()).limit(length);
    }

    private void release(Range range) {
        if (range.received().isDone()) {
            if (range.bytes().capacity() == depth.rangeLength()) {
                idle.addLast(range.bytes());
            }
        } else {
            range.received().cancel(true); // a late answer still writes into the buffer, so it is not used again
        }
    }

    /** Gives up all requests. */
    @Override
    public void close() {
        before.ifPresent(ReadAhead::giveUp);
        ranges.forEach(ReadAhead::giveUp);
        ranges.clear();
        idle.clear();
    }

    private static void giveUp(Range range) {
        range.received().cancel(true);
    }
}
