package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.store.StreamSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cost of guarantees: the share of guaranteed blocks skipped by the frontier (Hyperion 2007, 4.2), in a steady state.
 * 32 streams with eight different rates, records of 64 KiB arriving at random, a volume of 64 GiB, no device.
 */
final class UtilisationTest {
    private static final int SLOTS = 1 << 16;
    private static final int GROUP = 256;
    private static final int STREAMS = 32;
    private static final int BLOCK_BYTES = 1 << 20;
    private static final int RECORDS_OF_BLOCK = 15;

    @Test
    void losesNothingWorthMentionWhereGuaranteesFollowTheRates() {
        assertThat(loss(70, true)).isLessThanOrEqualTo(2);
        assertThat(loss(90, true)).isLessThanOrEqualTo(12);
    }

    @Test
    void passesWhatSlowStreamsKeepForManyTurns() {
        double loss = loss(70, false);

        assertThat(loss).isGreaterThan(10).isLessThan(70);
    }

    /**
     * Returns the percentage of skipped blocks among the blocks passed.
     *
     * @param isByRate true for guarantees of equal time, false for guarantees of equal size
     */
    static double loss(int percent, boolean isByRate) {
        Geometry geometry = new Geometry(new Label(1, 2, 3, 0, 1, 4096, BLOCK_BYTES, GROUP, STREAMS, SLOTS, 0));
        Random random = new Random(percent);
        int[] rates = new int[STREAMS];
        int sum = 0;
        for (int i = 0; i < STREAMS; i++) {
            rates[i] = 1 + i % 8;
            sum += rates[i];
        }
        double bytes = (double) geometry.dataSlots() * BLOCK_BYTES * percent / 100;
        List<StreamState> streams = new ArrayList<>();
        for (int i = 0; i < STREAMS; i++) {
            double share = isByRate ? (double) rates[i] / sum : 1.0 / STREAMS;
            streams.add(new StreamState(i, new StreamSettings("s" + i, "test", (long) (bytes * share))));
        }
        Frontier frontier = new Frontier(geometry, streams, new Block[SLOTS], 0, Long.MAX_VALUE);
        int[] records = new int[STREAMS];
        run(frontier, streams, random, rates, sum, records, 6);
        long written = frontier.placed();
        long skipped = frontier.skipped();
        run(frontier, streams, random, rates, sum, records, 12);
        written = frontier.placed() - written;
        skipped = frontier.skipped() - skipped;
        return 100.0 * skipped / (skipped + written);
    }

    private static void run(
            Frontier frontier,
            List<StreamState> streams,
            Random random,
            int[] rates,
            int sum,
            int[] records,
            long turns) {
        while (frontier.position() < turns * SLOTS) {
            int at = random.nextInt(sum);
            int index = 0;
            while (at >= rates[index]) {
                at -= rates[index++];
            }
            records[index]++;
            if (records[index] % RECORDS_OF_BLOCK == 0) {
                StreamState stream = streams.get(index);
                Block block = new Block(index, stream.lastBlock() + 1, records[index], false);
                stream.add(block);
                frontier.place(block);
                stream.durable(records[index], block.number, BLOCK_BYTES);
            }
        }
    }
}
