package io.chimera.queue;

/**
 * Progress of the last note of a queue node that leaves its group for good. The note says that a later start with the
 * folder of this node must not acknowledge points alone.
 *
 * <pre>
 * from       event                                   to
 * NONE       the drain requests the note             REQUESTED
 * REQUESTED  the note is durable                     DURABLE
 * REQUESTED  the time limit of the write is over     OVERDUE
 * OVERDUE    the note is durable                     DURABLE
 * </pre>
 *
 * No stage leads back: from REQUESTED on, no other note is written.
 */
public enum RemovalNote {
    NONE,
    REQUESTED,
    DURABLE,

    /** The disk refuses the note, or hangs. The write is retried. */
    OVERDUE;

    RemovalNote requested() {
        return this == NONE ? REQUESTED : this;
    }

    RemovalNote overdue() {
        return this == REQUESTED ? OVERDUE : this;
    }

    RemovalNote written() {
        return this == NONE ? NONE : DURABLE;
    }
}
