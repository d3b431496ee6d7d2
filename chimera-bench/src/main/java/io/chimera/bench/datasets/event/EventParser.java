package io.chimera.bench.datasets.event;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.chimera.api.model.FieldType;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;

/**
 * Parses the events of {@link EventLines}, computes each event, and emits a point with the mass found and the number of
 * jets. Reads the jets only; a line must have the keys in the order of the generator. One thread.
 */
final class EventParser implements Parser {
    private static final byte[] EVENT = bytes(EventLines.EVENT);
    private static final byte[] TIME = bytes(EventLines.TIME);
    private static final byte[] TRIGGER = bytes(EventLines.TRIGGER);
    private static final byte[] JETS = bytes(EventLines.JETS);
    private static final byte[] TRACKS = bytes(EventLines.TRACKS);

    private static final byte[] METRIC = bytes("event");
    private static final byte[] TAG = bytes("trigger");
    private static final byte[] MASS = bytes("mass");
    private static final byte[] COUNT = bytes("jets");

    private static final String NOT_AN_EVENT = "not an event of the benchmark";

    /** Digits of a time in nanoseconds. */
    private static final int DIGITS_MAX = 19;

    private static final int TEN = 10;

    private final int passes;
    private final WorkerPace pace;
    private final DijetSearch search = new DijetSearch();

    private byte[] line = new byte[0];
    private int at;
    private int end;
    private boolean isBad;

    /**
     * Creates a parser.
     *
     * @param passes passes of the computation per event; 0 computes nothing
     * @param pace pace of the worker
     */
    EventParser(int passes, WorkerPace pace) {
        this.passes = passes;
        this.pace = pace;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(US_ASCII);
    }

    @Override
    public boolean parse(Chunk chunk, PointSink sink) {
        while (!chunk.isEmpty()) {
            int from = chunk.offset();
            int lineFeed = from;
            while (lineFeed < chunk.limit() && chunk.bytes()[lineFeed] != '\n') {
                lineFeed++;
            }
            if (lineFeed == chunk.limit() && !chunk.last()) {
                return true;
            }
            if (lineFeed > from) {
                if (!sink.begin(lineFeed - from)) {
                    return false;
                }
                String reason = event(chunk.bytes(), from, lineFeed, sink);
                if (reason != null) {
                    sink.reject(chunk.bytes(), from, lineFeed - from, chunk.line(), reason);
                }
            }
            pace.spend(lineFeed - from);
            chunk.consumedTo(Math.min(lineFeed + 1, chunk.limit()), 1);
        }
        return true;
    }

    /** Emits the point of an event; returns the reason to reject the line, or null. */
    private String event(byte[] bytes, int from, int to, PointSink sink) {
        line = bytes;
        at = from;
        end = to;
        isBad = false;
        skip(EVENT);
        number();
        skip(TIME);
        long timeNs = number();
        skip(TRIGGER);
        int trigger = at - 1; // with its letter
        number();
        int triggerEnd = at;
        int jets = jets();
        if (isBad || bytes[to - 1] != '}') {
            return NOT_AN_EVENT;
        }
        sink.metric(METRIC, 0, METRIC.length);
        sink.tag(TAG, 0, TAG.length, bytes, trigger, triggerEnd - trigger);
        double mass = passes == 0 ? 0 : search.mass(passes);
        sink.field(MASS, 0, MASS.length, FieldType.DOUBLE.code(), Double.doubleToRawLongBits(mass));
        sink.field(COUNT, 0, COUNT.length, FieldType.LONG.code(), jets);
        sink.time(timeNs);
        int result = sink.end();
        return result == PointSink.OK ? null : PointSink.reasonOf(result);
    }

    /** Reads the jets into the search; returns their number. */
    private int jets() {
        skip(JETS);
        search.clear();
        int count = 0;
        while (!isBad && at < end && line[at] == '[') {
            for (int value = 0; value < DijetSearch.VALUES; value++) {
                isBad |= at >= end || line[at] != (value == 0 ? '[' : ',');
                at++;
                search.set(value, (double) number());
            }
            isBad |= at >= end || line[at] != ']' || !search.add();
            at++;
            count++;
            if (at < end && line[at] == ',') {
                at++;
            }
        }
        skip(TRACKS);
        return count;
    }

    private void skip(byte[] expected) {
        for (int i = 0; i < expected.length && !isBad; i++) {
            isBad = at >= end || line[at] != expected[i];
            at++;
        }
    }

    private long number() {
        boolean isNegative = !isBad && at < end && line[at] == '-';
        at += isNegative ? 1 : 0;
        int first = at;
        long value = 0;
        while (at < end && line[at] >= '0' && line[at] <= '9' && at - first < DIGITS_MAX) {
            value = value * TEN + line[at] - '0';
            at++;
        }
        isBad |= at == first;
        return isNegative ? -value : value;
    }
}
