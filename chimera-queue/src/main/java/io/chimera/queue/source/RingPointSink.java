package io.chimera.queue.source;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import io.chimera.common.ring.BatchRing;
import io.chimera.common.ring.Slot;
import io.chimera.common.wire.BatchLayout;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.encode.EncodingSink;
import io.chimera.common.wire.encode.RecordEncoder;
import io.chimera.common.wire.encode.SeriesGate;
import io.chimera.queue.source.reject.DeadLetters;
import io.chimera.queue.source.reject.InputRejects;
import io.chimera.queue.source.reject.RejectListener;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes points directly into ring slots (Chimera 2017, III-C2), without copying or allocating. A slot holds an
 * unsealed batch header and complete points. Used by one thread at a time. Between {@link #open} and {@link #flush} the
 * sink belongs to one request or connection; only then may the sink hold a claimed slot.
 */
final class RingPointSink implements EncodingSink {
    private static final int NO_SLOT = -1;

    /** Sender without an address. */
    private static final Object NOBODY = "";

    private static final String SERIES_REFUSED = PointSink.reasonOf(PointSink.TOO_MANY_SERIES);

    /**
     * Maximum number of encoded bytes per byte of text, including definitions. A field takes 4 bytes plus its name in a
     * definition, and 8 bytes for a value, and text is padded to 8: {@code a=1,} becomes 13 bytes, and {@code a="x",}
     * 21, or 3.5 per byte of text. A tag takes 4 bytes plus name and value: {@code ,a=b} becomes 6.
     */
    private static final int GROWTH = 4;

    /**
     * Fixed bytes of a point: 24 for a record; 26 plus 7 of padding for a series; 8 plus 7 of padding for fields; and
     * 17 for the field {@code value}, whose name is absent from KairosDB's protocols.
     */
    private static final int OVERHEAD = 96;

    private final BatchRing ring;
    private final int input;
    private final InputRejects rejects;
    private final DeadLetters deadLetters;
    private final Counters<QueueCounter> counters;
    private final SeriesTracker series;
    private final RecordEncoder encoder;
    private int window;
    private Object sender = NOBODY;
    private long seriesRefused;

    /** Whether the last point was refused because of a new series. */
    private boolean isSeriesRefused;

    private Delivery delivery;
    private RejectListener listener;
    private long arrivalNs;
    private InetSocketAddress client;

    private long sequence = NO_SLOT;
    private Slot slot;
    private int capacity;
    private int count;
    private long taken;

    private long timeNs;

    /**
     * Creates a sink without a slot.
     *
     * @param series decides about new series; null: all series are accepted
     */
    RingPointSink(
            BatchRing ring,
            int input,
            InputRejects rejects,
            DeadLetters deadLetters,
            Counters<QueueCounter> counters,
            SeriesTracker series) {
        this.ring = ring;
        this.input = input;
        this.rejects = rejects;
        this.deadLetters = deadLetters;
        this.counters = counters;
        this.series = series;
        encoder = new RecordEncoder(series == null ? SeriesGate.ALL : definition -> series.admits(definition, sender));
    }

    /**
     * Starts work for a request or connection.
     *
     * @param newDelivery tracks the slots; null when no sender waits for the journal
     * @param newListener receives rejected points; null when no answer is sent
     * @param newArrivalNs time for points without a time, nanoseconds since 1970
     */
    void open(Delivery newDelivery, RejectListener newListener, long newArrivalNs) {
        delivery = newDelivery;
        listener = newListener;
        arrivalNs = newArrivalNs;
        taken = 0;
        seriesRefused = 0;
        if (series != null && series.window() != window) {
            window = series.window();
            encoder.forgetSeries();
        }
    }

    /** Sets the sender of the following points: the name of a principal, or a client's address. */
    @HotPath
    void from(Object newSender) {
        if (sender != newSender) {
            sender = newSender; // conditional, because writing a reference costs a GC barrier
        }
    }

    /** Number of points since {@link #open} refused because of a new series. */
    long seriesRefused() {
        return seriesRefused;
    }

    /** Sets the client's address of the following data. */
    void client(InetSocketAddress newClient) {
        client = newClient;
    }

    /** Publishes the claimed slot, if any, and detaches from the request. */
    void flush() {
        if (sequence != NO_SLOT) {
            publish();
        }
        encoder.release();
        delivery = null;
        listener = null;
        client = null;
    }

    /** Number of points accepted since {@link #open}. */
    long taken() {
        return taken;
    }

    @Override
    @HotPath
    public boolean begin(int textLength) {
        int need = Math.min(OVERHEAD + GROWTH * textLength, BodyLayout.LENGTH_MAX);
        if (count > 0 && capacity - encoder.position() < need) {
            publish();
        }
        if (sequence == NO_SLOT && !claim()) {
            return false;
        }
        encoder.begin();
        isSeriesRefused = false;
        timeNs = arrivalNs;
        return true;
    }

    private boolean claim() {
        sequence = ring.tryClaim();
        if (sequence == NO_SLOT) {
            counters.increment(QueueCounter.SOURCE_RING_FULL);
            return false;
        }
        slot = ring.slot(sequence);
        UnsafeBuffer buffer = slot.buffer();
        // stream 0 means a batch of this node, sealed later by the journaler
        buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN);
        capacity = buffer.capacity();
        encoder.open(buffer, BatchLayout.HEADER_LENGTH, capacity);
        return true;
    }

    private void publish() {
        if (count == 0) {
            slot.fill(0, 0, null); // claimed for a malformed point
        } else {
            int used = encoder.position();
            slot.fill(used, count, delivery);
            if (delivery != null) {
                delivery.published();
            }
            counters.increment(QueueCounter.SOURCE_BATCHES);
            counters.add(QueueCounter.SOURCE_RECORD_BYTES, used - BatchLayout.HEADER_LENGTH);
            counters.add(QueueCounter.PARSER_POINTS, count);
        }
        long published = sequence;
        sequence = NO_SLOT;
        slot = null;
        count = 0;
        ring.publish(published);
    }

    @Override
    @HotPath
    public RecordEncoder encoder() {
        return encoder;
    }

    @Override
    @HotPath
    public void time(long newTimeNs) {
        timeNs = newTimeNs;
    }

    @Override
    @HotPath
    public int end() {
        int ended = encoder.end(timeNs, input);
        isSeriesRefused = ended == TOO_MANY_SERIES;
        if (ended == OK) {
            count++;
            taken++;
        }
        return ended;
    }

    @Override
    @HotPath
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        counters.increment(QueueCounter.PARSER_POINTS_REJECTED);
        String told = reason;
        if (isSeriesRefused) {
            // A flood of new series must not displace other dead letters.
            isSeriesRefused = false;
            seriesRefused++;
            String limit = series.countRefused();
            told = listener == null ? reason : reason.replace(SERIES_REFUSED, limit);
        } else {
            deadLetters.offer(rejects.input(), arrivalNs, bytes, offset, length, line, reason);
        }
        rejects.record(reason, bytes, offset, length, line, client);
        if (listener != null) {
            listener.rejected(bytes, offset, length, line, told);
        }
    }

    @Override
    public void reply(String text) {
        if (listener != null) {
            listener.reply(text);
        }
    }

    @Override
    @HotPath
    public long arrivalTimeNs() {
        return arrivalNs;
    }
}
