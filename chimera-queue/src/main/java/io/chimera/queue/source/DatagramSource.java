package io.chimera.queue.source;

import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.common.channel.DatagramHandler;
import io.chimera.common.metrics.QueueCounter;
import java.net.InetSocketAddress;

/**
 * Takes points over UDP. A datagram holds whole lines; what finds no room in the ring is dropped and counted. Runs on the
 * listener's thread.
 */
public final class DatagramSource implements DatagramHandler {
    private final Inlet inlet;
    private final long unitNs;
    private final Parser parser;
    private final RingPointSink sink;
    private final Chunk chunk = new Chunk();
    private boolean open;

    /**
     * A source of one input.
     *
     * @param inlet the input
     * @param unitNs nanoseconds per unit of timestamps
     */
    public DatagramSource(Inlet inlet, long unitNs) {
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

    @Override
    public void onReadComplete() {
        if (open) {
            sink.flush();
            open = false;
        }
    }
}
