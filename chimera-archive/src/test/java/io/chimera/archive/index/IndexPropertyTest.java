package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** No matching interval is ever missed: seeded runs, compared with a list of all items. */
final class IndexPropertyTest {
    private static final int STEPS = 1_500;
    private static final int DOMAIN = 4_000;

    /**
     * Items of an interval with distinct keys only: batches of 512 keys fill within the interval, and groups before
     * their last interval.
     */
    private static final int ITEMS_MANY = 2_500;

    private static final int STEPS_MANY = 60;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private long timeNs = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "1,SPLIT_BLOCK,4,16384,0", "2,SPLIT_BLOCK,32,16384,0", "3,SPLIT_BLOCK,3,16384,0", "4,SPLIT_BLOCK,1,40,0",
        "5,BLOOM,4,16384,0", "6,BLOOM,32,16384,0", "7,BLOOM,3,16384,0", "8,BLOOM,7,40,0",
        "9,SPLIT_BLOCK,32,16384,60000", "10,SPLIT_BLOCK,64,16384,30", "11,BLOOM,32,16384,150000"
    })
    void noIntervalThatMatchesIsMissed(
            int seed, SignatureKind kind, int groupIntervals, int intervalKeysMax, long groupAgeNs) {
        Random random = new Random(seed);
        IndexSettings settings =
                new IndexSettings(ArchivedItems.KEYS, kind, 10, 12, intervalKeysMax, groupIntervals, 64);
        ArchivedItems items = new ArchivedItems(
                store, groupAgeNs == 0 ? settings : settings.withGroupAge(Duration.ofNanos(groupAgeNs)));
        for (int step = 0; step < STEPS; step++) {
            items.write(interval(random));
            int event = random.nextInt(300);
            if (event < 2) {
                items.open();
            } else if (event == 2) {
                items.writer().finish();
                assertThat(items.open()).isZero();
            } else if (event == 3) {
                store.loseUndurable();
                items.lost();
                items.open();
            } else if (event == 4) {
                store.keep(items.data(), 100 + random.nextInt(1_000));
            } else if (event == 5) {
                store.keep(items.indexStream(), 1 + random.nextInt(200));
            } else if (event < 50) {
                store.doWork();
            } else if (event < 60) {
                search(items, items.index(), random);
            } else if (event == 60) {
                search(items, items.openToRead(), random);
            }
        }
        for (int i = 0; i < 100; i++) {
            search(items, items.index(), random);
        }
    }

    @ParameterizedTest
    @CsvSource({"11,SPLIT_BLOCK,32", "12,SPLIT_BLOCK,64", "13,BLOOM,32", "14,BLOOM,8"})
    void noneOfManyKeysIsMissed(int seed, SignatureKind kind, int groupIntervals) {
        Random random = new Random(seed);
        IndexSettings settings = new IndexSettings(ArchivedItems.KEYS, kind, 10, 12, 16_384, groupIntervals, 64);
        ArchivedItems items = new ArchivedItems(store, settings);
        List<Item> written = new ArrayList<>();
        for (int step = 0; step < STEPS_MANY; step++) {
            List<Item> interval = new ArrayList<>();
            int size = 1_000 + random.nextInt(ITEMS_MANY - 1_000);
            for (int i = 0; i < size; i++) {
                timeNs += random.nextInt(1_000);
                interval.add(new Item(timeNs, random.nextLong(), random.nextLong(), random.nextInt(1_500)));
            }
            items.write(interval);
            written.add(interval.get(random.nextInt(size)));
            written.add(interval.get(size - 1));
            if (random.nextInt(40) == 0) {
                items.open();
            }
        }
        for (int i = 0; i < written.size(); i += 5) {
            Item item = written.get(i);
            search(items, items.index(), Probe.exact(ArchivedItems.A, KeyHash.of(item.a())));
            search(
                    items,
                    items.index(),
                    Probe.and(
                            Probe.exact(ArchivedItems.B, KeyHash.of(item.b())),
                            Probe.range(ArchivedItems.V, item.v(), item.v())));
        }
    }

    private void search(ArchivedItems items, Index index, Probe probe) {
        List<Long> visited = new ArrayList<>();
        try (IndexSearch search = index.search()) {
            search.search(probe, Long.MIN_VALUE, Long.MAX_VALUE, interval -> visited.add(interval.number()));
        }
        assertThat(visited)
                .containsAll(items.matching(probe, Long.MIN_VALUE, Long.MAX_VALUE))
                .isNotEmpty();
        assertThat(visited).hasSizeLessThan(STEPS_MANY / 4); // few false positives
    }

    private List<Item> interval(Random random) {
        List<Item> items = new ArrayList<>();
        int size = 1 + random.nextInt(40);
        int part = random.nextInt(DOMAIN);
        for (int i = 0; i < size; i++) {
            timeNs += random.nextInt(1_000);
            long jitter = random.nextInt(500);
            items.add(new Item(
                    timeNs - jitter, part + random.nextInt(40), random.nextInt(10), random.nextLong(1_500) - 200));
        }
        return items;
    }

    private void search(ArchivedItems items, Index index, Random random) {
        Probe probe = probe(random, 3);
        long afterNs = random.nextBoolean() ? Long.MIN_VALUE : random.nextLong(timeNs);
        long beforeNs = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(timeNs);
        List<Long> visited = new ArrayList<>();
        try (IndexSearch search = index.search()) {
            SearchCounts counts = search.search(probe, afterNs, beforeNs, interval -> visited.add(interval.number()));
            assertThat(visited).isSorted().doesNotHaveDuplicates();
            assertThat(visited).containsAll(items.matching(probe, afterNs, beforeNs));
            assertThat(counts.intervalsVisited()).isEqualTo(visited.size());
            assertThat(counts.damaged()).isZero();
        }
    }

    private static Probe probe(Random random, int depth) {
        int choice = random.nextInt(depth == 0 ? 4 : 7);
        if (choice < 2) {
            return choice == 0
                    ? Probe.exact(ArchivedItems.A, KeyHash.of(random.nextInt(DOMAIN)))
                    : Probe.exact(ArchivedItems.B, KeyHash.of(random.nextInt(12)));
        }
        if (choice == 2) {
            long low = random.nextLong(2_000) - 400;
            return Probe.range(ArchivedItems.V, low, low + random.nextInt(20));
        }
        if (choice == 3) {
            return Probe.frequent(ArchivedItems.V, random.nextInt(1_500), random.nextInt(3));
        }
        List<Probe> parts = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            parts.add(probe(random, depth - 1));
        }
        return choice == 4 ? Probe.not(parts.get(0)) : choice == 5 ? Probe.and(parts) : Probe.or(parts);
    }
}
