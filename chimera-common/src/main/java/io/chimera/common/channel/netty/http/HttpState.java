package io.chimera.common.channel.netty.http;

/**
 * State of an HTTP connection, on its event loop.
 *
 * <pre>
 * from                         event                                           to
 * FIRST_HEAD, NEXT_HEAD        headers admitted by the handler                 BODY
 * BODY                         the body is complete                            HANDLING
 * HANDLING                     the handler has no room                         DEFERRED
 * DEFERRED                     retry                                           HANDLING
 * HANDLING                     an answer begins                                ANSWERING
 * ANSWERING                    the answer is sent and the connection stays     NEXT_HEAD
 * FIRST_HEAD, NEXT_HEAD, BODY  refusal, too slow, eviction, the node stops     LINGERING
 * FIRST_HEAD                   foreign protocol, too many connections          LINGERING
 * any                          client gone, idle, last answer sent             the channel has closed
 * </pre>
 */
enum HttpState {
    /** Headers of the first request are expected, within a time limit from the begin of the connection. */
    FIRST_HEAD,
    /** Headers of a later request are expected, within a time limit from their first byte. */
    NEXT_HEAD,
    /** The body of an admitted request is collected. */
    BODY,
    /** The handler has the complete request. */
    HANDLING,
    /** The handler had no room for the complete request, and gets the request again. */
    DEFERRED,
    /** An answer is sent. */
    ANSWERING,
    /** A refusal is sent, and input is discarded until the connection closes. */
    LINGERING;

    boolean isHead() {
        return this == FIRST_HEAD || this == NEXT_HEAD;
    }

    /** Returns whether the connection waits for input of the client. */
    boolean isReading() {
        return isHead() || this == BODY;
    }

    /** Returns whether a complete request has no answer yet. */
    boolean isUnanswered() {
        return this == HANDLING || this == DEFERRED;
    }
}
