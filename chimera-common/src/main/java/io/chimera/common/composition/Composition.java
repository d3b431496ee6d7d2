package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.config.pipeline.BlockGraph;
import io.chimera.common.config.pipeline.GateRef;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * Runs a composition. One thread supplies the points, and the same thread passes the output to the consumer; queued
 * blocks run on threads of their own, or on pools of threads. The output and its order are a function of the input and
 * its order, because no block and no output has more than one preceding thread or pool, and the output of a pool has
 * the order of its input. The result without own threads is the same. Allocates nothing in steady state.
 *
 * <p>After an exception points may be lost inside the composition: the caller must close the composition and process
 * the input again with a new one.
 */
public final class Composition implements AutoCloseable {
    /** Idle strategy while a queue is full. A full queue has a backlog of 4 MiB, some milliseconds of work. */
    private static final SleepingIdleStrategy WAITING = new SleepingIdleStrategy(TimeUnit.MICROSECONDS.toNanos(20));

    private final CompositionPlan plan;
    private final PointConsumer out;
    private final AgentThreads threads;
    private final Map<String, Stage> stages = new LinkedHashMap<>();
    private final SingleStage callers = new SingleStage(BlockGraph.CALLER, -1, this);
    private final Stage[] queued;
    private final PointConsumer[] first;

    /** Queue for output from another thread to the caller's thread; null if no output leaves a single thread. */
    private PointQueue back;

    /** Merge of the output from a pool for the caller's thread; null if no output leaves a pool. */
    private PoolMerge backOfPool;

    /** Partitions of the ending cycle; null for all. Stages read this field after receiving a mark. */
    private BitSet ending;

    private long marks;
    private boolean isQuiet = true;
    private volatile boolean isClosed;

    /**
     * Creates the blocks and starts their threads.
     *
     * @param plan plan of the composition
     * @param out consumer of the output, called on the thread of the input
     * @param faults handler of block failures, called on the thread of the block
     * @param threads threads of the queued blocks, used exclusively and closed with this composition; null runs all
     *     blocks on the thread of the input, e.g. in simulations
     */
    public Composition(CompositionPlan plan, PointConsumer out, BlockFaults faults, AgentThreads threads) {
        this.plan = plan;
        this.out = out;
        this.threads = threads;
        for (int i = plan.blocks().size() - 1; i >= 0; i--) { // creates consumers before their producers
            addBlock(plan.blocks().get(i), faults);
        }
        first = takersOf(new GateRef(GateRef.INPUT, ""), callers, 0);
        queued = stages.values().toArray(Stage[]::new);
        for (Stage stage : queued) {
            stage.start(threads);
        }
    }

    private void addBlock(PlannedBlock block, BlockFaults faults) {
        Stage stage = stageOf(block);
        for (int i = 0; i < stage.threads(); i++) {
            int thread = i;
            PointConsumer[][] takers = block.wiring().gates().stream()
                    .map(gate -> takersOf(new GateRef(block.name(), gate), stage, thread))
                    .toArray(PointConsumer[][]::new);
            stage.add(new BlockRunner(block, plan.partitions(), takers, faults), thread);
        }
    }

    private boolean hasQueue(PlannedBlock block) {
        return threads != null && block.isQueued();
    }

    private Stage stageOf(PlannedBlock block) {
        if (threads == null || block.place().thread().equals(BlockGraph.CALLER)) {
            return callers;
        }
        return stages.computeIfAbsent(block.place().thread(), this::newStage);
    }

    private Stage newStage(String thread) {
        List<PlannedBlock> blocks = plan.blocks().stream()
                .filter(block -> block.place().thread().equals(thread))
                .toList();
        PlannedBlock.Place place = blocks.get(0).place();
        return place.pool() == 1
                ? new SingleStage(thread, place.cpu(), this)
                : new PooledStage(
                        thread,
                        place.pool(),
                        blocks.stream().anyMatch(PlannedBlock::hasState),
                        plan.partitions(),
                        this);
    }

    /** Returns the consumers of a gate of a block on a thread of the given stage, in the order of the plan. */
    private PointConsumer[] takersOf(GateRef gate, Stage from, int thread) {
        List<PointConsumer> takers = new ArrayList<>();
        for (PlannedBlock block : plan.blocks()) {
            if (block.wiring().from().contains(gate)) {
                takers.add(
                        hasQueue(block)
                                ? stageOf(block).entry(block.name(), from, thread)
                                : from.runner(block.name(), thread));
            }
        }
        if (plan.output().contains(gate)) {
            takers.add(from.exit(thread));
        }
        return takers.toArray(PointConsumer[]::new);
    }

    boolean isCallers(Stage stage) {
        return stage == callers;
    }

    /** Returns the consumer of output from a single thread. */
    PointConsumer exitOf(SingleStage stage) {
        if (stage == callers) {
            return out;
        }
        if (back == null) {
            back = new PointQueue(out, (kind, partition, value) -> {});
        }
        return (point, partition) -> {
            while (!back.offer(point, partition, 0)) {
                waitForRoom(false);
            }
        };
    }

    /** Makes the output of a pool leave the composition. */
    void leaves(PooledStage pool) {
        if (backOfPool == null) {
            backOfPool = pool.merge(out, (kind, partition, value) -> {});
        }
    }

    private int takeBack() {
        if (backOfPool != null) {
            return backOfPool.poll();
        }
        return back == null ? 0 : back.poll();
    }

    /**
     * Creates empty state for a partition. Call only between cycles, or after {@link #drain}.
     *
     * @param partition 0 to the plan's partitions - 1
     */
    public void open(int partition) {
        requireQuiet();
        callers.open(partition);
        for (Stage stage : queued) {
            stage.open(partition);
        }
    }

    /** Drops the state of a partition. Call only between cycles, or after {@link #drain}. */
    public void forget(int partition) {
        requireQuiet();
        callers.forget(partition);
        for (Stage stage : queued) {
            stage.forget(partition);
        }
    }

    private void requireQuiet() {
        if (!isQuiet) {
            throw new IllegalStateException("Points may be in transit; end the cycle or drain first.");
        }
    }

    /**
     * Processes a point. Blocks while an internal queue is full.
     *
     * @param point valid during the call
     * @param partition partition of the point; must be open if blocks have state
     */
    @HotPath
    public void apply(PointFlyweight point, int partition) {
        isQuiet = false;
        for (PointConsumer taker : first) {
            taker.accept(point, partition);
        }
        takeBack();
    }

    /**
     * Ends a cycle: every block receives the end after all points of the cycle. All output of the cycle has been
     * delivered when the method returns.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970
     */
    public void endCycle(long timeNs) {
        endCycle(timeNs, null);
    }

    /**
     * Ends a cycle for some partitions, to rebuild their state independently of the other partitions.
     *
     * @param timeNs time of the cycle, nanoseconds since 1970
     * @param partitions the partitions; null for all partitions and for the blocks without state
     */
    public void endCycle(long timeNs, BitSet partitions) {
        ending = partitions;
        finish(true, timeNs);
    }

    /** Waits until all input has been processed and all output delivered. */
    public void drain() {
        finish(false, 0);
    }

    private void finish(boolean isCycle, long timeNs) {
        callers.end(isCycle ? Stage.END_OF_CYCLE : Stage.PLAIN, timeNs);
        marks++;
        for (Stage stage : queued) {
            while (stage.marksDone() < marks) {
                waitForRoom(true);
            }
        }
        while (takeBack() > 0) {}
        isQuiet = true;
    }

    /** Returns the use of the thread pools. Any thread. */
    public List<PoolUse> pools() {
        List<PoolUse> pools = new ArrayList<>();
        for (Stage stage : queued) {
            if (stage instanceof PooledStage pool) {
                pools.add(pool.use());
            }
        }
        return pools;
    }

    BitSet ending() {
        return ending;
    }

    /**
     * Waits briefly for an overloaded stage.
     *
     * @param isCaller whether the waiting thread is the caller's thread, which delivers output in the meantime
     */
    void waitForRoom(boolean isCaller) {
        for (Stage stage : queued) {
            Throwable failure = stage.failure();
            if (failure != null) {
                throw new IllegalStateException(
                        "The thread of block " + stage.name() + " failed; points were lost in it.", failure);
            }
        }
        if (isClosed) {
            throw new IllegalStateException("The composition is closed.");
        }
        if (isCaller && takeBack() > 0) {
            return;
        }
        WAITING.idle();
    }

    /** Stops the threads and closes the blocks; points in transit are lost. */
    @Override
    public void close() {
        isClosed = true;
        if (threads != null) {
            threads.close();
        }
        callers.close();
        for (Stage stage : queued) {
            stage.close();
        }
    }
}
