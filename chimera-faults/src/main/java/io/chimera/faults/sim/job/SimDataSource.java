package io.chimera.faults.sim.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.dataset.format.ByteRange;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Objects of a data set in memory, with bytes that cannot be read, and reads that fail now and then. */
final class SimDataSource implements DataSource {
    private static final long WINDOW_NS = 1_000_000_000L;
    private static final long START_NS = 1_700_000_000L * WINDOW_NS;

    /** One line of so many has no time, and is rejected. */
    private static final int LINES_PER_REJECT = 12;

    private final SortedMap<String, byte[]> objects;
    private final SourceDefects defects;

    /**
     * Defects of a view of the objects.
     *
     * @param badAt offset of a damaged byte, by object
     * @param fails whether the next read fails for now
     * @param hides whether the objects seem to be missing
     */
    private record SourceDefects(SortedMap<String, Integer> badAt, BooleanSupplier fails, BooleanSupplier hides) {}

    private SimDataSource(SortedMap<String, byte[]> objects, SourceDefects defects) {
        this.objects = objects;
        this.defects = defects;
    }

    /** Creates a data set of CSV objects; the values' sums depend on the order of addition. */
    static SimDataSource draw(SplittableRandom random) {
        SortedMap<String, byte[]> objects = new TreeMap<>();
        int count = 1 + random.nextInt(3);
        for (int object = 0; object < count; object++) {
            objects.put("part" + object + ".csv", text(random, 20 + random.nextInt(120)));
        }
        return new SimDataSource(objects, new SourceDefects(new TreeMap<>(), () -> false, () -> false));
    }

    /**
     * Returns the same objects; a byte of the first one, if there are several, is damaged. Only the reader of its own
     * split notices it, however long the reads are.
     */
    SimDataSource withBadByte(SplittableRandom random) {
        SortedMap<String, Integer> badAt = new TreeMap<>();
        if (objects.size() > 1) {
            String first = objects.firstKey();
            badAt.put(first, random.nextInt(objects.get(first).length));
        }
        return new SimDataSource(objects, new SourceDefects(badAt, defects.fails(), defects.hides()));
    }

    private static byte[] text(SplittableRandom random, int lines) {
        StringBuilder text = new StringBuilder("time,host,value\n");
        for (int line = 0; line < lines; line++) {
            text.append(random.nextInt(LINES_PER_REJECT) == 0 ? "at " : "")
                    .append(START_NS + random.nextInt(8) * WINDOW_NS + line)
                    .append(",h")
                    .append(random.nextInt(3))
                    .append(',')
                    .append(random.nextInt(1_000_000) / 997.0)
                    .append('\n');
        }
        return text.toString().getBytes(UTF_8);
    }

    /** Returns the same objects with reads that fail. */
    SimDataSource failing(BooleanSupplier when) {
        return new SimDataSource(objects, new SourceDefects(defects.badAt(), when, defects.hides()));
    }

    /** Returns the same objects as a worker sees them that finds none of them at times. */
    SimDataSource hidden(BooleanSupplier when) {
        return new SimDataSource(objects, new SourceDefects(defects.badAt(), defects.fails(), when));
    }

    /** Returns an earlier version of the objects: the same lengths, other values. */
    SimDataSource earlierVersion() {
        SortedMap<String, byte[]> earlier = new TreeMap<>();
        objects.forEach((path, bytes) -> earlier.put(path, SimReplicas.otherBytes(bytes)));
        return new SimDataSource(earlier, defects);
    }

    /** Returns the bytes of an object. */
    byte[] content(String path) {
        return objects.get(path);
    }

    /** Adds an object, as a user may do while a job runs. */
    void add(String name, SplittableRandom random) {
        objects.put(name, text(random, 50));
    }

    /** Returns the number of events. */
    long events() {
        return objects.values().stream()
                .mapToLong(bytes -> new String(bytes, UTF_8).lines().count() - 1)
                .sum();
    }

    /** Returns whether a split has the damaged byte. */
    boolean isBad(String path, ByteRange range) {
        long badAt = defects.badAt().getOrDefault(path, -1);
        return badAt >= range.from() && badAt < range.to();
    }

    @Override
    public String place() {
        return "memory";
    }

    @Override
    public List<DataObject> list(String pattern) {
        return objects.entrySet().stream()
                .map(object -> new DataObject(
                        object.getKey(),
                        object.getValue().length,
                        new ObjectVersion(Integer.toHexString(Arrays.hashCode(object.getValue())), Checksum.NONE)))
                .toList();
    }

    /** Fails if a read fails now. */
    void check(DataObject object) throws SourceException {
        if (defects.hides().getAsBoolean()) {
            throw new SourceException(SourceFault.NOT_FOUND, object.path() + " is missing");
        }
        if (defects.fails().getAsBoolean()) {
            throw new SourceException(SourceFault.UNREACHABLE, object.path() + " cannot be read now");
        }
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        check(object);
        into.put(content(object.path()), (int) offset, into.remaining());
    }

    @Override
    public void close() {
        // nothing is open
    }
}
