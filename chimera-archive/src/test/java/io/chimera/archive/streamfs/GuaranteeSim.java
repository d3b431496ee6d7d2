package io.chimera.archive.streamfs;

import static io.chimera.archive.streamfs.Volumes.BLOCK_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.streamfs.layout.RecordLayout;
import io.chimera.archive.streamfs.layout.VolumeLayout;
import io.chimera.archive.streamfs.store.StreamSettings;
import io.chimera.common.error.ChimeraException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the accounting of guarantees with a model that counts block by block. */
final class GuaranteeSim {
    private static final int GROUP = 4;
    private static final int STEPS = 4_000;

    /** Block of the model. */
    private static final class Held {
        private final int stream;
        private final long firstRecord;
        private int bytes;

        private Held(int stream, long firstRecord) {
            this.stream = stream;
            this.firstRecord = firstRecord;
        }
    }

    /** Streams as lists of blocks, oldest first, on slots with a circular frontier. */
    private static final class Model {
        private final Held[] slots;
        private final List<List<Held>> streams = new ArrayList<>();
        private final List<Long> guarantees = new ArrayList<>();
        private long position;
        private long skipped;

        private Model(int slots) {
            this.slots = new Held[slots];
        }

        private void place(Held block) {
            for (int steps = 0; steps < slots.length; steps++) {
                int slot = (int) (position++ % slots.length);
                if (slot % GROUP != GROUP - 1) {
                    if (slots[slot] == null || isSurplus(slots[slot])) {
                        overwrite(slot);
                        slots[slot] = block;
                        streams.get(block.stream).add(block);
                        return;
                    }
                    skipped++;
                }
            }
            throw new AssertionError("Nothing is surplus.");
        }

        private boolean isSurplus(Held block) {
            List<Held> stream = streams.get(block.stream);
            long newer = 0;
            for (int i = stream.indexOf(block) + 1; i < stream.size(); i++) {
                newer += i == stream.size() - 1 ? stream.get(i).bytes : BLOCK_BYTES;
            }
            return block != stream.get(stream.size() - 1) && newer >= guarantees.get(block.stream);
        }

        private void overwrite(int slot) {
            if (slots[slot] != null) {
                List<Held> stream = streams.get(slots[slot].stream);
                Held dropped = slots[slot];
                while (stream.remove(0) != dropped) {}
                for (int i = 0; i < slots.length; i++) {
                    if (slots[i] != null && slots[i].stream == dropped.stream && !stream.contains(slots[i])) {
                        slots[i] = null;
                    }
                }
            }
        }
    }

    @Test
    void agreesWithTheModelAfterEveryStep() {
        for (long seed = 0; seed < 6; seed++) {
            run(seed);
        }
    }

    private static void run(long seed) {
        Random random = new Random(seed);
        MemoryDevice device = Volumes.device(64 + random.nextInt(40));
        StreamFs store = Volumes.open(device);
        Model model = new Model((int) (store.status().sizeBytes() / BLOCK_BYTES / (GROUP - 1) * GROUP));
        for (int i = 0; i < 2 + random.nextInt(5); i++) {
            model.streams.add(new ArrayList<>());
            model.guarantees.add(0L);
            store.open(new StreamSettings("s" + i, "test", 0));
        }
        for (int step = 0; step < STEPS; step++) {
            step(random, store, model);
            check(seed, step, store, model);
        }
        assertThat(store.status().turns()).isGreaterThan(10);
    }

    private static void step(Random random, StreamFs store, Model model) {
        int stream = random.nextInt(model.streams.size());
        if (random.nextInt(50) == 0) {
            changeGuarantee(random, store, model, stream);
            return;
        }
        stream = Math.min(stream, random.nextInt(model.streams.size())); // some streams are faster
        int length = random.nextInt(4) == 0 ? 1 + random.nextInt(4000) : store.recordLengthMax();
        List<Held> blocks = model.streams.get(stream);
        Held last = blocks.isEmpty() ? null : blocks.get(blocks.size() - 1);
        int run = VolumeLayout.alignUp(
                VolumeLayout.RUN_HEADER_LENGTH + RecordLayout.stride(length) + VolumeLayout.RUN_TRAILER_LENGTH, 512);
        Volumes.append(store, stream, length);
        Volumes.sync(store, stream);
        if (last == null || last.bytes + run > BLOCK_BYTES) {
            last = new Held(stream, store.appended(stream));
            model.place(last);
        }
        last.bytes += run;
    }

    private static void changeGuarantee(Random random, StreamFs store, Model model, int stream) {
        long guarantee = (long) random.nextInt(40) * BLOCK_BYTES;
        try {
            store.open(new StreamSettings("s" + stream, "test", guarantee));
            model.guarantees.set(stream, guarantee);
        } catch (ChimeraException e) {
            assertThat(e).hasMessageContaining("cannot be guaranteed");
        }
    }

    private static void check(long seed, int step, StreamFs store, Model model) {
        for (int i = 0; i < model.streams.size(); i++) {
            List<Held> blocks = model.streams.get(i);
            long oldest = blocks.isEmpty() ? store.appended(i) + 1 : blocks.get(0).firstRecord;
            assertThat(store.oldest(i))
                    .as("oldest record of stream %d, seed %d, step %d", i, seed, step)
                    .isEqualTo(oldest);
        }
        assertThat(store.status().blocksSkipped())
                .as("skipped, seed %d, step %d", seed, step)
                .isEqualTo(model.skipped);
    }
}
