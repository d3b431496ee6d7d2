package io.chimera.node.launch;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import io.chimera.queue.journal.offline.JournalEvidence;
import java.nio.file.Path;

/** Checks the folders of the lanes of a queue node before the start. */
final class LaneFolders {
    private LaneFolders() {}

    /** Returns the journal of a lane. */
    static Path journal(Path dataDir, int lane) {
        return LaneId.folder(dataDir, lane).resolve("journal");
    }

    /**
     * Checks that every used journal on disk has a lane: the cluster waits for the journals of all registered lanes. A
     * lane whose first start failed has an unused journal.
     */
    static void check(String id, Path dataDir, int lanes) {
        for (int lane = LaneId.LANE_MAX; lane >= lanes; lane--) {
            Path journal = journal(dataDir, lane);
            if (JournalEvidence.isUsed(journal)) {
                throw new ChimeraException(
                        Category.FATAL,
                        "The node has " + lanes + (lanes == 1 ? " lane" : " lanes") + ", but " + journal
                                + " belongs to lane " + lane + ", and the cluster waits for this journal. Set"
                                + " queue.lanes: " + (lane + 1)
                                + ". To run fewer lanes, remove the node from the cluster"
                                + " (chimera cluster remove " + id + "), then start it with an empty data_dir.");
            }
        }
    }
}
