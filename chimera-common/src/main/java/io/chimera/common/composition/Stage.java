package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.CoreBinding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.concurrent.Agent;

/**
 * Blocks of one thread of a composition, in the order of the plan. The stage of the caller's thread is called directly.
 * Every other stage has a queue, and the stage is the agent that empties the queue. Output to other threads goes into
 * their queues; a full queue blocks the producer.
 */
final class Stage implements Agent {
    private static final int END_OF_CYCLE = 1;
    private static final int PLAIN = 2;

    private final String name;
    private final int cpu;
    private final Composition composition;
    private final List<BlockRunner> runners = new ArrayList<>();
    private final List<Stage> next = new ArrayList<>();
    private PointQueue queue;
    private boolean isFedByCaller;

    private long marks;

    /** Number of processed marks, written by the thread of the stage. */
    private volatile long marksDone;

    /** Fatal error of this stage; points were lost, and the composition is unusable. */
    private volatile Throwable failure;

    Stage(String name, int cpu, Composition composition) {
        this.name = name;
        this.cpu = cpu;
        this.composition = composition;
    }

    void add(BlockRunner runner) {
        runners.add(0, runner); // blocks are created from last to first
    }

    /** Creates the queue of this stage and returns its producer end. */
    PointConsumer queueAhead(BlockRunner head) {
        queue = new PointQueue(head, this::onMark);
        return this::give;
    }

    /** Registers another stage as a consumer of this stage's blocks. */
    void leadsTo(Stage other, boolean isCallers) {
        other.isFedByCaller = isCallers;
        if (!next.contains(other)) {
            next.add(other);
        }
    }

    @HotPath
    private void give(PointFlyweight point, int partition) {
        while (!queue.offer(point, partition)) {
            composition.waitForRoom(this, isFedByCaller);
        }
    }

    private void giveMark(int kind, long value) {
        while (!queue.offerMark(kind, value)) {
            composition.waitForRoom(this, isFedByCaller);
        }
    }

    private void onMark(int kind, long value) {
        end(kind == END_OF_CYCLE, value);
        marksDone = ++marks;
    }

    /**
     * Ends a cycle in the blocks if {@code isCycle} is true, then sends a mark to the next stages, after all points for
     * them.
     */
    void end(boolean isCycle, long timeNs) {
        if (isCycle) {
            BitSet only = composition.ending();
            for (BlockRunner runner : runners) {
                runner.endCycle(timeNs, only);
            }
        }
        for (Stage stage : next) {
            stage.giveMark(isCycle ? END_OF_CYCLE : PLAIN, timeNs);
        }
    }

    String name() {
        return name;
    }

    long marksDone() {
        return marksDone;
    }

    Throwable failure() {
        return failure;
    }

    @Override
    public void onStart() {
        if (cpu >= 0) {
            CoreBinding.bind(cpu, roleName());
        }
    }

    @Override
    public int doWork() {
        if (failure != null) {
            return 0;
        }
        try {
            return queue.poll();
        } catch (RuntimeException | Error e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public String roleName() {
        return "block-" + name;
    }
}
