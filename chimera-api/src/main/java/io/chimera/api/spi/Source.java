package io.chimera.api.spi;

/**
 * An input that fetches its points itself: from a device, a queue, a file. Chosen by its name as {@code type} of an input, which
 * then listens nowhere. One instance per input and queue node, called by one thread of its own.
 *
 * <p>When a call throws, or points could not be journaled, the instance is closed and another one opened after a pause. So a
 * source that keeps positions begins at the last one for which {@link #journaled} was called, and loses nothing.
 */
public interface Source extends Plugin, AutoCloseable {
    /**
     * Called once before the first poll.
     *
     * @param context the input's name and settings
     * @throws Exception when it cannot begin; tried again after a pause
     */
    default void open(PluginContext context) throws Exception {}

    /**
     * Gives the points that there are, some thousands at most. It may wait for points, for no longer than a second.
     *
     * @param out takes the points; valid during the call. It may wait for room, which slows the source down to what the node takes
     * @return false when there was nothing, so that it is called again after a pause
     * @throws Exception when points cannot be had; tried again after a pause, with another instance
     */
    boolean poll(PointBuilder out) throws Exception;

    /**
     * All points of all polls so far are as safe as {@code journal.sync} and {@code queue.acks} ask for: the place to move a
     * position on.
     *
     * @throws Exception when the position cannot be moved; handled as in {@link #poll}
     */
    default void journaled() throws Exception {}

    /** Called once after the last poll. */
    @Override
    default void close() {}
}
