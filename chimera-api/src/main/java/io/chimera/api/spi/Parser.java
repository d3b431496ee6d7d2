package io.chimera.api.spi;

/**
 * Turns the bytes of one protocol into data points. One instance serves one connection or request at a time and is
 * called by one thread at a time; it may keep state between calls.
 */
public interface Parser extends AutoCloseable {
    /**
     * Consumes as many whole points as it can from the front of the chunk, handing each to the sink, and marks them as
     * consumed in the chunk. A point that is not finished is left in the chunk, unless the chunk is the last: then it
     * is parsed, or rejected, as it stands. A bad point is rejected through the sink, never by an exception, and costs
     * no good one.
     *
     * @param chunk input; on return its offset stands behind what was consumed
     * @param sink where the points go
     * @return true when all that could be consumed was; false when the sink had no room: call again later with the same
     *     chunk, and nothing is lost or repeated
     */
    boolean parse(Chunk chunk, PointSink sink);

    /**
     * Forgets an unfinished request, so that the next chunk begins a new one. The parser may lie idle after it for
     * long, so it lets go of chunk and sink, whose memory belongs to others.
     */
    default void reset() {}

    /** Called once after the last chunk. */
    @Override
    default void close() {}
}
