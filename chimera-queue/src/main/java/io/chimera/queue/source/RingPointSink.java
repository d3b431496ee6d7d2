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
import io.chimera.common.wire.EncodingSink;
import io.chimera.common.wire.RecordEncoder;
import io.chimera.common.wire.SeriesGate;
import java.net.InetSocketAddress;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes points as entries of a body straight into the slots of the ring (Chimera 2017, III-C2): no copy, no object. A
 * slot holds the header of a batch, not sealed yet, and whole points. One thread at a time; between {@link #open} and
 * {@link #flush} it belongs to one request or connection, and only there may it hold a claimed slot.
 */
final class RingPointSink implements EncodingSink {
    private static final int NO_SLOT = -1;

    /** Stands for a sender without an address. */
    private static final Object NOBODY = "";

    private static final String SERIES_REFUSED = PointSink.reasonOf(PointSink.TOO_MANY_SERIES);

    /**
     * Bytes that one byte of text becomes, at most, with the definitions. A field takes 4 bytes beside its name in a
     * definition, and 8 for a value, and a text is padded to 8: {@code a=1,} becomes 13 bytes, and {@code a="x",} 21,
     * which are 3.5 for one of text. A tag takes 4 bytes beside name and value: {@code ,a=b} becomes 6.
     */
    private static final int GROWTH = 4;

    /**
     * What a point takes whatever its text is: 24 bytes of a record; of series 26 and the padding 7; of fields 8 and
     * the padding 7; and 17 for the name {@code value}, which KairosDB's protocols do not write, and its value.
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

    /** The last point was refused because of its series. */
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
     * A sink that holds no slot.
     *
     * @param series decides about new series; null: all are taken
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
     * Begins to work for a request or connection.
     *
     * @param newDelivery follows the slots; null when nobody waits for them
     * @param newListener hears of bad points; null when nobody wants to
     * @param newArrivalNs time for points that have none, nanoseconds since 1970
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

    /** Sets who sends the points that follow: the name of a principal, or the address of a client. */
    @HotPath
    void from(Object newSender) {
        if (sender != newSender) {
            sender = newSender; // a reference that is written costs the garbage collector's barrier
        }
    }

    /** Number of points that were refused since {@link #open} because of their series. */
    long seriesRefused() {
        return seriesRefused;
    }

    /** Sets the address from which the data that follows came. */
    void client(InetSocketAddress newClient) {
        client = newClient;
    }

    /** Publishes what was written, if anything was, and forgets the request. */
    void flush() {
        if (sequence != NO_SLOT) {
            publish();
        }
        encoder.release();
        delivery = null;
        listener = null;
        client = null;
    }

    /** Number of points that were taken since {@link #open}. */
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
        buffer.putLong(BatchLayout.STREAM, 0, LITTLE_ENDIAN); // a batch of this node, which the journaler seals
        capacity = buffer.capacity();
        encoder.open(buffer, BatchLayout.HEADER_LENGTH, capacity);
        return true;
    }

    private void publish() {
        if (count == 0) {
            slot.fill(0, 0, null); // claimed for a point that proved bad
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
            // A flood of series must not push other letters out of their files.
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
