package io.chimera.api.spi;

/**
 * An input that fetches its points actively: from a device, a queue, a file. The configuration selects the source by
 * name with the key {@code type} of an input; such an input has no listener. Every queue node runs one instance per
 * input, on a dedicated thread.
 *
 * <p>When a call throws, or points could not be journaled, the node closes the instance and opens a new instance after
 * a pause. A source with positions continues at the position of the last call of {@link #journaled}, and loses no
 * point.
 */
public interface Source extends Plugin, AutoCloseable {
    /**
     * Opens the source. Called once before the first poll.
     *
     * @param context name and settings of the input
     * @throws Exception when the source cannot start; the node retries after a pause
     */
    default void open(PluginContext context) throws Exception {}

    /**
     * Emits the available points, at most a few thousand. May wait up to a second for points.
     *
     * @param out receives the points; valid during the call. A call may block until the node has room, so the node
     *     throttles the source
     * @return false when no point was available; the node then pauses before the next poll
     * @throws Exception when points cannot be fetched; the node retries after a pause, with a new instance
     */
    boolean poll(PointBuilder out) throws Exception;

    /**
     * Reports that all points of all polls so far are as safe as {@code journal.sync} and {@code queue.acks} require. A
     * source commits its position here.
     *
     * @throws Exception when the position cannot be committed; handled like an exception of {@link #poll}
     */
    default void journaled() throws Exception {}

    /** Called once after the last poll. */
    @Override
    default void close() {}
}
