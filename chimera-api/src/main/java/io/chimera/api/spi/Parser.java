package io.chimera.api.spi;

/**
 * Turns the bytes of one protocol into data points. One instance serves one connection or request at a time. One thread
 * at a time calls an instance. A parser may keep state between calls.
 */
public interface Parser extends AutoCloseable {
    /**
     * Consumes as many whole points as possible from the front of the chunk, hands each point to the sink, and marks
     * the bytes as consumed in the chunk. The parser leaves an unfinished point in the chunk. In the last chunk the
     * parser parses or rejects an unfinished point. The parser rejects a bad point through the sink, never by an
     * exception, and keeps all good points.
     *
     * @param chunk input; on return the offset of the chunk stands after the consumed bytes
     * @param sink destination of the points
     * @return true when every complete point was consumed; false when the sink was full: the source calls again later
     *     with the same chunk, and no point may be lost or repeated
     */
    boolean parse(Chunk chunk, PointSink sink);

    /**
     * Discards an unfinished request, so that the next chunk begins a new request. The parser may then stay idle for a
     * long time, so {@code reset} must drop all references to chunk and sink; the source owns their memory.
     */
    default void reset() {}

    /** Called once after the last chunk. */
    @Override
    default void close() {}
}
