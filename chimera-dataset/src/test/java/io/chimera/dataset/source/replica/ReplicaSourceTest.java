package io.chimera.dataset.source.replica;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.chimera.common.agent.ManualClock;
import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReplicaSourceTest {
    private static final int LENGTH = 1_000_000;

    private final ManualClock clock = new ManualClock();
    private final Place slow = new Place("http://slow", 10e6);
    private final Place fast = new Place("http://fast", 30e6);
    private final DataSource source = ReplicaSource.of(List.of(slow, fast), clock);

    /** A place with one object, whose reads take time on the clock. */
    private final class Place implements DataSource {
        private final String place;
        private final double rate;
        private long length = LENGTH;
        private String tag;
        private Checksum checksum = Checksum.NONE;
        private SourceFault fault;
        private int reads;
        private CountDownLatch held;
        private final Semaphore entered = new Semaphore(0);

        Place(String place, double rate) {
            this.place = place;
            this.rate = rate;
            tag = "\"" + place.length() + rate + "\"";
        }

        @Override
        public String place() {
            return place;
        }

        @Override
        public List<DataObject> list(String pattern) throws SourceException {
            check();
            return List.of(new DataObject("a", length, new ObjectVersion(tag, checksum)));
        }

        private void check() throws SourceException {
            if (fault != null) {
                throw new SourceException(fault, place + " fails");
            }
        }

        @Override
        public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
            synchronized (this) {
                reads++;
            }
            assertThat(object.version().tag()).isEqualTo(tag);
            check();
            if (held == null) {
                clock.advance(Duration.ofNanos((long) (into.remaining() / rate * 1e9)));
            } else {
                entered.release();
                awaitHeld();
                check();
            }
            into.position(into.limit());
        }

        private void awaitHeld() {
            try {
                held.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void close() {}
    }

    private DataObject listed() throws SourceException {
        List<DataObject> all = source.list("a");
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private void read(DataObject object) throws SourceException {
        ByteBuffer into = ByteBuffer.allocate(1_000).position(100);
        source.read(object, 0, into);
        assertThat(into.hasRemaining()).isFalse();
    }

    @Test
    void aSingleSourceStaysItself() {
        assertThat(ReplicaSource.of(List.of(slow), clock)).isSameAs(slow);
    }

    /** Rates of 10 and 30 MB/s: of eight reads under way, two are at the slow and six at the fast source. */
    @Test
    void readsUnderWayAreInProportionToTheRates() throws Exception {
        DataObject object = listed();
        read(object);
        read(object);
        assertThat(List.of(slow.reads, fast.reads)).containsExactly(1, 1);
        slow.held = new CountDownLatch(1);
        fast.held = slow.held;
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(threads.submit(() -> {
                    read(object);
                    return null;
                }));
                Future<?> last = all.get(i);
                int number = i + 1;
                await("the next read under way")
                        .pollDelay(Duration.ZERO)
                        .until(() -> slow.entered.availablePermits() + fast.entered.availablePermits() == number
                                || last.isDone());
                assertThat(last).as("a read that cannot go on").isNotDone();
            }
            assertThat(List.of(slow.reads, fast.reads)).containsExactly(1 + 2, 1 + 6);
            slow.held.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aDeadReplicaLosesItsReadsUntilItsPauseEnds() throws SourceException {
        DataObject object = listed();
        fast.fault = SourceFault.UNREACHABLE;
        read(object);
        read(object);
        int tried = fast.reads;
        assertThat(tried).isPositive();

        for (int i = 0; i < 20; i++) {
            read(object);
        }
        assertThat(fast.reads).isEqualTo(tried);
        fast.fault = null;
        clock.advance(Duration.ofMinutes(1));
        for (int i = 0; i < 80; i++) {
            read(object);
        }

        assertThat(fast.reads).as("the faster one again").isGreaterThan(60);
    }

    private Future<?> held(ExecutorService threads, DataObject object, Place at) throws InterruptedException {
        Future<?> read = threads.submit(() -> {
            read(object);
            return null;
        });
        at.entered.acquire();
        return read;
    }

    /** Begins four reads at once, and returns them when none can go on. */
    private List<FutureTask<Void>> fourHeldReads(DataObject object) {
        slow.held = new CountDownLatch(1);
        fast.held = slow.held;
        List<FutureTask<Void>> reads = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            FutureTask<Void> read = new FutureTask<>(() -> {
                read(object);
                return null;
            });
            Thread thread = new Thread(read, "read-" + i);
            thread.setDaemon(true);
            thread.start();
            reads.add(read);
            threads.add(thread);
        }
        await("reads that cannot go on").until(() -> threads.stream()
                .map(Thread::getState)
                .allMatch(state -> state == Thread.State.WAITING || state == Thread.State.TERMINATED));
        assertThat(threads).extracting(Thread::getState).containsOnly(Thread.State.WAITING);
        return reads;
    }

    @Test
    void firstReadsAtTheSameTimeAreOneProbePerReplica() throws Exception {
        List<FutureTask<Void>> reads = fourHeldReads(listed());

        assertThat(List.of(slow.reads, fast.reads)).containsExactly(1, 1);
        slow.held.countDown();
        for (FutureTask<Void> read : reads) {
            read.get();
        }
        assertThat(slow.reads + fast.reads).isEqualTo(4);
    }

    @Test
    void readsThatWaitForAProbeSurviveItsFailure() throws Exception {
        List<FutureTask<Void>> reads = fourHeldReads(listed());
        slow.fault = SourceFault.UNREACHABLE;
        slow.held.countDown();

        for (FutureTask<Void> read : reads) {
            read.get();
        }
        assertThat(fast.reads).isEqualTo(4);
    }

    /** The object may be the only one with the fault. */
    @Test
    void aProbeWithoutAVerdictIsFollowedByAnother() {
        Replica replica = new Replica(slow, clock);

        replica.end(replica.probe(1).orElseThrow(), Replica.Outcome.NO_VERDICT);

        assertThat(replica.probe(1)).isPresent();
        assertThat(replica.probe(1)).as("one at a time").isEmpty();
    }

    /** It would count as the fastest one: nothing is known of its rate. */
    @Test
    void aReplicaThatNeverAnswersHoldsOneRead() throws Exception {
        DataObject object = listed();
        slow.held = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            Future<?> probe = held(threads, object, slow);
            for (int i = 0; i < 200; i++) {
                read(object);
            }

            assertThat(List.of(slow.reads, fast.reads)).containsExactly(1, 200);
            slow.held.countDown();
            probe.get();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void afterItsPauseAReplicaGetsOneReadAtATime() throws Exception {
        DataObject object = listed();
        read(object);
        fast.fault = SourceFault.UNREACHABLE;
        read(object);
        fast.fault = null;
        fast.held = new CountDownLatch(1);
        int before = fast.reads;
        clock.advance(Duration.ofMinutes(1));
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            Future<?> probe = held(threads, object, fast);
            for (int i = 0; i < 200; i++) {
                read(object);
            }
            assertThat(fast.reads).isEqualTo(before + 1);
            fast.held.countDown();
            probe.get();
        } finally {
            threads.shutdownNow();
        }
    }

    /** Reads that began before an outage time out one after the other, also after the pause. */
    @Test
    void aReadFromBeforeThePauseDoesNotLengthenIt() {
        Replica replica = new Replica(slow, clock);
        long beganNs = replica.nowNs();
        clock.advance(Duration.ofMillis(1));
        replica.failed(beganNs);
        assertThat(replica.turn()).isEqualTo(Replica.Turn.PAUSED);
        clock.advance(Duration.ofSeconds(1));

        replica.failed(beganNs);
        assertThat(replica.turn()).isEqualTo(Replica.Turn.PROBED);

        replica.failed(replica.nowNs());
        clock.advance(Duration.ofSeconds(1));
        assertThat(replica.turn()).as("twice the pause").isEqualTo(Replica.Turn.PAUSED);
    }

    /** Eight reads fail in one pause: it is that of one failure, a second. */
    @Test
    void failuresInOnePauseDoNotLengthenIt() throws SourceException {
        DataObject object = listed();
        slow.fault = SourceFault.UNREACHABLE;
        fast.fault = SourceFault.UNREACHABLE;
        for (int i = 0; i < 8; i++) {
            assertThatThrownBy(() -> read(object)).isInstanceOf(SourceException.class);
        }
        slow.fault = null;
        fast.fault = null;
        int before = slow.reads;
        read(object);
        assertThat(slow.reads).isEqualTo(before + 1);
        clock.advance(Duration.ofSeconds(1));
        before = fast.reads;
        read(object);

        assertThat(fast.reads).isEqualTo(before + 1);
    }

    @Test
    void aFaultOfAllReplicasIsTold() throws SourceException {
        DataObject object = listed();
        slow.fault = SourceFault.FORBIDDEN;
        fast.fault = SourceFault.BUSY;

        SourceException failure = catchThrowableOfType(SourceException.class, () -> read(object));

        assertThat(failure.fault()).as("another attempt may succeed").isEqualTo(SourceFault.BUSY);
    }

    /** Credentials are those of all replicas: after their repair, the object is as good as before. */
    @Test
    void aFaultThatConcernsNoObjectIsToldAtEachRead() throws SourceException {
        DataObject object = listed();
        slow.fault = SourceFault.UNAUTHENTICATED;
        fast.fault = SourceFault.UNAUTHENTICATED;
        for (int i = 0; i < 3; i++) {
            SourceException failure = catchThrowableOfType(SourceException.class, () -> read(object));
            assertThat(failure.fault()).isEqualTo(SourceFault.UNAUTHENTICATED);
        }
    }

    @Test
    void anObjectThatAllReplicasRefuseKeepsItsFault() throws SourceException {
        DataObject object = listed();
        slow.fault = SourceFault.FORBIDDEN;
        fast.fault = SourceFault.FORBIDDEN;
        for (int i = 0; i < 3; i++) {
            SourceException failure = catchThrowableOfType(SourceException.class, () -> read(object));
            assertThat(failure.fault()).isEqualTo(SourceFault.FORBIDDEN);
        }
    }

    @Test
    void aReplicaWithAnotherVersionIsLeftOut() throws SourceException {
        DataObject object = listed();
        slow.fault = SourceFault.CHANGED;
        for (int i = 0; i < 100; i++) {
            read(object);
        }

        assertThat(slow.reads).isEqualTo(1);
    }

    /** Its version is not part of the list, so a later change could not be noticed. */
    @Test
    void aReplicaThatWasAwayForTheListIsNotRead() throws SourceException {
        fast.fault = SourceFault.STALLED;
        DataObject object = listed();
        fast.fault = null;
        for (int i = 0; i < 100; i++) {
            read(object);
        }

        assertThat(fast.reads).isZero();
    }

    @Test
    void listsNothingWhenAllAreAway() {
        slow.fault = SourceFault.UNREACHABLE;
        fast.fault = SourceFault.STALLED;

        assertThatThrownBy(() -> source.list("a")).isInstanceOf(SourceException.class);
    }

    @Test
    void refusesReplicasOfDifferentLengths() {
        fast.length++;

        SourceException failure = catchThrowableOfType(SourceException.class, () -> source.list("a"));

        assertThat(failure.fault()).isEqualTo(SourceFault.CHANGED);
        assertThat(failure).hasMessageContainingAll("http://slow", "http://fast", "1000001", "source.replicas");
    }

    @Test
    void refusesReplicasWithDifferentChecksums() {
        slow.checksum = new Checksum(Checksum.Algorithm.ADLER32, "0a");
        fast.checksum = new Checksum(Checksum.Algorithm.ADLER32, "0b");

        SourceException failure = catchThrowableOfType(SourceException.class, () -> source.list("a"));

        assertThat(failure.fault()).isEqualTo(SourceFault.CHECKSUM);
        assertThat(failure).hasMessageContainingAll("http://slow", "http://fast");
    }

    @Test
    void checksumsOfDifferentKindsAreNotCompared() throws SourceException {
        slow.checksum = new Checksum(Checksum.Algorithm.ADLER32, "0a");
        fast.checksum = new Checksum(Checksum.Algorithm.MD5, "0b");

        assertThat(listed().version().checksum()).isEqualTo(slow.checksum);
    }

    @Test
    void tagsOfAllReplicasAreOneText() {
        ReplicaTags tags = new ReplicaTags(Map.of("http://b:80/", "\"3:x\"", "file:/ä", "modified=1;length=2"));

        assertThat(ReplicaTags.parse(tags.text())).contains(tags);
        assertThat(new ReplicaTags(Map.of()).text()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "3", "3:ab", ":", "-1:a", "1:a", "1:a9:b", "9999999:a", "\"etag:1\""})
    void anotherTextHasNoTags(String text) {
        assertThat(ReplicaTags.parse(text)).isEmpty();
    }
}
