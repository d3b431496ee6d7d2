package io.chimera.dataset.source.xrootd.connection;

import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import java.nio.ByteBuffer;

/**
 * End of an exchange.
 *
 * @param status OK when the answer is complete, or ERROR, REDIRECT, WAIT, AUTH_MORE
 * @param detail body of an answer other than OK; empty for OK
 */
public record ExchangeOutcome(AnswerStatus status, ByteBuffer detail) {
    static final ExchangeOutcome COMPLETE = new ExchangeOutcome(AnswerStatus.OK, ByteBuffer.allocate(0));
}
