package io.chimera.archive.streamfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.BlockScan.Found;
import io.chimera.archive.streamfs.layout.Geometry;
import io.chimera.archive.streamfs.layout.Label;
import io.chimera.archive.streamfs.layout.SipHash;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

final class BlockScanTest {
    private static final int RUNS = 4;
    private static final int LENGTH = 700;

    private final BlockScan scan;

    BlockScanTest() {
        Label label = Label.decode(Volumes.device(20).memory());
        scan = new BlockScan(new Geometry(label), new SipHash(label.secret0(), label.secret1()), label.streamsMax());
    }

    /** Returns a device after the crash of a store; calls with different times differ in nothing but the times. */
    private static MemoryDevice device(long seconds, int runs) {
        MemoryDevice device = Volumes.device(20);
        StreamFs store = Volumes.open(device);
        int stream = store.open(Volumes.settings("a", 6));
        for (int number = 1; number <= runs; number++) {
            UnsafeBuffer record = Volumes.record(stream, number, LENGTH);
            assertThat(store.append(stream, seconds * 1_000 + number, record, 0, LENGTH))
                    .isNotNull();
            Volumes.sync(store, stream);
        }
        return Volumes.again(device);
    }

    private static UnsafeBuffer firstBlock(MemoryDevice device) {
        return new UnsafeBuffer(device.memory(), Volumes.blockOffset(0), Volumes.BLOCK_BYTES);
    }

    private Found scan(UnsafeBuffer block) {
        scan.buffer().putBytes(0, block, 0, block.capacity());
        return scan.runs(0);
    }

    /** Returns the offset of a run, counted from 0. */
    private static int offset(UnsafeBuffer block, int run) {
        int at = 0;
        for (int i = 0; i < run; i++) {
            at += RunLayout.length(block, at);
        }
        return at;
    }

    @Test
    void findsAllRuns() {
        Found found = scan(firstBlock(device(1, RUNS)));

        assertThat(found.runs).isEqualTo(RUNS);
        assertThat(found.lastRecord).isEqualTo(RUNS);
        assertThat(found.isBroken).isFalse();
    }

    /** After a power cut a block may hold runs of two writes: each run is genuine at its place, but the chain breaks. */
    @Test
    void endsBeforeARunThatWasWrittenAfterAnotherRun() {
        for (int run = 1; run < RUNS; run++) {
            UnsafeBuffer block = firstBlock(device(1, RUNS));
            UnsafeBuffer other = firstBlock(device(2, RUNS));
            int from = offset(block, run);
            assertThat(offset(other, run)).isEqualTo(from);
            block.putBytes(from, other, from, block.capacity() - from);

            Found found = scan(block);

            assertThat(found.runs).isEqualTo(run);
            assertThat(found.lastRecord).isEqualTo(run);
            assertThat(found.nextOffset).isEqualTo(from);
            assertThat(found.isBroken).isTrue();
        }
    }

    /** The same across blocks: a recovery ends a stream before a block that was written after another block. */
    @Test
    void endsAStreamBeforeABlockThatWasWrittenAfterAnotherBlock() {
        int inFirst = 1;
        MemoryDevice device = device(1, inFirst + 1);
        while (RunLayout.mac(device.memory(), Volumes.blockOffset(1)) == 0) {
            inFirst++;
            device = device(1, inFirst + 1);
        }
        device.memory()
                .putBytes(
                        Volumes.blockOffset(1),
                        device(2, inFirst + 1).memory(),
                        Volumes.blockOffset(1),
                        Volumes.BLOCK_BYTES);

        assertThat(Volumes.open(device).appended(0)).isEqualTo(inFirst);
        assertThat(Volumes.open(device(1, inFirst + 1)).appended(0)).isEqualTo(inFirst + 1);
    }
}
