package io.chimera.archive.server.volume;

import io.chimera.api.spi.StoreException;
import io.chimera.archive.server.ArchivedLife;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Rows in an archive under power losses, kills and failing devices, at any point of a flush: every acknowledged row is
 * present exactly once.
 */
final class ArchiveStoreSim {
    /** More blocks than a run writes. */
    private static final int BLOCKS_LARGE = 28;

    /** Slightly more than the minimum for two streams and a map. */
    private static final int BLOCKS_SMALL = 20;

    /** Enough intervals for a write of the index. */
    private static final int BATCHES_MAX = 200;

    @Test
    void everyRowIsThereOnceWhereverAFlushIsCut() throws StoreException {
        for (long seed = 1; seed <= 2; seed++) {
            ArchivedLife life = ArchivedLife.first(seed, BLOCKS_LARGE);
            life.write(6, 300);
            for (int at = 0; at <= life.events(); at++) {
                life.cut(at, seed * 1_000 + at, true).check(true);
            }
        }
    }

    @Test
    void everyRowIsThereOnceBehindCutAfterCut() {
        cutAgainAndAgain(0, 30);
    }

    @Test
    @Tag("longsim")
    void everyRowIsThereOnceBehind4000Cuts() {
        cutAgainAndAgain(1_000, 1_000);
    }

    private static void cutAgainAndAgain(long firstSeed, int lives) {
        for (long seed = firstSeed; seed < firstSeed + lives; seed++) {
            try {
                ArchivedLife life = ArchivedLife.first(seed, BLOCKS_LARGE);
                for (int cut = 0; cut < 4; cut++) {
                    life.write((int) ((seed * 31 + cut * 97L) % BATCHES_MAX), 10);
                    life.check(true);
                    int at = life.anyEvent();
                    if (cut == 1) {
                        life.failDevice();
                        at = life.events();
                    } else if (cut == 2) {
                        at = life.events();
                        life.end();
                        at += (int) (seed % (life.events() - at + 1));
                    }
                    life = life.cut(at, seed * 10 + cut, true);
                }
                life.check(true);
            } catch (StoreException | RuntimeException | AssertionError e) {
                throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }

    @Test
    void aVolumeThatIsWrittenOverAgainAndAgainShowsEachRowOnceAndTheLast() throws StoreException {
        for (long seed = 1; seed <= 2; seed++) {
            ArchivedLife life = ArchivedLife.first(seed, BLOCKS_SMALL);
            for (int turn = 0; turn < 8; turn++) {
                life.writeAndFind(8_000);
                life.write(20, 50);
                life.check(false);
                life = life.cut(life.anyEvent(), seed * 100 + turn, false);
            }
        }
    }
}
