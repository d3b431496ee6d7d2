package io.chimera.dataset.copy;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;

/**
 * A far source with copies nearby, for one job. A read takes the blocks with a copy from there, and the others from the
 * far source: as {@link DataSource} itself with whole blocks, which are copied at the same time; as {@link #streaming}
 * without copying. The bytes are the same in any case. An object without a version is never copied, because a later
 * object with the same name and length could not be told apart. The copies that the job has used stay until its end,
 * see {@link CopyUses}; once they fill the room, the other bytes come from the source and are not copied.
 *
 * <p>Owns neither the source nor the store. Any thread.
 */
public final class CopySource implements DataSource {
    private static final String NO_VERSION =
            "the source tells no version (ETag, time of change) of some objects, so they are not copied";

    private final DataSource far;
    private final String credentials;
    private final CopyStore store;
    private final CopyUses uses;
    private final CopyCounts counts;
    private final int blockBytes;
    private final int blocksPerFile;

    /** Blocks that a thread fetches now. */
    private final ConcurrentMap<Block, CompletableFuture<Void>> underWay = new ConcurrentHashMap<>();

    /** A block of an object: its place, and its range in the object. */
    private record Block(CopyPlace place, int number, long offset, int length) {}

    /**
     * Wraps a source.
     *
     * @param far the source
     * @param credentials name of the credentials of the source; empty without a name
     * @param store the copies
     * @param clock time of writes
     */
    public CopySource(DataSource far, String credentials, CopyStore store, Clock clock) {
        this.far = far;
        this.credentials = credentials;
        this.store = store;
        uses = store.begin();
        counts = new CopyCounts(clock);
        blockBytes = store.limits().blockBytes();
        blocksPerFile = CopyFile.blocksPerFile(blockBytes);
    }

    /** Returns the length of a block in bytes. */
    public int blockBytes() {
        return blockBytes;
    }

    /** Returns the use of copies so far. */
    public CopyTotals totals() {
        return counts.totals();
    }

    @Override
    public String place() {
        return far.place();
    }

    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        return far.list(pattern);
    }

    /** {@inheritDoc} Blocks without a copy are read as a whole, and copied. */
    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        read(object, offset, into, true);
    }

    /** Returns the source with the same copies, without making further ones; closed by nobody. */
    public DataSource streaming() {
        return new Streaming();
    }

    /** Reads blocks with a copy nearby, and other ranges as they are asked for. */
    private final class Streaming implements DataSource {
        @Override
        public String place() {
            return far.place();
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            return far.list(pattern);
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            CopySource.this.read(object, offset, into, false);
        }

        @Override
        public void close() {
            // the outer source has the resources
        }
    }

    /**
     * Returns the number of bytes of a range with a copy.
     *
     * @param object the object
     * @param from offset of the first byte
     * @param to offset after the last byte
     */
    public long copied(DataObject object, long from, long to) {
        long copied = 0;
        for (Block block : blocks(object, from, to, true)) {
            copied += Math.min(to, block.offset() + block.length()) - Math.max(from, block.offset());
        }
        return copied;
    }

    /**
     * Returns the offsets of the blocks without a copy that have bytes of a range; none for an object that is never
     * copied.
     *
     * @param object the object
     * @param from offset of the first byte
     * @param to offset after the last byte
     */
    public List<Long> missing(DataObject object, long from, long to) {
        return blocks(object, from, to, false).stream().map(Block::offset).toList();
    }

    private List<Block> blocks(DataObject object, long from, long to, boolean haveCopy) {
        List<Block> blocks = new ArrayList<>();
        if (!CopyId.isVersioned(object)) {
            return blocks;
        }
        String name = name(object);
        CopyPlace looked = null;
        BitSet arrived = new BitSet();
        for (long offset = from - from % blockBytes; offset < to; offset += blockBytes) {
            Block block = block(name, object, offset);
            if (!block.place().equals(looked)) {
                looked = block.place();
                arrived = store.exists(looked) && uses.use(looked) ? store.arrived(looked) : new BitSet();
            }
            if (arrived.get(block.number()) == haveCopy) {
                blocks.add(block);
            }
        }
        return blocks;
    }

    /**
     * Copies a block, unless it has a copy.
     *
     * @param object the object
     * @param offset offset of the block in the object, from {@link #missing}
     * @return whether the block has a copy now; false when there is no room
     * @throws SourceException when the far source fails
     */
    public boolean copy(DataObject object, long offset) throws SourceException {
        Block block = block(name(object), object, offset);
        if (hasCopy(block)) {
            return true;
        }
        Optional<String> refusal = refusal(block);
        if (refusal.isPresent()) {
            counts.notKept(block.length(), refusal.get());
            return false; // without a read: nobody would use the bytes
        }
        ByteBuffer bytes = ByteBuffer.allocate(block.length());
        fetch(object, block, 0, bytes);
        return hasCopy(block);
    }

    private boolean hasCopy(Block block) {
        return store.exists(block.place())
                && uses.use(block.place())
                && store.arrived(block.place()).get(block.number());
    }

    private String name(DataObject object) {
        return new CopyId(far.place(), credentials, object, blockBytes).name();
    }

    private Block block(String name, DataObject object, long at) {
        long number = at / blockBytes;
        long offset = number * blockBytes;
        return new Block(new CopyPlace(name, number / blocksPerFile), (int) (number % blocksPerFile), offset, (int)
                Math.min(blockBytes, object.length() - offset));
    }

    // Reads

    private void read(DataObject object, long offset, ByteBuffer into, boolean isCopying) throws SourceException {
        if (!CopyId.isVersioned(object)) {
            if (isCopying) {
                counts.notKept(into.remaining(), NO_VERSION);
            }
            far.read(object, offset, into);
            return;
        }
        String name = name(object);
        long at = offset;
        int end = into.limit();
        while (into.position() < end) {
            Block block = block(name, object, at);
            int from = (int) (at - block.offset());
            int length = Math.min(end - into.position(), block.length() - from);
            if (length <= 0) {
                throw new IllegalArgumentException("read at " + at + " of " + object.path() + " with " + object.length()
                        + " bytes; expected a range within the object");
            }
            ByteBuffer part = into.slice(into.position(), length);
            if (isCopying) {
                fetch(object, block, from, part);
            } else if (!readCopy(block, from, part)) {
                far.read(object, at, part);
            }
            into.position(into.position() + length);
            at += length;
        }
    }

    /**
     * Reads a part of a block from its copy, or reads and copies the block. A second reader awaits the first one, and
     * takes over if that one fails.
     */
    private void fetch(DataObject object, Block block, int from, ByteBuffer part) throws SourceException {
        while (!readCopy(block, from, part)) {
            Optional<String> refusal = refusal(block);
            if (refusal.isPresent()) {
                counts.notKept(part.remaining(), refusal.get());
                far.read(object, block.offset() + from, part);
                return;
            }
            CompletableFuture<Void> mine = new CompletableFuture<>();
            CompletableFuture<Void> others = underWay.putIfAbsent(block, mine);
            if (others == null) {
                fetch(object, block, from, part, mine);
                return;
            }
            await(others);
        }
    }

    private void fetch(DataObject object, Block block, int from, ByteBuffer part, CompletableFuture<Void> mine)
            throws SourceException {
        try {
            if (!readCopy(block, from, part)) { // copied since the first look
                fetchWhole(object, block, from, part);
            }
        } finally {
            underWay.remove(block);
            mine.complete(null);
        }
    }

    /** Reads and copies a block. Of a block that cannot be read as a whole, the asked part alone is read. */
    private void fetchWhole(DataObject object, Block block, int from, ByteBuffer part) throws SourceException {
        part.rewind();
        boolean isWhole = part.remaining() == block.length();
        ByteBuffer whole = isWhole ? part.duplicate() : ByteBuffer.allocate(block.length());
        try {
            far.read(object, block.offset(), whole);
        } catch (SourceException e) {
            if (isWhole || !e.fault().mayConcernObjectAlone()) {
                throw e;
            }
            counts.notKept(part.remaining(), "some blocks cannot be read as a whole: " + e.getMessage());
            far.read(object, block.offset() + from, part); // the bad range may belong to another split
            return;
        }
        write(block, whole.flip());
        if (isWhole) {
            part.position(part.limit());
        } else {
            part.put(whole.slice(from, part.remaining()));
        }
    }

    /** Returns why a block would not be kept now. */
    private Optional<String> refusal(Block block) throws SourceException {
        try {
            return store.refusal(block.length());
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        }
    }

    private static void await(CompletableFuture<Void> others) throws SourceException {
        try {
            others.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw interrupted(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of a read has no failure", e);
        }
    }

    private boolean readCopy(Block block, int from, ByteBuffer part) throws SourceException {
        if (!store.exists(block.place()) || !uses.use(block.place())) {
            return false;
        }
        try {
            CopyFile.Found found = store.read(block.place(), block.number(), block.length(), from, part);
            if (found == CopyFile.Found.SOUND) {
                counts.read(part.limit());
                return true;
            }
            if (found == CopyFile.Found.DAMAGED) {
                counts.damaged();
            }
            part.rewind();
            return false;
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        }
    }

    private void write(Block block, ByteBuffer whole) throws SourceException {
        if (!uses.use(block.place())) {
            counts.notKept(whole.remaining(), "");
            return;
        }
        int written = 0;
        counts.beginWrite();
        try {
            Optional<String> refusal = store.write(block.place(), block.number(), whole);
            if (refusal.isPresent()) {
                counts.notKept(whole.remaining(), refusal.get());
            } else {
                written = whole.remaining();
            }
        } catch (InterruptedIOException e) {
            throw interrupted(e);
        } finally {
            counts.endWrite(written);
        }
    }

    private static SourceException interrupted(Exception cause) {
        return new SourceException(SourceFault.UNREACHABLE, "the read of a copy was interrupted", Duration.ZERO, cause);
    }

    /** Ends the use of the copies: later reads go to the far source. */
    @Override
    public void close() {
        uses.close();
    }
}
