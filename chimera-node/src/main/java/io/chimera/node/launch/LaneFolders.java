package io.chimera.node.launch;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import java.nio.file.Files;
import java.nio.file.Path;

/** Checks the folders and ids of the lanes of a queue node before the start. */
final class LaneFolders {
    /** Maximum length of the id of a member. */
    private static final int ID_LENGTH_MAX = 64;

    /** Highest number of a lane. */
    private static final int LANE_MAX = 63;

    private LaneFolders() {}

    /** Returns the journal of a lane. */
    static Path journal(Path dataDir, int lane) {
        return QueueLane.folder(dataDir, lane).resolve("journal");
    }

    /**
     * Checks that the id of the last lane can name a member, and that every journal on disk has a lane: the cluster
     * waits for the journals of all registered lanes.
     */
    static void check(String id, Path dataDir, int lanes) {
        String last = LaneId.of(id, lanes - 1);
        if (last.length() > ID_LENGTH_MAX) {
            throw new ChimeraException(
                    Category.FATAL,
                    "The id " + last + " of a lane has more than " + ID_LENGTH_MAX
                            + " characters. Set a shorter node.id, or queue.lanes: 1.");
        }
        for (int lane = LANE_MAX; lane >= lanes; lane--) {
            Path journal = journal(dataDir, lane);
            if (Files.exists(journal)) {
                throw new ChimeraException(
                        Category.FATAL,
                        "The node has " + lanes + (lanes == 1 ? " lane" : " lanes") + ", but " + journal
                                + " has points of lane " + lane + ", and the cluster waits for this journal. Set"
                                + " queue.lanes: " + (lane + 1)
                                + ". To run fewer lanes, remove the node from the cluster"
                                + " (chimera cluster remove " + id + "), then start it with an empty data_dir.");
            }
        }
    }
}
