package io.chimera.faults.sim.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.replica.ReplicaSource;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;

/**
 * Replicas of the source of a job, in half of the runs. One of them has faults at times; the others have the right
 * objects always, and fail only as a source without replicas does. One thread.
 */
final class SimReplicas {
    /** Time of a read at a slow replica; other reads take no time. */
    private static final long SLOW_NS = 200_000_000;

    private static final byte[] ADDED_LINE = "1700000000000000000,h0,1.5\n".getBytes(UTF_8);

    private final Clock clock;
    private final int count;
    private final int faulty;
    private final boolean hasChecksums;
    private final Map<Event, Integer> seen = new TreeMap<>();
    private Optional<Fault> fault = Optional.empty();
    private boolean hasReturned;

    /** Fault of a replica. */
    enum Fault {
        /** No connection. */
        AWAY(Event.AWAY),
        /** Each read takes long. */
        SLOW(Event.SLOW),
        /** Each object has a further line. */
        OTHER_LENGTH(Event.OTHER_LENGTH),
        /** Each value is another one; the lengths are the same. */
        OTHER_BYTES(Event.OTHER_BYTES);

        private final Event event;

        Fault(Event event) {
            this.event = event;
        }
    }

    /** Effect of a fault, or of its end, on a job. */
    private enum Event {
        AWAY,
        SLOW,
        OTHER_LENGTH,
        OTHER_BYTES,
        /** A read succeeds after a fault. */
        RETURNED;

        private String label() {
            return "replica-" + name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Clock of a process whose reads take time; the time of the simulation does not move within an event. */
    private static final class ReadingClock implements Clock {
        private final Clock clock;
        private long readingNs;

        ReadingClock(Clock clock) {
            this.clock = clock;
        }

        @Override
        public long nanoTime() {
            return clock.nanoTime() + readingNs;
        }

        @Override
        public long epochNs() {
            return clock.epochNs() + readingNs;
        }
    }

    SimReplicas(SplittableRandom random, Clock clock) {
        this.clock = clock;
        count = random.nextBoolean() ? 1 : 2 + random.nextInt(2);
        faulty = random.nextInt(count);
        hasChecksums = random.nextBoolean();
    }

    /** Returns whether the source has replicas. */
    boolean exist() {
        return count > 1;
    }

    /** Returns how often each event took place, by its label. */
    Map<String, Integer> seen() {
        Map<String, Integer> byLabel = new TreeMap<>();
        seen.forEach((event, times) -> byLabel.put(event.label(), times));
        return byLabel;
    }

    /**
     * Begins a fault.
     *
     * @param isPlanned whether the job has its plan. Without a checksum, a list does not show that bytes differ, and
     *     the rows of the job would depend on the replicas
     */
    void begin(Fault next, boolean isPlanned) {
        if (next != Fault.OTHER_BYTES || hasChecksums || isPlanned) {
            fault = Optional.of(next);
        }
    }

    /** Ends the fault. */
    void end() {
        hasReturned |= fault.isPresent();
        fault = Optional.empty();
    }

    /** Returns a source as a process reads it: the source itself, or all replicas. */
    DataSource open(SimDataSource source) {
        if (!exist()) {
            return source;
        }
        ReadingClock time = new ReadingClock(clock);
        return ReplicaSource.of(
                IntStream.range(0, count)
                        .mapToObj(number -> new Replica(number, source, time))
                        .toList(),
                time);
    }

    private void note(Event event) {
        seen.merge(event, 1, Integer::sum);
    }

    /** Returns objects with the same lengths, and another value in each line. */
    static byte[] otherBytes(byte[] bytes) {
        byte[] other = bytes.clone();
        for (int i = 1; i < other.length; i++) {
            if (bytes[i - 1] == ',' && bytes[i] >= '0' && bytes[i] <= '9') {
                other[i] = (byte) (bytes[i] == '9' ? '8' : bytes[i] + 1);
            }
        }
        return other;
    }

    private static byte[] otherLength(byte[] bytes) {
        ByteArrayOutputStream other = new ByteArrayOutputStream();
        other.writeBytes(bytes);
        other.writeBytes(ADDED_LINE);
        return other.toByteArray();
    }

    private final class Replica implements DataSource {
        private final int number;
        private final SimDataSource source;
        private final ReadingClock time;

        Replica(int number, SimDataSource source, ReadingClock time) {
            this.number = number;
            this.source = source;
            this.time = time;
        }

        @Override
        public String place() {
            return source.place() + number;
        }

        private boolean has(Fault one) {
            return number == faulty && fault.filter(one::equals).isPresent();
        }

        private void check() throws SourceException {
            if (has(Fault.AWAY)) {
                note(Event.AWAY);
                throw new SourceException(SourceFault.UNREACHABLE, place() + " is away");
            }
        }

        private byte[] content(String path) {
            byte[] bytes = source.content(path);
            return has(Fault.OTHER_BYTES) ? otherBytes(bytes) : has(Fault.OTHER_LENGTH) ? otherLength(bytes) : bytes;
        }

        private boolean isOther() {
            return has(Fault.OTHER_BYTES) || has(Fault.OTHER_LENGTH);
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            check();
            if (isOther()) {
                fault.ifPresent(other -> note(other.event));
            }
            return source.list(pattern).stream()
                    .map(object -> object(object.path(), content(object.path())))
                    .toList();
        }

        private DataObject object(String path, byte[] bytes) {
            CRC32C crc = new CRC32C();
            crc.update(bytes);
            return new DataObject(
                    path,
                    bytes.length,
                    new ObjectVersion(
                            number + "-" + Arrays.hashCode(bytes),
                            hasChecksums
                                    ? new Checksum(Checksum.Algorithm.CRC32C, Long.toHexString(crc.getValue()))
                                    : Checksum.NONE));
        }

        /** Like a server, compares the version only if the request names one. */
        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            check();
            source.check(object);
            byte[] bytes = content(object.path());
            String tag = object.version().tag();
            boolean isSame = tag.isEmpty()
                    || tag.equals(object(object.path(), bytes).version().tag());
            if (!isSame || bytes.length != object.length()) {
                fault.ifPresent(other -> note(other.event));
                throw new SourceException(SourceFault.CHANGED, object.path() + " is another one at " + place());
            }
            if (has(Fault.SLOW)) {
                note(Event.SLOW);
                time.readingNs += SLOW_NS;
            } else if (number == faulty && fault.isEmpty() && hasReturned) {
                note(Event.RETURNED);
            }
            into.put(bytes, (int) offset, into.remaining());
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
