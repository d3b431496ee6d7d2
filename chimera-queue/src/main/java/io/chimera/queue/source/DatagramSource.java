package io.chimera.queue.source;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.channel.WireProtocol;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * Receives points over UDP. A datagram contains complete lines; lines without room in the ring are dropped and counted.
 * Runs on the listener's thread.
 */
public final class DatagramSource implements DatagramHandler {
    private final InputContext inlet;
    private final long unitNs;
    private final Parser parser;
    private final RingPointSink sink;
    private final Chunk chunk = new Chunk();
    private boolean open;

    /**
     * Creates the source of an input.
     *
     * @param inlet the input
     * @param unitNs nanoseconds per unit of timestamps
     */
    public DatagramSource(InputContext inlet, long unitNs) {
        this.inlet = inlet;
        this.unitNs = unitNs;
        parser = inlet.takeParser();
        sink = inlet.takeSink();
    }

    @Override
    public void onDatagram(byte[] bytes, int offset, int length, InetSocketAddress sender) {
        inlet.counters().increment(QueueCounter.SOURCE_DATAGRAMS);
        inlet.counters().add(QueueCounter.SOURCE_BYTES_RECEIVED, length);
        if (!open) {
            sink.open(null, null, inlet.clock().epochNs());
            open = true;
        }
        sink.from(sender.getAddress());
        sink.client(sender);
        if (isForeign(bytes, offset, length)) {
            return;
        }
        parser.reset();
        chunk.restart(unitNs).from(sender).wrap(bytes, offset, length, true);
        boolean whole = false;
        try {
            whole = parser.parse(chunk, sink);
        } finally {
            if (!whole) {
                inlet.counters().increment(QueueCounter.SOURCE_DATAGRAMS_DROPPED);
                onReadComplete();
            }
        }
    }

    /** Rejects a datagram of a foreign binary protocol as a whole, because its bytes are not lines. */
    private boolean isForeign(byte[] bytes, int offset, int length) {
        if (length == 0 || bytes[offset] < 0 || bytes[offset] >= '\t') {
            return false; // fast path: every datagram of lines
        }
        Optional<WireProtocol> found =
                WireProtocol.foreign(bytes, offset, length, inlet.protocol()).filter(WireProtocol::isBinary);
        found.ifPresent(protocol -> sink.reject(bytes, offset, length, 1, protocol.title()));
        return found.isPresent();
    }

    @Override
    public void onReadComplete() {
        if (open) {
            sink.flush();
            open = false;
        }
    }
}
