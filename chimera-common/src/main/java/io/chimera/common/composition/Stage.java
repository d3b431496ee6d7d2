package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.CoreBinding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.agrona.concurrent.Agent;

/**
 * The blocks of one thread of a composition, in the order of the plan. That of the caller is called; the others have a queue,
 * and this is the agent that empties it. What its blocks give to other threads goes into their queues, which wait for room.
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

    /** Marks that came through, written by the thread of the stage. */
    private volatile long marksDone;

    /** What ended the work of this stage; then points were lost, and the composition is of no use any more. */
    private volatile Throwable failure;

    Stage(String name, int cpu, Composition composition) {
        this.name = name;
        this.cpu = cpu;
        this.composition = composition;
    }

    void add(BlockRunner runner) {
        runners.add(0, runner); // blocks are made from the last to the first
    }

    /** Points come to a block of this stage through a queue. */
    PointConsumer queueAhead(BlockRunner head) {
        queue = new PointQueue(head, this::onMark);
        return this::give;
    }

    /** Blocks of this stage, which is the caller's or not, give points to another. */
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

    /** Ends a cycle in the blocks, or nothing, and lets the next stages do the same behind all points that go to them. */
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
