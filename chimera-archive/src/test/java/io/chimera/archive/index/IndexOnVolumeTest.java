package io.chimera.archive.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.index.ArchivedItems.Item;
import io.chimera.archive.index.key.KeyHash;
import io.chimera.archive.index.key.Probe;
import io.chimera.archive.index.key.SignatureKind;
import io.chimera.archive.index.record.IndexSettings;
import io.chimera.archive.streamfs.StreamFs;
import io.chimera.archive.streamfs.VolumeSettings;
import io.chimera.archive.streamfs.layout.FormatSettings;
import io.chimera.common.agent.ManualClock;
import io.chimera.jni.stream.BlockDevice;
import io.chimera.jni.stream.BlockDevices;
import io.chimera.jni.stream.DeviceOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index on a volume during turns of the frontier: data and index age, and the volume is reopened repeatedly. */
final class IndexOnVolumeTest {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int BLOCKS = 120;
    private static final int STARTS = 6;
    private static final int INTERVALS = 2_500; // of 2 KB each: more than half a turn

    private static final IndexSettings SETTINGS =
            new IndexSettings(ArchivedItems.KEYS, SignatureKind.SPLIT_BLOCK, 10, 16, 1_000, 4, 64);

    @TempDir
    private Path folder;

    private final Random random = new Random(8);
    private long timeNs = 1_000_000;

    private StreamFs open(DeviceOptions options, boolean isNew) {
        BlockDevice device = BlockDevices.open(folder.resolve("volume").toString(), options);
        if (isNew) {
            StreamFs.format(List.of(device), new FormatSettings(BLOCK_BYTES, 0, 8, 0), random);
        }
        return StreamFs.open(List.of(device), VolumeSettings.DEFAULT, new ManualClock());
    }

    @Test
    void findsWhatIsHeldThroughTurnsAndRestarts() {
        StreamFs store = open(DeviceOptions.file((long) BLOCKS * BLOCK_BYTES), true);
        ArchivedItems items = new ArchivedItems(store, SETTINGS);
        for (int start = 1; ; start++) {
            for (int i = 0; i < INTERVALS; i++) {
                items.write(interval());
                store.doWork();
            }
            search(items, items.index());
            if (start % 2 == 0) {
                items.writer().finish();
            }
            store.close();
            if (start == STARTS) {
                return;
            }
            store = open(DeviceOptions.existing(), false);
            items.reopen(store);
            search(items, items.openToRead());
            long rebuilt = items.open();
            assertThat(rebuilt).isBetween((long) start % 2, start % 2 * 2L * 4 * 64);
            search(items, items.index());
        }
    }

    private List<Item> interval() {
        List<Item> items = new ArrayList<>();
        int part = random.nextInt(4_000);
        for (int i = 0; i < 60; i++) {
            timeNs += random.nextInt(1_000);
            items.add(new Item(timeNs, part + random.nextInt(40), random.nextInt(10), random.nextLong(1_500)));
        }
        return items;
    }

    private void search(ArchivedItems items, Index index) {
        try (IndexSearch search = index.search()) {
            for (int i = 0; i < 8; i++) {
                Probe probe = Probe.exact(ArchivedItems.A, KeyHash.of(random.nextInt(4_040)));
                long afterNs = random.nextBoolean() ? Long.MIN_VALUE : random.nextLong(timeNs);
                long beforeNs = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(timeNs);
                List<Long> visited = new ArrayList<>();
                search.search(probe, afterNs, beforeNs, interval -> visited.add(interval.number()));
                assertThat(visited).isSorted().containsAll(items.matching(probe, afterNs, beforeNs));
            }
        }
    }
}
