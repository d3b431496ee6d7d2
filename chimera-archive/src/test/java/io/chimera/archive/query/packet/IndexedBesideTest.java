package io.chimera.archive.query.packet;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.query.ArchiveSettings;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.streamfs.store.MemoryStreamStore;
import io.chimera.common.agent.ManualClock;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PacketBatch;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Intervals indexed on a separate thread are found like any other. */
final class IndexedBesideTest {
    private static final int PACKETS = 100_000;
    private static final int OF_ONE_HOST = 5_000;

    private final MemoryStreamStore store = new MemoryStreamStore();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    private PacketArchive archive(boolean isIndexedBeside) {
        return new PacketArchive(store, ArchiveSettings.of("eth0", 0), new ManualClock(), counters, isIndexedBeside);
    }

    private void fill(PacketArchive archive) {
        TinyPackets packets = new TinyPackets(OF_ONE_HOST);
        for (int first = 0; first < PACKETS; first += OF_ONE_HOST) {
            packets.clear();
            for (int i = 0; i < OF_ONE_HOST; i++) {
                packets.add(first + i, first / OF_ONE_HOST, i % 100);
            }
            PacketBatch batch = packets.batch();
            for (int next = 0; next < batch.size(); work(archive)) {
                next = archive.add(batch, next, TinyPackets.ETHERNET);
            }
        }
    }

    private void work(PacketArchive archive) {
        archive.doWork();
        store.doWork();
    }

    private void end(PacketArchive archive) {
        while (!archive.end()) {
            work(archive);
        }
    }

    private long found(PacketArchive archive, String question) {
        long found = 0;
        try (PacketQuery query = new PacketQuery(store, List.of(archive.stream()), Question.parse(question, 0))) {
            while (query.next()) {
                found++;
            }
            assertThat(query.progress().damaged()).isZero();
        }
        return found;
    }

    @Test
    void allThatWasAddedIsFoundOnceItHasEndedAndAfterARestart() {
        try (PacketArchive archive = archive(true)) {
            fill(archive);
            end(archive);
            assertThat(found(archive, "")).isEqualTo(PACKETS);
            assertThat(found(archive, "host 10.0.0.3")).isEqualTo(OF_ONE_HOST);
        }
        try (PacketArchive again = archive(false)) {
            assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isZero();
            assertThat(found(again, "host 10.0.0.3")).isEqualTo(OF_ONE_HOST);
        }
    }

    @Test
    void whatWasNotIndexedWhenItWasClosedIsIndexedAtTheNextStart() {
        try (PacketArchive archive = archive(true)) {
            fill(archive);
        }
        long archived = counters.get(ArchiveCounter.ARCHIVE_PACKETS);
        try (PacketArchive again = archive(true)) {
            assertThat(counters.get(ArchiveCounter.ARCHIVE_INTERVALS_REINDEXED)).isPositive();
            end(again);
            assertThat(found(again, "")).isEqualTo(archived);
        }
    }

    @Test
    void aStoreWithoutRoomHoldsItUpAndLosesNothing() {
        try (PacketArchive archive = archive(true)) {
            store.refuse(true);
            TinyPackets packets = new TinyPackets(OF_ONE_HOST);
            for (int i = 0; i < OF_ONE_HOST; i++) {
                packets.add(i, 3, i % 100);
            }
            int taken = archive.add(packets.batch(), 0, TinyPackets.ETHERNET);
            assertThat(taken).isLessThan(OF_ONE_HOST);
            assertThat(archive.add(packets.batch(), taken, TinyPackets.ETHERNET))
                    .isEqualTo(taken);
            store.refuse(false);
            assertThat(archive.add(packets.batch(), taken, TinyPackets.ETHERNET))
                    .isEqualTo(OF_ONE_HOST);
            end(archive);
            assertThat(found(archive, "host 10.0.0.3")).isEqualTo(OF_ONE_HOST);
        }
    }
}
