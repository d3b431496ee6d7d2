package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Transform;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Runs a block: passes points to the instance of their partition, or to the only instance, and forwards the emitted
 * points. If the block throws, the runner reports the fault and drops the output for the point. Runs on the thread of
 * the block.
 */
final class BlockRunner implements PointConsumer {
    /** Partition of points emitted at the end of a cycle by a block without state. */
    static final int NO_PARTITION = -1;

    private final PlannedBlock block;
    private final BlockFaults faults;
    private final Emissions emissions;

    /** Instances by partition; a single instance for a block without state. */
    private final Transform[] instances;

    BlockRunner(PlannedBlock block, int partitions, PointConsumer[][] takers, BlockFaults faults) {
        this.block = block;
        this.faults = faults;
        emissions = new Emissions(takers);
        instances = new Transform[block.hasState() ? partitions : 1];
        if (!block.hasState()) {
            instances[0] = create();
        }
    }

    /** Returns the runner of a block. */
    static BlockRunner find(List<BlockRunner> runners, String block) {
        return runners.stream()
                .filter(runner -> runner.block.name().equals(block))
                .findFirst()
                .orElseThrow();
    }

    boolean hasState() {
        return block.hasState();
    }

    private Transform create() {
        try {
            return block.type().create(block.context());
        } catch (Exception | LinkageError e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "Block " + block.name() + " of type " + block.type().name() + " cannot be created (" + e
                            + "). Correct its settings or its plugin.",
                    e);
        }
    }

    /** Creates empty state for a partition. */
    void open(int partition) {
        if (block.hasState() && instances[partition] == null) {
            instances[partition] = create();
        }
    }

    /** Drops the state of a partition. */
    void forget(int partition) {
        if (block.hasState()) {
            close(partition);
        }
    }

    @Override
    @HotPath
    public void accept(PointFlyweight point, int partition) {
        emissions.begin(point, partition);
        try {
            instanceOf(partition).apply(point, emissions);
        } catch (Exception | LinkageError | StackOverflowError | AssertionError e) {
            emissions.drop();
            faults.onFault(block.name(), point, e);
        }
        emissions.forward();
    }

    private Transform instanceOf(int partition) {
        Transform instance = instances.length == 1 && !block.hasState()
                ? instances[0]
                : partition == NO_PARTITION ? null : instances[partition];
        if (instance == null) {
            throw new IllegalStateException("No state for the partition of the point (" + partition
                    + "). A block with output at the end of a cycle must declare a horizon.");
        }
        return instance;
    }

    /**
     * Ends a cycle for some partitions, or for all if {@code only} is null. A block without state ends the cycle only
     * in the latter case.
     */
    void endCycle(long timeNs, BitSet only) {
        if (!block.hasState()) {
            if (only == null) {
                end(instances[0], timeNs, NO_PARTITION);
            }
            return;
        }
        for (int i = 0; i < instances.length; i++) {
            if (instances[i] != null && (only == null || only.get(i))) {
                end(instances[i], timeNs, i);
            }
        }
    }

    /** Ends a cycle for one partition, or for the only instance with {@link #NO_PARTITION}. */
    void endCycle(long timeNs, int partition) {
        end(instances[partition == NO_PARTITION ? 0 : partition], timeNs, partition);
    }

    private void end(Transform instance, long timeNs, int partition) {
        emissions.beginEnd(timeNs, partition);
        try {
            instance.endCycle(timeNs, emissions);
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            emissions.drop();
            if (e == emissions.foreign()) {
                throw e;
            }
            faults.onFault(block.name(), null, e);
        }
    }

    private void close(int partition) {
        Transform instance = instances[partition];
        instances[partition] = null;
        if (instance != null) {
            try {
                instance.close();
            } catch (Exception | LinkageError e) {
                faults.onFault(block.name(), null, e);
            }
        }
    }

    /** Closes all instances; any thread may call this method after the end of the block's thread. */
    void close() {
        for (int i = 0; i < instances.length; i++) {
            close(i);
        }
        Arrays.fill(instances, null);
    }
}
