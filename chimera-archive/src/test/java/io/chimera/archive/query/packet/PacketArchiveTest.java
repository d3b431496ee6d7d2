package io.chimera.archive.query.packet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.DamagingStore;
import io.chimera.archive.index.IndexGroups;
import io.chimera.archive.index.OtherIndexStore;
import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.query.key.KeySink;
import io.chimera.archive.query.key.PacketKeys;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.AllocatedBytes;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PacketBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PacketArchiveTest {
    private static final int PACKETS = 20_000;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final ManualClock clock = new ManualClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @Test
    void findsWhatMatchesInTheOrderOfArrival() {
        PacketArchive archive = ended();
        List<Long> expected = new ArrayList<>();
        for (long i = 0; i < PACKETS; i++) {
            if (i / 5000 == 3) {
                expected.add(i);
            }
        }
        assertThat(times(archive, "src host 10.0.0.3 and dst port 80")).isEqualTo(expected);
        assertThat(times(archive, "")).hasSize(PACKETS);
        assertThat(counters.get(ArchiveCounter.ARCHIVE_PACKETS)).isEqualTo(PACKETS);
    }

    @Test
    void whatDoesNotMatchIsSkipped() {
        PacketArchive archive = ended();
        try (PacketQuery query = query(archive, "host 10.0.0.3")) {
            while (query.next()) {
                assertThat(query.stream()).isEqualTo("eth0");
            }
            QueryProgress progress = query.progress();
            assertThat(progress.found()).isEqualTo(5000);
            assertThat(progress.skipped()).isPositive();
            assertThat(progress.intervals() + progress.skipped())
                    .isEqualTo(counters.get(ArchiveCounter.ARCHIVE_INTERVALS));
        }
    }

    @Test
    void packetsAreFoundOnceTheirIntervalIsOldEnough() {
        PacketArchive archive = archive("eth0");
        fill(archive, 0, 10);
        archive.doWork();
        assertThat(times(archive, "host 10.0.0.0")).isEmpty();
        clock.advance(Duration.ofMillis(500));
        archive.doWork();
        assertThat(times(archive, "host 10.0.0.0")).hasSize(10);
    }

    @Test
    void groupsOfTheIndexEndByTheTimesOfTheirPacketsAndByTheClock() {
        PacketArchive archive = archive("eth0");
        fill(archive, 0, 10);
        pass(archive, Duration.ofSeconds(1));
        fill(archive, Duration.ofMinutes(2).toNanos(), 10);
        pass(archive, Duration.ofSeconds(1));
        assertThat(groupsEnded(archive)).containsExactly(true, false);

        pass(archive, Duration.ofSeconds(1));
        pass(archive, ArchiveSettings.GROUP_AGE_DEFAULT);
        assertThat(groupsEnded(archive)).containsExactly(true, true);
    }

    private void pass(PacketArchive archive, Duration time) {
        clock.advance(time);
        archive.doWork();
    }

    private static List<Boolean> groupsEnded(PacketArchive archive) {
        List<Boolean> ended = new ArrayList<>();
        try (IndexGroups groups = archive.stream().index().groups()) {
            groups.look(0, group -> ended.add(group.isEnded()));
        }
        return ended;
    }

    @Test
    void anArchiveThatWasOpenedAgainFindsWhatItHeld() {
        leftOpen();
        PacketArchive after = archive("eth0");
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isPositive();
        assertGoesOn(after);
        assertThat(times(after, "")).hasSize(PACKETS + 100);
    }

    @Test
    void intervalsThatWereLargerBeforeAreIndexedAgain() {
        ArchiveSettings settings = ArchiveSettings.of("eth0", 0);
        PacketArchive before = new PacketArchive(
                store, settings.withIntervalBytes(ArchiveSettings.INTERVAL_BYTES_MAX), clock, counters);
        fill(before, 0, PACKETS);
        PacketArchive after = new PacketArchive(store, settings, clock, counters);
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isPositive();
        assertThat(times(after, "src host 10.0.0.0")).hasSize(5000);
    }

    @Test
    void recordsThatAreNoIntervalsAreLeftOutOfTheIndexAndCounted() {
        int data = leftOpen().stream().number();
        store.append(data, 0, new UnsafeBuffer(new byte[100]), 0, 100);
        store.append(data, 0, new UnsafeBuffer(new byte[1 << 20]), 0, 1 << 20);

        PacketArchive after = archive("eth0");

        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_FOREIGN)).isEqualTo(2);
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isPositive();
        assertGoesOn(after);
    }

    @Test
    void intervalsThatTheIndexLacksAndThatCannotBeReadAreCounted() {
        PacketArchive archive = archive("eth0");
        fill(archive, 0, PACKETS);
        DamagingStore damaged = new DamagingStore(store);
        int data = archive.stream().number();
        damaged.refuse(view -> view.stream() == data && view.number() == 3);
        List<ArchiveStream> streams = ArchiveStream.all(damaged, Set.of());
        try (PacketQuery query = new PacketQuery(damaged, streams, Question.parse("", 0))) {
            while (query.next()) {
                assertThat(query.packet().captured()).isEqualTo(60);
            }
            assertThat(query.progress().intervals()).isEqualTo(store.appended(data) - 1);
            assertThat(query.progress().damaged()).isOne();
            assertThat(query.progress().damage()).contains("eth0");
        }
    }

    @Test
    void anArchiveThatEndedInOrderIsIndexed() {
        ended();
        archive("eth0");
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isZero();
    }

    @Test
    void aVolumeThatNobodyWritesCanBeAsked() {
        ended();
        List<ArchiveStream> streams = ArchiveStream.all(store, Set.of());
        assertThat(streams).extracting(ArchiveStream::name).containsExactly("eth0");
        assertThat(times(streams, "src host 10.0.0.2")).hasSize(5000);
        assertThat(times(streams, ask("", "", 100, 199))).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void packetsWhoseIndexIsOfAnotherVersionOrOfOtherKeysAreFound(boolean isOfOtherKeys) {
        PacketArchive before = new PacketArchive(
                new OtherIndexStore(store, isOfOtherKeys),
                ArchiveSettings.of("eth0", 0).withIntervalBytes(32 << 10),
                clock,
                counters);
        fill(before, 0, PACKETS);
        before.end();
        PacketArchive healthy = archive("eth1");
        fill(healthy, 0, 100);
        healthy.end();
        List<ArchiveStream> streams = ArchiveStream.all(store, Set.of());
        assertThat(streams).extracting(ArchiveStream::name).containsExactly("eth0", "eth1");
        assertThat(times(streams, "src host 10.0.0.2 and stream eth0")).hasSize(5000);
        assertThat(times(streams, "stream eth1")).hasSize(100);

        PacketArchive after = archive("eth0");
        assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED))
                .isEqualTo(store.appended(after.stream().number()));
        assertGoesOn(after);
        assertThat(times(after, "")).hasSize(PACKETS + 100);
    }

    @Test
    void framesThatNoFilterKnowsComeWithoutOne() {
        int wireless = 105;
        PacketArchive archive = archive("eth0");
        archive.add(packets(0, 10).batch(), 0, wireless);
        fill(archive, 10, 10);
        archive.end();
        List<ArchiveStream> streams = ArchiveStream.all(store, Set.of());
        assertThat(times(streams, "")).hasSize(20);
        assertThat(times(streams, "tcp or not tcp")).hasSize(10);
        assertThat(times(streams, "tcp")).hasSize(10);
    }

    @Test
    void streamsAreMergedByTime() {
        PacketArchive one = archive("one");
        PacketArchive two = archive("two");
        for (int i = 0; i < 1000; i++) {
            fill(i % 3 == 0 ? one : two, i, 1);
        }
        one.end();
        two.end();
        List<ArchiveStream> streams = List.of(one.stream(), two.stream());
        assertThat(times(streams, "tcp")).hasSize(1000).isSorted();
        assertThat(times(streams, ask("tcp", "one", Long.MIN_VALUE, Long.MAX_VALUE)))
                .hasSize(334);
        assertThatThrownBy(() -> times(streams, ask("tcp", "three", Long.MIN_VALUE, Long.MAX_VALUE)))
                .isInstanceOf(QuestionException.class)
                .hasMessageContaining("one, two");
    }

    @Test
    void spanAndLimitHold() {
        PacketArchive archive = ended();
        List<ArchiveStream> streams = List.of(archive.stream());
        assertThat(times(streams, ask("", "", 100, 199))).hasSize(100);
        assertThat(times(streams, ask("", "", 19_990, Long.MAX_VALUE))).hasSize(10);
        assertThat(times(streams, "host 10.0.0.3 and limit 7"))
                .containsExactly(15_000L, 15_001L, 15_002L, 15_003L, 15_004L, 15_005L, 15_006L);
    }

    @Test
    void aCancelledQueryEnds() {
        PacketArchive archive = ended();
        try (PacketQuery query = query(archive, "")) {
            assertThat(query.next()).isTrue();
            query.cancel();
            assertThat(query.next()).isFalse();
        }
    }

    @Test
    void aFilterThatIsNotUnderstoodIsRefused() {
        PacketArchive archive = archive("eth0");
        assertThatThrownBy(() -> query(archive, "hots 1.2.3.4")).isInstanceOf(QuestionException.class);
    }

    @Test
    void whatTheDeviceHasNoRoomForWaitsAndIsNotLost() {
        PacketArchive archive = archive("eth0");
        store.refuse(true);
        TinyPackets packets = packets(0, PACKETS);
        int taken = archive.add(packets.batch(), 0, TinyPackets.ETHERNET);
        assertThat(taken).isBetween(1, PACKETS - 1);
        assertThat(archive.add(packets.batch(), taken, TinyPackets.ETHERNET)).isEqualTo(taken);
        assertThat(archive.end()).isFalse();
        assertThat(counters.get(ArchiveCounter.ARCHIVE_STALLS)).isOne();
        store.refuse(false);
        assertThat(archive.add(packets.batch(), taken, TinyPackets.ETHERNET)).isEqualTo(PACKETS);
        assertThat(archive.end()).isTrue();
        assertThat(times(archive, "")).hasSize(PACKETS).isSorted();
    }

    @Test
    void intervalsThatWereOverwrittenAreCounted() {
        PacketArchive archive = ended();
        store.keep(archive.stream().number(), 3);
        try (PacketQuery query = query(archive, "")) {
            while (query.next()) {
                assertThat(query.packet().captured()).isEqualTo(60);
            }
            assertThat(query.progress().intervals()).isEqualTo(3);
            assertThat(query.progress().gone()).isPositive();
        }
    }

    @Test
    void nothingIsAllocatedPerPacket() {
        PacketIntervalWriter interval = new PacketIntervalWriter(64 << 10);
        PacketKeys keys = new PacketKeys(TinyPackets.ETHERNET, new NoKeys());
        PacketBatch batch = packets(0, 400).batch();
        Runnable work = () -> {
            interval.clear();
            for (int i = 0; i < batch.size(); i++) {
                interval.add(TinyPackets.ETHERNET, i, batch.address(i), batch.captured(i), batch.length(i), 0, 0);
                keys.add(interval.address(), interval.captured());
            }
            interval.finish();
        };
        assertThat(AllocatedBytes.of(work)).isZero();
    }

    /** Discards all keys. */
    private static final class NoKeys implements KeySink {
        @Override
        public void add(int key, long hash) {}

        @Override
        public void addRange(int key, long value) {}

        @Override
        public boolean isRecent(long first, long second) {
            return false;
        }
    }

    private PacketArchive archive(String stream) {
        return new PacketArchive(store, ArchiveSettings.of(stream, 0).withIntervalBytes(32 << 10), clock, counters);
    }

    /** Creates packets; the source changes every 5000 packets. */
    private static TinyPackets packets(long firstNs, int count) {
        TinyPackets packets = new TinyPackets(count);
        for (int i = 0; i < count; i++) {
            packets.add(firstNs + i, (int) ((firstNs + i) / 5000), i % 100);
        }
        return packets;
    }

    private void fill(PacketArchive archive, long firstNs, int count) {
        TinyPackets packets = packets(firstNs, count);
        assertThat(archive.add(packets.batch(), 0, TinyPackets.ETHERNET)).isEqualTo(count);
    }

    /** Creates an archive with all packets, closed in order. */
    private PacketArchive ended() {
        PacketArchive archive = archive("eth0");
        fill(archive, 0, PACKETS);
        archive.end();
        return archive;
    }

    /** Creates an archive with all packets, never closed. */
    private PacketArchive leftOpen() {
        PacketArchive archive = archive("eth0");
        fill(archive, 0, PACKETS);
        clock.advance(Duration.ofSeconds(1));
        archive.doWork();
        return archive;
    }

    /** Asserts that the archive accepts more packets and still finds the old packets. */
    private void assertGoesOn(PacketArchive archive) {
        fill(archive, PACKETS, 100);
        archive.end();
        assertThat(times(archive, "src host 10.0.0.3")).hasSize(5000);
    }

    private static Question ask(String filter, String stream, long afterNs, long beforeNs) {
        return new Question(filter, stream, afterNs, beforeNs, Long.MAX_VALUE);
    }

    private PacketQuery query(PacketArchive archive, String question) {
        return new PacketQuery(store, List.of(archive.stream()), Question.parse(question, 0));
    }

    private List<Long> times(PacketArchive archive, String question) {
        return times(List.of(archive.stream()), question);
    }

    private List<Long> times(List<ArchiveStream> streams, String question) {
        return times(streams, Question.parse(question, 0));
    }

    private List<Long> times(List<ArchiveStream> streams, Question question) {
        List<Long> times = new ArrayList<>();
        try (PacketQuery query = new PacketQuery(store, streams, question)) {
            while (query.next()) {
                times.add(query.packet().timeNs());
            }
        }
        return times;
    }
}
