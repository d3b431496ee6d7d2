package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.config.BlockGraph;
import io.chimera.common.config.GateRef;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * A composition at work. Points are given on one thread, and those that leave are given to the consumer on the same; queued
 * blocks have threads between. What leaves, and in which order, is a function of what was given, in its order: no block and
 * no output has two threads behind it. Without threads of its own the result is the same. Allocates nothing in a steady state.
 *
 * <p>When it throws, points were lost within: it is closed then, and what was given to it is given to a new one.
 */
public final class Composition implements AutoCloseable {
    /** A full queue has 4 MiB ahead of it: some milliseconds of work. */
    private static final SleepingIdleStrategy WAITING = new SleepingIdleStrategy(TimeUnit.MICROSECONDS.toNanos(20));

    private final CompositionPlan plan;
    private final PointConsumer out;
    private final AgentThreads threads;
    private final Map<String, BlockRunner> runners = new LinkedHashMap<>();
    private final Map<String, PointConsumer> entries = new LinkedHashMap<>();
    private final Map<String, Stage> stages = new LinkedHashMap<>();
    private final Stage callers = new Stage(BlockGraph.CALLER, -1, this);
    private final PointConsumer[] first;

    /** By it comes back what leaves on another thread than the caller's; null where nothing does. */
    private PointQueue back;

    /** Partitions that end a cycle; null for all. Read by all stages behind a mark. */
    private BitSet ending;

    private long marks;
    private boolean isQuiet = true;
    private volatile boolean isClosed;

    /**
     * Makes the blocks and starts their threads.
     *
     * @param plan says how they are put together
     * @param out takes what leaves, on the thread that gives
     * @param faults hears of blocks that throw, on the thread of the block
     * @param threads for the queued blocks, used by nobody else and closed with this; null runs all blocks on the thread that
     *     gives, as simulations want it
     */
    public Composition(CompositionPlan plan, PointConsumer out, BlockFaults faults, AgentThreads threads) {
        this.plan = plan;
        this.out = out;
        this.threads = threads;
        for (int i = plan.blocks().size() - 1; i >= 0; i--) { // so that those who take are there before those who give
            addBlock(plan.blocks().get(i), faults);
        }
        first = takersOf(new GateRef(GateRef.INPUT, ""), callers);
        stages.values().forEach(threads == null ? stage -> {} : threads::start);
    }

    private void addBlock(PlannedBlock block, BlockFaults faults) {
        Stage stage = stageOf(block);
        PointConsumer[][] takers = block.gates().stream()
                .map(gate -> takersOf(new GateRef(block.name(), gate), stage))
                .toArray(PointConsumer[][]::new);
        BlockRunner runner = new BlockRunner(block, plan.partitions(), takers, faults);
        runners.put(block.name(), runner);
        stage.add(runner);
        entries.put(block.name(), hasQueue(block) ? stage.queueAhead(runner) : runner);
    }

    private boolean hasQueue(PlannedBlock block) {
        return threads != null && block.isQueued();
    }

    private Stage stageOf(PlannedBlock block) {
        if (threads == null || block.thread().equals(BlockGraph.CALLER)) {
            return callers;
        }
        int cpu = plan.blocks().stream()
                .filter(other -> other.name().equals(block.thread()))
                .mapToInt(PlannedBlock::cpu)
                .findFirst()
                .orElse(-1);
        return stages.computeIfAbsent(block.thread(), name -> new Stage(name, cpu, this));
    }

    /** Who takes what leaves by a gate of a block of the given stage, in the order of the plan. */
    private PointConsumer[] takersOf(GateRef gate, Stage from) {
        List<PointConsumer> takers = new ArrayList<>();
        for (PlannedBlock block : plan.blocks()) {
            if (block.from().contains(gate)) {
                takers.add(entries.get(block.name()));
                if (hasQueue(block)) {
                    from.leadsTo(stageOf(block), from == callers);
                }
            }
        }
        if (plan.output().contains(gate)) {
            takers.add(from == callers ? out : leaveFrom(from));
        }
        return takers.toArray(PointConsumer[]::new);
    }

    private PointConsumer leaveFrom(Stage stage) {
        if (back == null) {
            back = new PointQueue(out, (kind, value) -> {});
        }
        return (point, partition) -> {
            while (!back.offer(point, partition)) {
                waitForRoom(stage, false);
            }
        };
    }

    /**
     * Begins the state of a partition from nothing. Between cycles, or behind {@link #drain}.
     *
     * @param partition 0 to the plan's partitions - 1
     */
    public void open(int partition) {
        requireQuiet();
        runners.values().forEach(runner -> runner.open(partition));
    }

    /** Lets go of the state of a partition. Between cycles, or behind {@link #drain}. */
    public void forget(int partition) {
        requireQuiet();
        runners.values().forEach(runner -> runner.forget(partition));
    }

    private void requireQuiet() {
        if (!isQuiet) {
            throw new IllegalStateException("There may be points on the way; end the cycle, or drain, first.");
        }
    }

    /**
     * Takes a point. Waits while a queue within is full.
     *
     * @param point valid during the call
     * @param partition its partition, which has to be open where blocks keep state
     */
    @HotPath
    public void apply(PointFlyweight point, int partition) {
        isQuiet = false;
        for (PointConsumer taker : first) {
            taker.accept(point, partition);
        }
        if (back != null) {
            back.poll();
        }
    }

    /**
     * Ends a cycle: every block hears of it behind all points of the cycle, and all that leaves has left on return.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970
     */
    public void endCycle(long timeNs) {
        endCycle(timeNs, null);
    }

    /**
     * Ends a cycle for some partitions, whose state is rebuilt while that of others is not.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970
     * @param partitions those; null for all, and for the blocks that keep nothing
     */
    public void endCycle(long timeNs, BitSet partitions) {
        ending = partitions;
        finish(true, timeNs);
    }

    /** Waits until all that was given has gone through, and what leaves has left. */
    public void drain() {
        finish(false, 0);
    }

    private void finish(boolean isCycle, long timeNs) {
        callers.end(isCycle, timeNs);
        marks++;
        for (Stage stage : stages.values()) {
            while (stage.marksDone() < marks) {
                waitForRoom(stage, true);
            }
        }
        while (back != null && back.poll() > 0) {}
        isQuiet = true;
    }

    BitSet ending() {
        return ending;
    }

    /**
     * Waits a little for a stage that has too much to do.
     *
     * @param isCaller whether it is the caller who waits, and meanwhile takes what leaves
     */
    void waitForRoom(Stage stage, boolean isCaller) {
        Throwable failure = stage.failure();
        if (failure != null) {
            throw new IllegalStateException(
                    "The thread of block " + stage.name() + " failed; points were lost in it.", failure);
        }
        if (isClosed) {
            throw new IllegalStateException("The composition is closed.");
        }
        if (isCaller && back != null && back.poll() > 0) {
            return;
        }
        WAITING.idle();
    }

    /** Stops the threads and closes the blocks; points that are on the way are lost. */
    @Override
    public void close() {
        isClosed = true;
        if (threads != null) {
            threads.close();
        }
        runners.values().forEach(BlockRunner::close);
    }
}
