package io.chimera.node.launch;

import io.chimera.common.agent.CoreBinding;
import io.chimera.common.config.binding.CoreLists;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.identity.LaneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cores of the lanes of a node. A thread inherits the cores of the thread that starts it, so each start of a thread of
 * a lane must be a part that {@link #start} or {@link #run} gets. Any thread.
 *
 * @param id id of the node
 * @param lists as configured, one for all lanes or one for each lane; empty for any core
 * @param warnings a sentence for each lane that cannot be bound
 */
record LaneCores(String id, List<String> lists, List<String> warnings) {
    private static final Logger LOG = LoggerFactory.getLogger(LaneCores.class);

    /**
     * Checks the lists, and logs lanes that cannot be bound.
     *
     * @param lanes number of lanes
     * @param setting name of the setting with the lists
     * @throws ChimeraException when the number of lists does not fit the lanes
     */
    static LaneCores check(String id, List<String> lists, int lanes, String setting) {
        if (!CoreLists.fit(lists, lanes)) {
            throw new ChimeraException(
                    Category.FATAL,
                    setting + " has " + lists.size() + " lists of cores, and the node has "
                            + (lanes == 1 ? "1 lane" : lanes + " lanes")
                            + ". Give one list for all lanes, or one for each.");
        }
        List<String> warnings = new ArrayList<>();
        for (int lane = 0; lane < lanes && !lists.isEmpty(); lane++) {
            Set<Integer> cores = CoreLists.ofLane(lists, lane);
            String which = "The threads of " + LaneId.of(id, lane) + " run on any core, not on " + cores + ": ";
            CoreBinding.problem(cores).ifPresent(problem -> warnings.add(which + problem));
        }
        warnings.forEach(LOG::warn);
        if (!lists.isEmpty() && warnings.isEmpty()) {
            LOG.info("Lanes are bound to cores: node={} {}={}", id, setting, lists);
        }
        return new LaneCores(id, lists, warnings);
    }

    /** Returns whether lanes are bound, so that a lane must not share threads with others. */
    boolean isBound() {
        return !lists.isEmpty();
    }

    /** Runs a part of the start of a lane. */
    void run(int lane, Runnable part) {
        start(lane, () -> {
            part.run();
            return lane;
        });
    }

    /** Runs a part of the start of a lane, and returns its result. */
    <T> T start(int lane, Supplier<T> part) {
        return CoreBinding.within(CoreLists.ofLane(lists, lane), part);
    }
}
