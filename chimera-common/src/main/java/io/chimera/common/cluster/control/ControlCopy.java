package io.chimera.common.cluster.control;

/**
 * Stores a copy of the control state on the disk of a queue node. One thread calls {@link #keep}; any thread may call
 * the other methods.
 */
public interface ControlCopy {
    /** Newest durable state; {@link ControlState#NONE} before the first. */
    ControlState kept();

    /** Schedules the durable write of a state; {@link #kept} shows the completion. Replaces a pending state. */
    void keep(ControlState next);

    /** Error of the last write with a remedy; empty after a success. */
    String trouble();
}
