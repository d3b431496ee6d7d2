package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import java.nio.charset.StandardCharsets;

/**
 * Parses the JSON documents of OpenTSDB's {@code POST /api/put}: a data point or an array of data points. Numbers may
 * be text. The parser needs the whole document: chunks before the last chunk are left unconsumed. Points before an
 * error of the JSON syntax are accepted, the rest of the document is rejected. Allocates nothing. The line number of a
 * rejected data point is the position in the array, counted from 1.
 */
public final class OpenTsdbJsonParser implements Parser {
    /** State within a document. */
    private enum Step {
        /** Nothing read yet. */
        START,
        /** Before a data point of an array, or before the end of the array. */
        ELEMENT,
        /** After a data point not yet written. */
        WRITE,
        /** After the last data point. */
        END
    }

    private static final byte[] METRIC = ascii("metric");
    private static final byte[] TIMESTAMP = ascii("timestamp");
    private static final byte[] VALUE = ascii("value");
    private static final byte[] TAGS = ascii("tags");

    private final JsonCursor json = new JsonCursor();
    private final NumberText number = new NumberText();
    private final UnixTime time = new UnixTime(number);
    private final JsonTexts texts = new JsonTexts();

    private Chunk chunk;
    private PointSink sink;
    private Step step = Step.START;
    private boolean isArray;
    private int index;
    private int pointStart;
    private int pointEnd;

    /** Texts of the data point; {@link JsonTexts#NONE} for a missing or invalid member. */
    private int metric;

    private int timestamp;
    private int value;

    /** First defect of the structure of the data point. */
    private ParseError wrong;

    /** Creates a parser in its initial state. */
    public OpenTsdbJsonParser() {}

    @Override
    public void reset() {
        chunk = null;
        sink = null;
        step = Step.START;
        number.release();
        texts.release();
        json.release();
    }

    @Override
    @HotPath
    public boolean parse(Chunk input, PointSink target) {
        if (!input.last() || input.isEmpty()) {
            return true;
        }
        chunk = input;
        sink = target;
        if (step == Step.START) {
            start();
        }
        while (step != Step.END) {
            if (step == Step.ELEMENT) {
                element();
            } else if (!write()) {
                return false;
            }
        }
        input.consumedTo(input.limit(), 0);
        reset();
        return true;
    }

    private void start() {
        index = 0;
        json.open(chunk.bytes(), chunk.offset(), chunk.limit() - chunk.offset());
        isArray = json.peek() == '[';
        if (isArray) {
            json.begin();
            step = Step.ELEMENT;
        } else {
            readElement();
        }
    }

    private void element() {
        json.peek();
        pointStart = json.position();
        if (json.nextElement(index == 0)) {
            readElement();
        } else {
            if (json.wrong() != null) {
                index++; // the defect follows the last data point
            }
            end();
        }
    }

    private void readElement() {
        index++;
        int first = json.peek();
        pointStart = json.position();
        wrong = null;
        if (first == '{') {
            readPoint();
        } else {
            json.skip();
            wrong = ParseError.OPENTSDB_NO_OBJECT;
        }
        pointEnd = json.position();
        if (json.wrong() == null) {
            step = Step.WRITE;
        } else {
            end();
        }
    }

    /** Ends the document; rejects an invalid rest. */
    private void end() {
        step = Step.END;
        if (json.wrong() != null) {
            reject(Math.min(pointStart, chunk.limit()), chunk.limit(), json.wrong());
        } else if (!json.isAtEnd()) {
            reject(json.position(), chunk.limit(), ParseError.OPENTSDB_NO_END.text());
        }
    }

    private void readPoint() {
        texts.open(chunk.bytes());
        metric = JsonTexts.NONE;
        timestamp = JsonTexts.NONE;
        value = JsonTexts.NONE;
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            if (json.textIs(METRIC)) {
                metric = texts.take(0, json);
            } else if (json.textIs(TIMESTAMP)) {
                timestamp = texts.take(1, json);
            } else if (json.textIs(VALUE)) {
                value = texts.take(2, json);
            } else if (json.textIs(TAGS)) {
                readTags();
            } else {
                json.skip();
            }
        }
    }

    private void readTags() {
        if (json.peek() != '{') {
            json.skip();
            wrong = ParseError.OPENTSDB_BAD_TAGS;
            return;
        }
        texts.clearTags();
        json.begin();
        for (boolean first = true; json.nextMember(first); first = false) {
            if (!texts.takeTag(json)) {
                wrong = ParseError.OPENTSDB_BAD_TAGS;
            }
        }
    }

    /** Writes the data point read; false when the sink is full. */
    private boolean write() {
        if (!sink.begin(pointEnd - pointStart)) {
            return false;
        }
        ParseError error = wrong == null ? writePoint() : wrong;
        if (error != null) {
            reject(pointStart, pointEnd, error.text());
        } else {
            int ended = sink.end();
            if (ended < 0) {
                reject(pointStart, pointEnd, PointSink.reasonOf(ended));
            }
        }
        if (isArray) {
            step = Step.ELEMENT;
        } else {
            end();
        }
        return true;
    }

    private ParseError writePoint() {
        if (texts.isFull()) {
            return ParseError.OPENTSDB_TOO_LONG;
        }
        if (metric == JsonTexts.NONE || texts.isEmpty(metric)) {
            return ParseError.NO_METRIC;
        }
        if (timestamp == JsonTexts.NONE || texts.isEmpty(timestamp)) {
            return ParseError.TELNET_NO_TIME;
        }
        if (value == JsonTexts.NONE || texts.isEmpty(value)) {
            return ParseError.TELNET_NO_VALUE;
        }
        ParseError error = time.read(texts.bytes(timestamp), texts.start(timestamp), texts.end(timestamp), true);
        if (error != null) {
            return error;
        }
        sink.time(time.timeNs());
        sink.metric(texts.bytes(metric), texts.start(metric), texts.end(metric) - texts.start(metric));
        return texts.writeTags(sink)
                ? NumberField.write(number, texts.bytes(value), texts.start(value), texts.end(value), sink)
                : ParseError.OPENTSDB_BAD_TAGS;
    }

    private void reject(int from, int to, String reason) {
        sink.reject(chunk.bytes(), from, Math.min(to - from, BodyLayout.TEXT_LENGTH_MAX), Math.max(1, index), reason);
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }
}
