package io.chimera.node.launch;

import io.chimera.common.agent.CoreBinding;
import io.chimera.common.config.binding.CoreLists;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import java.util.List;
import java.util.function.Supplier;

/**
 * Cores of the lanes of a node. Whatever starts threads of a lane runs here: these threads, and the threads that they
 * start, inherit the cores. Any thread.
 *
 * @param id id of the node
 * @param lists as configured, one for all lanes or one for each lane; empty for any core
 */
record LaneCores(String id, List<String> lists) {
    /**
     * Checks the number of lists.
     *
     * @param lanes number of lanes
     * @param setting name of the setting with the lists
     */
    static LaneCores of(String id, List<String> lists, int lanes, String setting) {
        if (!CoreLists.fit(lists, lanes)) {
            throw new ChimeraException(
                    Category.FATAL,
                    setting + " has " + lists.size() + " lists of cores, and the node has "
                            + (lanes == 1 ? "1 lane" : lanes + " lanes")
                            + ". Give one list for all lanes, or one for each.");
        }
        return new LaneCores(id, lists);
    }

    /** Runs a part of the start of a lane. */
    void run(int lane, Runnable part) {
        start(lane, () -> {
            part.run();
            return id;
        });
    }

    /** Runs a part of the start of a lane, and returns its result. */
    <T> T start(int lane, Supplier<T> part) {
        return CoreBinding.within(CoreLists.ofLane(lists, lane), LaneId.of(id, lane), part);
    }
}
