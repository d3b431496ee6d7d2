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
 * blocks run on threads of their own. The output and its order are a function of the input and its order, because no
 * block and no output has more than one preceding thread. The result without own threads is the same. Allocates nothing
 * in steady state.
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
    private final Map<String, BlockRunner> runners = new LinkedHashMap<>();
    private final Map<String, PointConsumer> entries = new LinkedHashMap<>();
    private final Map<String, Stage> stages = new LinkedHashMap<>();
    private final Stage callers = new Stage(BlockGraph.CALLER, -1, this);
    private final PointConsumer[] first;

    /** Queue for output from other threads to the caller's thread; null if no output leaves another thread. */
    private PointQueue back;

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
        first = takersOf(new GateRef(GateRef.INPUT, ""), callers);
        stages.values().forEach(threads == null ? stage -> {} : threads::start);
    }

    private void addBlock(PlannedBlock block, BlockFaults faults) {
        Stage stage = stageOf(block);
        PointConsumer[][] takers = block.wiring().gates().stream()
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
        if (threads == null || block.place().thread().equals(BlockGraph.CALLER)) {
            return callers;
        }
        int cpu = plan.blocks().stream()
                .filter(other -> other.name().equals(block.place().thread()))
                .mapToInt(other -> other.place().cpu())
                .findFirst()
                .orElse(-1);
        return stages.computeIfAbsent(block.place().thread(), name -> new Stage(name, cpu, this));
    }

    /** Returns the consumers of a gate of a block in the given stage, in the order of the plan. */
    private PointConsumer[] takersOf(GateRef gate, Stage from) {
        List<PointConsumer> takers = new ArrayList<>();
        for (PlannedBlock block : plan.blocks()) {
            if (block.wiring().from().contains(gate)) {
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
     * Creates empty state for a partition. Call only between cycles, or after {@link #drain}.
     *
     * @param partition 0 to the plan's partitions - 1
     */
    public void open(int partition) {
        requireQuiet();
        runners.values().forEach(runner -> runner.open(partition));
    }

    /** Drops the state of a partition. Call only between cycles, or after {@link #drain}. */
    public void forget(int partition) {
        requireQuiet();
        runners.values().forEach(runner -> runner.forget(partition));
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
        if (back != null) {
            back.poll();
        }
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
     * Waits briefly for an overloaded stage.
     *
     * @param isCaller whether the waiting thread is the caller's thread, which delivers output in the meantime
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

    /** Stops the threads and closes the blocks; points in transit are lost. */
    @Override
    public void close() {
        isClosed = true;
        if (threads != null) {
            threads.close();
        }
        runners.values().forEach(BlockRunner::close);
    }
}
