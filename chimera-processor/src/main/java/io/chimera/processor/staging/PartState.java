package io.chimera.processor.staging;

/**
 * State of the staged data of a part: the receiving half of the part protocol. The sending half is {@code SendPhase} in
 * the queue node; docs/protocol.md has one table of both halves.
 *
 * <pre>
 * from       event                                             to
 * EMPTY      first frame of a transmission                     RECEIVING
 * RECEIVING  first frame of another transmission               RECEIVING, from nothing
 * RECEIVING  END with the totals and checksum of the data      WHOLE
 * RECEIVING  END with other totals, other owner, new slice     EMPTY
 * RECEIVING  broken frame, full memory                         REFUSED
 * RECEIVING  an aggregator throws                              FAILED
 * REFUSED    first frame of a transmission                     RECEIVING
 * FAILED     first frame of a transmission                     RECEIVING
 * WHOLE      the sender was not the owner, new slice           EMPTY
 * FAILED     END; the part is requested again                  FAILED
 * any        the shard has to give its room to an older shard  EMPTY
 * </pre>
 */
enum PartState {
    /** Nothing is staged. */
    EMPTY,
    /** A transmission is in progress. */
    RECEIVING,
    /** The transmission has ended, and its totals match the staged data. */
    WHOLE,
    /** Nothing is staged, and the rest of the transmission is ignored: an immediate request makes no sense. */
    REFUSED,
    /** Nothing is staged, because an aggregator threw; the part is requested again once the transmission ends. */
    FAILED
}
