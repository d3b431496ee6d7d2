package io.chimera.dataset.source.replica;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Several sources with the same objects, read as one. Reads are spread so that the bytes under way are in proportion to
 * the measured rates. A read that fails goes to another replica at once, and the failed one rests for a while. A
 * replica that has not answered yet, or not since its rest, gets one read at a time. So without a healthy or resting
 * replica, further reads wait for these answers.
 *
 * <p>An object must have the same length at all replicas, and the same checksum where two replicas declare one of the
 * same kind. Its version names the version at each replica, so that each read is checked against the version of its
 * replica. A replica without versions is not used for objects with a version elsewhere.
 *
 * <p>Owns the sources. Any thread.
 */
public final class ReplicaSource implements DataSource {
    /** One of this many reads goes to the replica with the oldest use, so that its rate is measured again. */
    private static final int MEASURED_AGAIN = 64;

    /** Maximum number of remembered faults of single objects. */
    private static final int REFUSED_MAX = 10_000;

    private final List<Replica> replicas;
    private final ConcurrentMap<Refused, SourceException> refused = new ConcurrentHashMap<>();
    private final AtomicLong reads = new AtomicLong();

    /** Monitor of the begins and ends of reads; a read that waits for a probe waits here. */
    private final Object turns = new Object();

    /** An object that a replica does not have, or not in the listed version. */
    private record Refused(String place, String path) {}

    /** What the replicas say of an object. */
    private static final class Listed {
        private final Map<String, String> tags = new HashMap<>();
        private long length = -1;
        private Checksum checksum = Checksum.NONE;
        private String place = "";
    }

    private ReplicaSource(List<Replica> replicas) {
        this.replicas = replicas;
    }

    /**
     * Joins sources.
     *
     * @param sources sources with the same objects, at least one; the first one is the place for messages
     * @param clock time of reads
     * @return the only source itself, or all as one
     */
    public static DataSource of(List<? extends DataSource> sources, Clock clock) {
        if (sources.size() == 1) {
            return sources.get(0);
        }
        return new ReplicaSource(
                sources.stream().map(source -> new Replica(source, clock)).toList());
    }

    /** {@inheritDoc} The addresses of all replicas. */
    @Override
    public String place() {
        return replicas.stream().map(replica -> replica.source().place()).collect(Collectors.joining(", "));
    }

    // Lists

    /** {@inheritDoc} A replica that cannot be reached is left out, unless no replica can be reached. */
    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        SortedMap<String, Listed> all = new TreeMap<>();
        Optional<SourceException> failure = Optional.empty();
        int answered = 0;
        for (Replica replica : replicas) {
            long beganNs = replica.nowNs();
            try {
                for (DataObject object : replica.source().list(pattern)) {
                    add(all.computeIfAbsent(object.path(), path -> new Listed()), replica, object);
                }
                answered++;
            } catch (SourceException e) {
                boolean isAway = e.fault().isRetryable() || e.fault() == SourceFault.NOT_FOUND;
                if (!isAway || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                replica.failed(beganNs);
                failure = Optional.of(e);
            }
        }
        if (answered == 0 && failure.isPresent()) {
            throw failure.get();
        }
        List<DataObject> objects = new ArrayList<>();
        all.forEach((path, listed) -> objects.add(new DataObject(
                path, listed.length, new ObjectVersion(new ReplicaTags(listed.tags).text(), listed.checksum))));
        return objects;
    }

    private static void add(Listed listed, Replica replica, DataObject object) throws SourceException {
        String place = replica.source().place();
        Checksum checksum = object.version().checksum();
        if (listed.length >= 0 && listed.length != object.length()) {
            throw new SourceException(
                    SourceFault.CHANGED,
                    object.path() + " has " + listed.length + " bytes at " + listed.place + ", and " + object.length()
                            + " at " + place + "; make the replicas equal, or remove one from source.replicas");
        }
        if (checksum.algorithm() == listed.checksum.algorithm() && !checksum.equals(listed.checksum)) {
            throw new SourceException(
                    SourceFault.CHECKSUM,
                    object.path() + " has different checksums at " + listed.place + " and " + place
                            + "; make the replicas equal, or remove one from source.replicas");
        }
        listed.length = object.length();
        listed.place = place;
        if (listed.checksum.equals(Checksum.NONE)) {
            listed.checksum = checksum;
        }
        if (!object.version().tag().isEmpty()) {
            listed.tags.put(place, object.version().tag());
        }
    }

    // Reads

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        Map<String, String> tags = ReplicaTags.parse(object.version().tag())
                .map(ReplicaTags::byPlace)
                .orElse(Map.of());
        int start = into.position();
        boolean isMeasuring = reads.incrementAndGet() % MEASURED_AGAIN == 0;
        Optional<SourceException> failure = Optional.empty();
        List<Replica> left = replicas(object, tags);
        while (!left.isEmpty()) {
            Replica.Begun read = begin(left, into.position(start).remaining(), failure.isEmpty(), isMeasuring);
            Replica.Outcome outcome = Replica.Outcome.NO_VERDICT;
            try {
                read.replica().source().read(at(read.replica(), object, tags), offset, into);
                outcome = Replica.Outcome.COMPLETED;
                return;
            } catch (SourceException e) {
                if (Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                outcome = outcome(read.replica(), object, e);
                boolean isBetter = failure.isEmpty() || e.fault().isRetryable();
                failure = isBetter ? Optional.of(e) : failure;
            } finally {
                end(read, outcome);
            }
            left.remove(read.replica());
        }
        throw failure.orElseGet(() -> refusal(object));
    }

    /** Returns why all replicas refused an object: the reason that the first read got. */
    private SourceException refusal(DataObject object) {
        for (Replica replica : replicas) {
            SourceException earlier = refused.get(new Refused(replica.source().place(), object.path()));
            if (earlier != null) {
                return new SourceException(earlier.fault(), String.valueOf(earlier.getMessage()));
            }
        }
        return new SourceException(
                SourceFault.NOT_FOUND,
                object.path() + " is at none of " + place() + " in the listed version; list the objects again");
    }

    /** Returns the replicas that may have an object. */
    private List<Replica> replicas(DataObject object, Map<String, String> tags) {
        List<Replica> list = new ArrayList<>();
        for (Replica replica : replicas) {
            String place = replica.source().place();
            boolean isListed = tags.isEmpty() || tags.containsKey(place);
            if (isListed && !refused.containsKey(new Refused(place, object.path()))) {
                list.add(replica);
            }
        }
        return list;
    }

    /** Begins a read at the best replica; waits while each replica is probed by other reads. */
    private Replica.Begun begin(List<Replica> left, int length, boolean isFirst, boolean isMeasuring)
            throws SourceException {
        synchronized (turns) {
            while (true) {
                Optional<Replica.Begun> begun = choose(left, length, isFirst, isMeasuring);
                if (begun.isPresent()) {
                    return begun.get();
                }
                try {
                    turns.wait();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new SourceException(
                            SourceFault.UNREACHABLE, "interrupted while other reads probed the replicas " + place());
                }
            }
        }
    }

    private void end(Replica.Begun read, Replica.Outcome outcome) {
        synchronized (turns) {
            read.replica().end(read, outcome);
            turns.notifyAll();
        }
    }

    /**
     * Begins a read at the best replica: a healthy one, then one without a trusted rate that no read tries now, then a
     * resting one. The first attempt of a read prefers a probe, so that each replica gets a rate.
     */
    private static Optional<Replica.Begun> choose(
            List<Replica> left, int length, boolean isFirst, boolean isMeasuring) {
        Optional<Replica.Begun> first = isFirst ? probe(left, length) : Optional.empty();
        return first.or(() -> share(left, Replica.Turn.SHARE, length, isMeasuring))
                .or(() -> probe(left, length))
                .or(() -> share(left, Replica.Turn.PAUSED, length, isMeasuring));
    }

    private static Optional<Replica.Begun> probe(List<Replica> left, int length) {
        for (Replica replica : left) {
            Optional<Replica.Begun> probe = replica.probe(length);
            if (probe.isPresent()) {
                return probe;
            }
        }
        return Optional.empty();
    }

    private static Optional<Replica.Begun> share(
            List<Replica> left, Replica.Turn turn, int length, boolean isMeasuring) {
        return left.stream()
                .filter(replica -> replica.turn() == turn)
                .min(Comparator.comparingDouble(replica -> isMeasuring ? -replica.idleNs() : replica.load(length)))
                .map(replica -> replica.begin(length));
    }

    private static DataObject at(Replica replica, DataObject object, Map<String, String> tags) {
        String tag = tags.getOrDefault(replica.source().place(), "");
        return new DataObject(
                object.path(),
                object.length(),
                new ObjectVersion(tag, object.version().checksum()));
    }

    private Replica.Outcome outcome(Replica replica, DataObject object, SourceException e) {
        if (e.fault().isRetryable() || !e.fault().mayConcernObjectAlone()) {
            return Replica.Outcome.FAILED;
        }
        if (refused.size() < REFUSED_MAX) {
            refused.putIfAbsent(new Refused(replica.source().place(), object.path()), e);
        }
        return Replica.Outcome.NO_VERDICT;
    }

    @Override
    public void close() {
        replicas.forEach(replica -> replica.source().close());
    }
}
