package io.chimera.common.composition;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Transform;
import io.chimera.common.error.ChimeraException;
import java.util.Arrays;
import java.util.BitSet;

/**
 * A block at work: gives points to the instance of their partition, or to the one that there is, and lets on what it emits.
 * A block that throws is reported, and what it emitted for the point dropped. The thread of the block.
 */
final class BlockRunner implements PointConsumer {
    /** Partition of what a block without state emits at the end of a cycle. */
    static final int NO_PARTITION = -1;

    private final PlannedBlock block;
    private final BlockFaults faults;
    private final Emissions emissions;

    /** By partition; one where the block keeps nothing. */
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

    private Transform create() {
        try {
            return block.type().create(block.context());
        } catch (Exception | LinkageError e) {
            throw new ChimeraException(
                    ChimeraException.Category.FATAL,
                    "Block " + block.name() + " of type " + block.type().name() + " cannot be made (" + e
                            + "); correct its keys or its plugin.",
                    e);
        }
    }

    /** Begins the state of a partition, from nothing. */
    void open(int partition) {
        if (block.hasState() && instances[partition] == null) {
            instances[partition] = create();
        }
    }

    /** Lets go of the state of a partition. */
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
            throw new IllegalStateException("The point belongs to no partition whose state is here (" + partition
                    + "): a block that emits at the end of a cycle has to declare a horizon.");
        }
        return instance;
    }

    /** Ends a cycle for partitions, or where the block keeps nothing for itself; {@code only} null means all. */
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

    /** Closes all instances, on whatever thread when the block's is gone. */
    void close() {
        for (int i = 0; i < instances.length; i++) {
            close(i);
        }
        Arrays.fill(instances, null);
    }
}
