package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.ForwardingStore;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.archive.streamfs.store.RecordHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;

/** Groups end because of their age. */
final class GroupAgeTest {
    private static final long AGE_NS = 1_000;
    private static final IndexSettings ANY_AGE =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 16, 1024, 32, 64);

    private final Slow store = new Slow();
    private final ArchivedItems items = new ArchivedItems(store, ANY_AGE.withGroupAge(Duration.ofNanos(AGE_NS)));

    /** Store that refuses index records for a while, or returns their handles only on a retry. */
    private static final class Slow extends ForwardingStore {
        private int refused = -1;
        private int late = -1;
        private RecordHandle appended;

        private Slow() {
            super(new MemoryStreamStore());
        }

        @Override
        public RecordHandle append(int stream, long timeNs, DirectBuffer from, int offset, int length) {
            if (stream == refused) {
                return null;
            }
            RecordHandle before = appended;
            appended = before == null ? super.append(stream, timeNs, from, offset, length) : null;
            if (stream == late) {
                return before;
            }
            RecordHandle handle = appended;
            appended = null;
            return handle;
        }
    }

    private void write(long... timesNs) {
        for (long timeNs : timesNs) {
            items.write(List.of(new Item(timeNs, 7, timeNs, 1)));
        }
    }

    private List<IndexGroups.Entry> groups() {
        List<IndexGroups.Entry> seen = new ArrayList<>();
        try (IndexGroups groups = items.index().groups()) {
            assertThat(groups.look(0, seen::add)).isTrue();
        }
        return seen;
    }

    private void areFound(long... timesNs) {
        for (long timeNs : timesNs) {
            Probe probe = Probe.and(
                    Probe.exact(ArchivedItems.A, KeyHash.of(7)), Probe.exact(ArchivedItems.B, KeyHash.of(timeNs)));
            List<Long> visited = new ArrayList<>();
            try (IndexSearch search = items.index().search()) {
                search.search(probe, Long.MIN_VALUE, Long.MAX_VALUE, interval -> visited.add(interval.number()));
            }
            assertThat(visited).isEqualTo(items.matching(probe, Long.MIN_VALUE, Long.MAX_VALUE));
        }
    }

    @Test
    void anIntervalThatIsTooFarFromTheFirstBeginsAGroup() {
        long[] timesNs = {0, 500, 900, 1_500, 2_500, 1_000_000, 700, 1_000_100};
        write(timesNs);

        assertThat(groups()).extracting(IndexGroups.Entry::lastNumber).containsExactly(3L, 5L, 6L, 7L, 8L);
        assertThat(groups()).allMatch(group -> group.lastNs() - group.firstNs() <= AGE_NS);
        areFound(timesNs);
    }

    @Test
    void aGroupEndsByTheClockWhereNothingComes() {
        write(0, 10);
        items.writer().doWork(AGE_NS - 1);
        assertThat(groups()).extracting(IndexGroups.Entry::isEnded).containsExactly(false);

        items.writer().doWork(AGE_NS);
        assertThat(groups()).extracting(IndexGroups.Entry::isEnded).containsExactly(true);
        write(20);
        assertThat(groups()).extracting(IndexGroups.Entry::isEnded).containsExactly(true, false);
        areFound(0, 10, 20);
    }

    @Test
    void aGroupDoesNotEndByTheClockWhileAnIntervalIsWritten() {
        write(0);
        IndexWriter writer = items.writer();
        writer.add(ArchivedItems.A, KeyHash.of(5));
        writer.doWork(10 * AGE_NS);
        assertThat(groups()).extracting(IndexGroups.Entry::isEnded).containsExactly(false);
        assertThatThrownBy(() -> writer.begin(1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void groupsOfAnyAgeEndWhenTheyAreFull() {
        ArchivedItems others = new ArchivedItems(new MemoryStreamStore(), ANY_AGE);
        for (long i = 0; i < 70; i++) {
            others.write(List.of(new Item(i * AGE_NS, 7, i, 1)));
        }
        List<Long> last = new ArrayList<>();
        try (IndexGroups groups = others.index().groups()) {
            groups.look(0, entry -> last.add(entry.lastNumber()));
        }
        assertThat(last).containsExactly(32L, 64L, 70L);
    }

    @Test
    void areBuiltAgainAsTheyWereAndReadWhateverTheAgeIsNow() {
        long[] timesNs = new long[300];
        for (int i = 0; i < timesNs.length; i++) {
            timesNs[i] = i * 700L;
        }
        write(timesNs);
        List<IndexGroups.Entry> before = groups();
        assertThat(before).hasSize(150);
        assertThat(items.open()).as("intervals behind the second bundle").isEqualTo(300 - 2 * 64 * 2);
        assertThat(groups()).isEqualTo(before);
        areFound(timesNs);

        List<Long> visited = new ArrayList<>();
        try (IndexSearch search = items.openToRead(ANY_AGE).search()) {
            search.search(
                    Probe.exact(ArchivedItems.B, KeyHash.of(7_000)),
                    0,
                    100_000,
                    interval -> visited.add(interval.number()));
        }
        assertThat(visited)
                .as("and what is not in the index stream")
                .startsWith(11L, 257L)
                .hasSize(1 + 44);
    }

    @Test
    void aStoreWithoutRoomMakesTheWriterWaitAndNoGroupLonger() {
        store.refused = items.indexStream();
        List<Long> timesNs = new ArrayList<>();
        while (items.writer().isReady() && timesNs.size() < 1_000) {
            timesNs.add(timesNs.size() * 2L * AGE_NS);
            write(timesNs.get(timesNs.size() - 1));
        }
        assertThat(timesNs).hasSizeLessThan(1_000);
        store.refused = -1;
        write(5_000_000, 6_000_000);
        assertThat(groups()).allMatch(group -> group.firstNumber() == group.lastNumber());
        areFound(timesNs.stream().mapToLong(Long::longValue).toArray());
        areFound(5_000_000, 6_000_000);
    }

    @Test
    void aHandleThatComesLateIsOfTheRecordThatWaitedForIt() {
        store.late = items.indexStream();
        Random random = new Random(7);
        for (int i = 0; i < 2_000; i++) {
            long timeNs = 2L * i * AGE_NS;
            write(timeNs);
            for (int turns = random.nextInt(6); turns > 0; turns--) {
                items.writer().doWork(timeNs);
            }
        }
        items.writer().finish();

        try (IndexSearch search = items.index().search()) {
            SearchCounts counts = search.search(
                    Probe.exact(ArchivedItems.A, KeyHash.of(7)), Long.MIN_VALUE, Long.MAX_VALUE, interval -> true);
            assertThat(counts.intervalsVisited()).isEqualTo(2_000);
            assertThat(counts.intervalsUnindexed()).isZero();
        }
    }
}
