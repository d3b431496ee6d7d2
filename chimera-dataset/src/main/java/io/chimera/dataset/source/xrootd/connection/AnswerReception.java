package io.chimera.dataset.source.xrootd.connection;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.AnswerHeader;
import io.chimera.dataset.source.xrootd.wire.AnswerStatus;
import io.chimera.dataset.source.xrootd.wire.PauseAnswer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Receives answers and hands each one to its exchange. Only the reader thread of the connection. */
final class AnswerReception {
    private final LinkInput in;
    private final StreamTable streams;
    private final Duration lateMax;
    private final Clock clock;

    /**
     * Creates a reader.
     *
     * @param in input after the login
     * @param streams exchanges of the connection
     * @param lateMax maximum time for an announced answer
     * @param clock time of the limits
     */
    AnswerReception(LinkInput in, StreamTable streams, Duration lateMax, Clock clock) {
        this.in = in;
        this.streams = streams;
        this.lateMax = lateMax;
        this.clock = clock;
    }

    /** Receives one answer, or one message. */
    void readNext() throws IOException {
        AnswerHeader header = AnswerHeader.decode(in.next(AnswerHeader.BYTES));
        if (header.status() == AnswerStatus.ATTENTION) {
            AnswerHeader inside = readMessage(header.length());
            if (inside != null) {
                receive(inside);
            }
        } else {
            receive(header);
        }
    }

    /** Returns the header of the answer inside a message; null after other messages, which are for people. */
    private @Nullable AnswerHeader readMessage(int length) throws IOException {
        int rest = length - AnswerHeader.MESSAGE_BYTES;
        if (rest < 0) {
            throw new AnswerException("a message has " + length + " bytes");
        }
        if (!AnswerHeader.isAnswerInside(in.next(AnswerHeader.MESSAGE_BYTES))) {
            in.skip(rest);
            return null;
        }
        if (rest < AnswerHeader.BYTES) {
            throw new AnswerException("a message with an answer has " + length + " bytes");
        }
        AnswerHeader inside = AnswerHeader.decode(in.next(AnswerHeader.BYTES));
        if (inside.length() != rest - AnswerHeader.BYTES || inside.status() == AnswerStatus.ATTENTION) {
            throw new AnswerException("a message and the answer inside have different lengths");
        }
        return inside;
    }

    private void receive(AnswerHeader header) throws IOException {
        Exchange exchange = streams.get(header.streamId());
        switch (header.status()) {
            case OK, OK_SO_FAR -> {
                if (exchange.startFilling()) {
                    exchange.body().receive(in, header.length());
                } else {
                    in.skip(header.length());
                }
                if (header.status() == AnswerStatus.OK) {
                    streams.remove(header.streamId());
                    exchange.complete(ExchangeOutcome.COMPLETE);
                } else if (exchange.state() == Exchange.State.FILLING) {
                    exchange.awaitNextPart(clock.nanoTime());
                }
            }
            case WAIT_FOR_ANSWER -> {
                long announcedNs = Duration.ofSeconds(
                                PauseAnswer.decode(detail(header)).seconds())
                        .toNanos();
                exchange.defer(clock.nanoTime() + Math.min(announcedNs, lateMax.toNanos()));
            }
            case ERROR, REDIRECT, WAIT, AUTH_MORE -> {
                ByteBuffer detail = detail(header);
                streams.remove(header.streamId());
                exchange.complete(new ExchangeOutcome(header.status(), detail));
            }
            default -> throw new AnswerException("status " + header.status() + " belongs to no request of a reader");
        }
    }

    private ByteBuffer detail(AnswerHeader header) throws IOException {
        CollectedBody detail = new CollectedBody(CollectedBody.SMALL);
        detail.receive(in, header.length());
        return detail.bytes();
    }
}
