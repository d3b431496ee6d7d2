package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.index.record.RecordInput;
import io.chimera.archive.index.record.RecordOutput;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class IndexGroupsTest {
    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 16, 1024, 4, 64);
    private static final int INTERVALS = 64 * 4 * 2 + 4 * 7 + 3; // two bundles, seven groups and most of another

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final Random random = new Random(7);
    private final List<List<ArchivedItems.Item>> written = new ArrayList<>();
    private ArchivedItems items;
    private IndexGroups groups;

    @BeforeEach
    void write() {
        items = new ArchivedItems(store, SETTINGS);
        for (int i = 0; i < INTERVALS; i++) {
            List<ArchivedItems.Item> interval = new ArrayList<>();
            for (int j = 0; j < 20; j++) {
                interval.add(new ArchivedItems.Item(
                        i * 100L + j, random.nextInt(5_000), random.nextInt(5_000), random.nextInt(1_000)));
            }
            items.write(interval);
            written.add(interval);
        }
        while (items.writer().doWork(0) > 0) {
            store.doWork();
        }
        groups = items.index().groups();
    }

    @Test
    void looksAtEveryGroupOnceAndAtTheOneThatFillsAgain() {
        List<IndexGroups.Entry> seen = new ArrayList<>();
        assertThat(groups.look(0, seen::add)).isTrue();

        assertThat(seen).hasSize(64 * 2 + 8);
        assertThat(seen.subList(0, seen.size() - 1)).allMatch(IndexGroups.Entry::isEnded);
        assertThat(seen.get(seen.size() - 1).isEnded()).isFalse();
        long next = 1;
        for (IndexGroups.Entry entry : seen) {
            assertThat(entry.firstNumber()).isEqualTo(next);
            next = entry.lastNumber() + 1;
        }
        assertThat(next).isEqualTo(INTERVALS + 1L);

        List<IndexGroups.Entry> again = new ArrayList<>();
        assertThat(groups.look(INTERVALS - 3L, again::add)).isTrue();
        assertThat(again).containsExactly(seen.get(seen.size() - 1));
    }

    @Test
    void summariesKnowEveryKeyOfTheirGroupAndFewOthers() throws DamagedRecordException {
        List<IndexGroups.Entry> ended = new ArrayList<>();
        assertThat(groups.meeting(Long.MIN_VALUE, Long.MAX_VALUE, ended::add)).isTrue();
        assertThat(ended).hasSize(64 * 2 + 7);
        int falsePositives = 0;
        int asked = 0;
        for (IndexGroups.Entry entry : ended) {
            GroupSummary summary = overTheWire(groups.summary(entry, GroupSummary.BITS_PER_KEY_DEFAULT));
            assertThat(summary.group()).isEqualTo(entry);
            Set<Long> held = new HashSet<>();
            for (long number = entry.firstNumber(); number <= entry.lastNumber(); number++) {
                for (ArchivedItems.Item item : written.get((int) number - 1)) {
                    held.add(item.a());
                    assertThat(summary.mayMatch(Probe.and(
                                    Probe.exact(ArchivedItems.A, KeyHash.of(item.a())),
                                    Probe.exact(ArchivedItems.B, KeyHash.of(item.b())),
                                    Probe.range(ArchivedItems.V, item.v(), item.v()))))
                            .isTrue();
                }
            }
            for (long a = 0; a < 200; a++) {
                if (!held.contains(a)) {
                    asked++;
                    falsePositives += summary.mayMatch(Probe.exact(ArchivedItems.A, KeyHash.of(a))) ? 1 : 0;
                }
            }
        }
        assertThat((double) falsePositives / asked).isLessThan(0.05);
    }

    private static GroupSummary overTheWire(GroupSummary summary) throws DamagedRecordException {
        IndexMessages messages = new IndexMessages(ArchivedItems.KEYS);
        RecordOutput out = messages.begin((byte) 16);
        messages.put(summary);
        RecordInput in = messages.open(new UnsafeBuffer(out.toBytes()), (byte) 16);
        GroupSummary read = messages.summary();
        in.end();
        return read;
    }

    @Test
    void probesGoOverTheWire() throws DamagedRecordException {
        Probe probe = Probe.or(
                Probe.and(Probe.exact(ArchivedItems.A, -1), Probe.range(ArchivedItems.V, Long.MIN_VALUE, 7)),
                Probe.frequent(ArchivedItems.V, -3, 2),
                Probe.or(List.of()));
        IndexMessages messages = new IndexMessages(ArchivedItems.KEYS);
        RecordOutput out = messages.begin((byte) 18);
        messages.put(probe);
        messages.open(new UnsafeBuffer(out.toBytes()), (byte) 18);

        assertThat(messages.probe()).isEqualTo(probe);
    }

    @Test
    void saysWhenDataAreNotCovered() {
        // intervals outside the bundles are not rebuilt without a writer
        assertThat(items.openToRead().groups().look(0, entry -> {})).isFalse();
    }
}
