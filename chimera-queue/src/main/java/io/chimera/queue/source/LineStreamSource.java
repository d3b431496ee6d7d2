package io.chimera.queue.source;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.wire.BodyLayout;
import io.chimera.queue.source.reject.RejectList;
import io.chimera.queue.source.reject.RejectListener;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Receives points over TCP, with one handler per connection. Nothing is acknowledged; a full ring closes the TCP
 * window. An interactive protocol (telnet) answers a malformed line with a line of text. Runs on the
 * listener's threads.
 */
public final class LineStreamSource implements Supplier<StreamHandler> {
    /**
     * Maximum number of answered lines per read; more would only fill the socket buffer of a sender without a reader.
     */
    private static final int ANSWERS_MAX = 16;

    private final InputContext inlet;
    private final long unitNs;
    private final TelnetAnswers answers;
    private int unconsumedMax = BodyLayout.TEXT_LENGTH_MAX;

    /**
     * Creates the source of an input.
     *
     * @param inlet the input
     * @param unitNs nanoseconds per unit of timestamps
     * @param answers answers to malformed lines
     */
    public LineStreamSource(InputContext inlet, long unitNs, TelnetAnswers answers) {
        this.inlet = inlet;
        this.unitNs = unitNs;
        this.answers = answers;
    }

    /** Sets the length of the longest message of a protocol without lines. Call before the first connection. */
    public LineStreamSource ofMessages(int lengthMax) {
        unconsumedMax = lengthMax;
        return this;
    }

    @Override
    public StreamHandler get() {
        return new Lines();
    }

    private final class Lines implements StreamHandler, RejectListener {
        private Parser parser;
        private Peer peer;
        private RingPointSink sink;
        private int answered;
        private int held;
        private boolean isKnown;
        private boolean isRefused;

        @Override
        public void onOpen(Peer newPeer) {
            inlet.counters().increment(QueueCounter.SOURCE_CONNECTIONS);
            parser = inlet.takeParser();
            peer = newPeer;
        }

        @Override
        public void onRefused(String reason, String beginning, InetSocketAddress client) {
            inlet.rejects().record(reason, beginning, client);
        }

        @Override
        public boolean onBytes(Chunk chunk) {
            if (isRefused || (!isKnown && isForeign(chunk))) {
                chunk.consumedTo(chunk.limit(), 0);
                return true;
            }
            if (chunk.unitNs() != unitNs) {
                chunk.restart(unitNs);
            }
            chunk.from(peer.address());
            inlet.counters().add(QueueCounter.SOURCE_BYTES_RECEIVED, chunk.limit() - chunk.offset() - held);
            if (sink == null) {
                sink = inlet.takeSink();
                sink.from(peer.principal().isEmpty() ? peer.address().getAddress() : peer.principal());
                sink.open(
                        null,
                        answers == TelnetAnswers.NONE ? null : this,
                        inlet.clock().epochNs());
                sink.client(peer.address());
                answered = 0;
            }
            boolean room = false;
            try {
                room = parser.parse(chunk, sink);
                held = chunk.limit() - chunk.offset();
                if (chunk.isAbandoned()) {
                    peer.close();
                }
            } finally {
                if (!room) {
                    release();
                }
            }
            return room;
        }

        @Override
        public int unconsumedMax() {
            return unconsumedMax;
        }

        /**
         * Refuses a connection starting with a protocol without lines. Repeats the check until the first line is
         * complete.
         */
        private boolean isForeign(Chunk chunk) {
            byte[] bytes = chunk.bytes();
            int length = chunk.limit() - chunk.offset();
            isKnown =
                    chunk.last() || length >= WireProtocol.LENGTH_MAX || hasLine(bytes, chunk.offset(), chunk.limit());
            Optional<WireProtocol> found = WireProtocol.foreign(bytes, chunk.offset(), length, inlet.protocol())
                    .filter(WireProtocol::isBinary);
            found.ifPresent(protocol -> {
                isRefused = true;
                inlet.counters().increment(QueueCounter.PARSER_POINTS_REJECTED);
                inlet.rejects().record(protocol.title(), bytes, chunk.offset(), length, 1, peer.address());
                peer.refuse(protocol.answer());
            });
            return isRefused;
        }

        private static boolean hasLine(byte[] bytes, int from, int to) {
            int i = from;
            while (i < to && bytes[i] != '\n') {
                i++;
            }
            return i < to;
        }

        @Override
        public void rejected(byte[] bytes, int offset, int length, long line, String reason) {
            if (answered < ANSWERS_MAX) {
                int shown = Math.min(length, RejectList.TEXT_LENGTH_MAX);
                String text = new String(bytes, offset, shown, StandardCharsets.UTF_8);
                reply(answers.rejected(text, reason));
            }
        }

        @Override
        public void reply(String text) {
            if (answered++ < ANSWERS_MAX) {
                peer.reply(text.getBytes(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void onReadComplete() {
            release();
        }

        @Override
        public void onClose() {
            release();
            if (parser != null) {
                inlet.giveBack(parser);
                parser = null;
            }
        }

        /** Publishes the collected points, so that an idle connection never holds a slot. */
        private void release() {
            if (sink != null) {
                sink.flush();
                inlet.giveBack(sink);
                sink = null;
            }
        }
    }
}
