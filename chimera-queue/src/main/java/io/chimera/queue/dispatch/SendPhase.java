package io.chimera.queue.dispatch;

/**
 * State of one part of a shard at its sender. The processor's {@code PartState} is the receiving half; docs/protocol.md
 * has one table of both halves.
 *
 * <pre>
 * from     event                                                        to
 * PENDING  a transmission of the part begins                            SENDING
 * SENDING  END is sent                                                  SENT
 * SENDING  the transmission was aborted, or its receiver was deferred   PENDING
 * SENDING  OK for the slice                                             HELD
 * SENDING  NEED for another slice                                       PENDING
 * SENT     OK for the slice                                             HELD
 * SENT     NEED                                                         PENDING
 * HELD     NEED                                                         PENDING
 * PENDING  OK for the slice                                             HELD
 * any      the shard is assigned to another processor                   PENDING
 * SENDING  the connection is replaced                                   PENDING
 * SENT     the connection is replaced                                   PENDING
 * </pre>
 *
 * <p>A processor keeps complete parts for the life of its session, so HELD survives a new connection. OK and NEED count
 * only from the processor of the part.
 */
enum SendPhase {
    /** Nothing was sent, or the sent frames no longer count. */
    PENDING,
    /** A transmission is in progress. */
    SENDING,
    /** All frames are sent; the processor has not answered yet. */
    SENT,
    /** The processor holds the part. */
    HELD
}
