package io.chimera.queue.parser;

import io.chimera.api.model.DataPoint;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import io.chimera.common.wire.BodyReader;
import io.chimera.common.wire.RecordDecoder;
import io.chimera.common.wire.encode.RecordEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Sink for parser tests: writes real records and keeps all points and rejects. */
public class RecordingSink implements PointSink {
    public record Reject(long line, String reason, String text) {}

    static final long ARRIVAL_NS = 1_700_000_000_123_456_789L;

    public final List<DataPoint> points = new ArrayList<>();
    public final List<Reject> rejects = new ArrayList<>();

    /** The written records in sequence, each in its own body. */
    final ExpandableArrayBuffer records = new ExpandableArrayBuffer();

    final List<Integer> offsets = new ArrayList<>();
    private int recordsLength;

    /** Number of further successful calls of begin. */
    private int room = Integer.MAX_VALUE;

    long arrivalNs = ARRIVAL_NS;

    private final RecordEncoder encoder = new RecordEncoder();
    /** Shared, because the random loops create thousands of sinks. */
    private static final UnsafeBuffer BUFFER = new UnsafeBuffer(new byte[BodyLayout.LENGTH_MAX]);

    /** Whether the sink recognises known series and fields, as the encoder does; a sink may also recognise none. */
    private final boolean knows;

    /** Number of points with an unknown series. */
    public int metricsRead;

    private boolean begun;
    private boolean timed;
    private long timeNs;

    public RecordingSink() {
        this(false);
    }

    private RecordingSink(boolean knows) {
        this.knows = knows;
    }

    /** Creates a sink with recognition of known series and fields. */
    public static RecordingSink knowing() {
        return new RecordingSink(true);
    }

    static RecordingSink of(Parser parser, String text) {
        return of(parser, text, 1);
    }

    static RecordingSink of(Parser parser, String text, long unitNs) {
        return of(parser, text.getBytes(StandardCharsets.UTF_8), unitNs);
    }

    static RecordingSink of(Parser parser, byte[] text, long unitNs) {
        return new RecordingSink().take(parser, text, unitNs);
    }

    /** Parses a complete text; returns this sink. */
    public RecordingSink take(Parser parser, byte[] text, long unitNs) {
        Chunk chunk = new Chunk().restart(unitNs).wrap(text, 0, text.length, true);
        if (!parser.parse(chunk, this) || !chunk.isEmpty()) {
            throw new AssertionError("The parser left something although there was room.");
        }
        return this;
    }

    /** Returns the written records in hexadecimal. */
    String written() {
        return HexFormat.of().formatHex(records.byteArray(), 0, recordsLength);
    }

    /** Bytes of all {@link #records}. */
    int recordsLength() {
        return recordsLength;
    }

    public void giveRoom(int begins) {
        room = begins;
    }

    @Override
    public boolean begin(int textLength) {
        if (room == 0) {
            return false;
        }
        room--;
        encoder.open(BUFFER, 0, BUFFER.capacity());
        encoder.begin();
        begun = true;
        timed = false;
        return true;
    }

    @Override
    public int seriesAhead(byte[] bytes, int offset, int end) {
        return knows ? encoder.seriesAhead(bytes, offset, end) : -1;
    }

    @Override
    public boolean series(byte[] bytes, int offset, int length) {
        return knows && encoder.series(bytes, offset, length);
    }

    @Override
    public int fieldAhead(byte[] bytes, int offset, int end) {
        return knows ? encoder.fieldAhead(bytes, offset, end) : -1;
    }

    @Override
    public void metric(byte[] bytes, int offset, int length) {
        metricsRead++;
        encoder.metric(bytes, offset, length);
    }

    @Override
    public void tag(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        if (nameLength == 0 || valueLength == 0) {
            throw new AssertionError("A tag with an empty name or value.");
        }
        encoder.tag(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    public void field(byte[] name, int nameOffset, int nameLength, int typeCode, long bits) {
        encoder.field(name, nameOffset, nameLength, typeCode, bits);
    }

    @Override
    public void textField(byte[] name, int nameOffset, int nameLength, byte[] value, int valueOffset, int valueLength) {
        encoder.textField(name, nameOffset, nameLength, value, valueOffset, valueLength);
    }

    @Override
    public void time(long newTimeNs) {
        timed = true;
        timeNs = newTimeNs;
    }

    @Override
    public int end() {
        if (!begun) {
            throw new AssertionError("A point was ended that was not begun.");
        }
        begun = false;
        int ended = encoder.end(timed ? timeNs : arrivalNs, 0);
        if (ended != OK) {
            return ended;
        }
        BodyReader body = new BodyReader().wrap(BUFFER, 0, encoder.position());
        if (!body.nextRecord()) {
            throw new AssertionError("The encoder wrote a body that is not whole.");
        }
        points.add(RecordDecoder.point(body));
        records.putBytes(recordsLength, BUFFER, 0, encoder.position());
        offsets.add(recordsLength);
        recordsLength += encoder.position();
        return OK;
    }

    @Override
    public void reject(byte[] bytes, int offset, int length, long line, String reason) {
        rejects.add(new Reject(line, reason, new String(bytes, offset, length, StandardCharsets.UTF_8)));
    }

    @Override
    public long arrivalTimeNs() {
        return arrivalNs;
    }
}
