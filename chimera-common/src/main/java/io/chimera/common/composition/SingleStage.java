package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.common.agent.AgentThreads;
import io.chimera.common.agent.CoreBinding;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.agrona.concurrent.Agent;

/**
 * Blocks of one thread of a composition, in the order of the plan. The stage of the caller's thread is called directly.
 * Every other stage has a queue, or a merge of the queues of a pool, and the stage is the agent that empties the queue.
 * Output to other threads goes into their queues; a full queue blocks the producer.
 */
final class SingleStage implements Stage, Agent {
    private final String name;
    private final int cpu;
    private final Composition composition;
    private final List<BlockRunner> runners = new ArrayList<>();
    private final List<Stage> next = new ArrayList<>();

    /** Queue before this stage; null for the caller's thread, and with a {@link #merge}. */
    private PointQueue queue;

    /** Merge of the queues of a preceding pool; null without such a pool. */
    private PoolMerge merge;

    private boolean isFedByCaller;

    private long marks;

    /** Number of processed marks, written by the thread of the stage. */
    private volatile long marksDone;

    /** Fatal error of this stage; points were lost, and the composition is unusable. */
    private volatile Throwable failure;

    SingleStage(String name, int cpu, Composition composition) {
        this.name = name;
        this.cpu = cpu;
        this.composition = composition;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public int threads() {
        return 1;
    }

    @Override
    public void add(BlockRunner runner, int thread) {
        runners.add(0, runner);
    }

    @Override
    public BlockRunner runner(String block, int thread) {
        return BlockRunner.find(runners, block);
    }

    @Override
    public PointConsumer entry(String head, Stage from, int thread) {
        BlockRunner first = runner(head, 0);
        if (from instanceof PooledStage pool) {
            merge = merge == null ? pool.merge(first, this::onMark) : merge;
            return pool.port(thread);
        }
        if (queue == null) {
            queue = new PointQueue(first, this::onMark);
            isFedByCaller = composition.isCallers(from);
            ((SingleStage) from).next.add(this);
        }
        return this::give;
    }

    @Override
    public PointConsumer exit(int thread) {
        return composition.exitOf(this);
    }

    @HotPath
    private void give(PointFlyweight point, int partition) {
        while (!queue.offer(point, partition, 0)) {
            composition.waitForRoom(isFedByCaller);
        }
    }

    @Override
    public void giveMark(int kind, long value) {
        while (!queue.offerMark(kind, 0, value, 0)) {
            composition.waitForRoom(isFedByCaller);
        }
    }

    private void onMark(int kind, int partition, long value) {
        end(kind, value);
        marksDone = ++marks;
    }

    /** Processes a mark: ends a cycle in the blocks, then sends the mark to the next stages, after all points. */
    void end(int kind, long value) {
        if (kind == END_OF_CYCLE) {
            BitSet only = composition.ending();
            for (BlockRunner runner : runners) {
                runner.endCycle(value, only);
            }
        }
        for (Stage stage : next) {
            stage.giveMark(kind, value);
        }
    }

    /** Registers a pool as a consumer of the blocks. */
    void leadsTo(PooledStage pool) {
        next.add(pool);
    }

    @Override
    public void open(int partition) {
        runners.forEach(runner -> runner.open(partition));
    }

    @Override
    public void forget(int partition) {
        runners.forEach(runner -> runner.forget(partition));
    }

    @Override
    public void start(AgentThreads threads) {
        threads.start(this);
    }

    @Override
    public long marksDone() {
        return marksDone;
    }

    @Override
    public Throwable failure() {
        return failure;
    }

    @Override
    public void close() {
        runners.forEach(BlockRunner::close);
    }

    @Override
    public void onStart() {
        if (cpu >= 0) {
            CoreBinding.bind(Set.of(cpu), roleName());
        }
    }

    @Override
    public int doWork() {
        if (failure != null) {
            return 0;
        }
        try {
            return merge == null ? queue.poll() : merge.poll();
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
