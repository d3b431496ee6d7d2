package io.chimera.common.cluster;

/**
 * The copy of the control state that a queue node keeps on its disk. Asked for by one thread; what is kept, and why it is not, any
 * thread.
 */
public interface ControlCopy {
    /** The newest state that is durable; {@link ControlState#NONE} before the first. */
    ControlState kept();

    /** Begins to make a state durable; {@link #kept} shows when that is done. Replaces a state that waits. */
    void keep(ControlState next);

    /** Why the newest state could not be made durable, with what to do; empty when it could. */
    String trouble();
}
