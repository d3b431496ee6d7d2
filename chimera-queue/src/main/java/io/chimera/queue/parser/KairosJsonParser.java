package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.chimera.api.ColdPath;
import io.chimera.api.HotPath;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import io.chimera.common.wire.BodyLayout;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Parses the JSON documents of KairosDB's {@code POST /api/v1/datapoints}: a metric or an array of metrics.
 *
 * <p>Two readers traverse the document. The leading reader reads the head of a metric; the trailing reader emits the
 * metric's data points. A metric with any number of points therefore needs no buffer, wherever name and tags stand. The
 * trailing reader pauses while the sink is full. The parser needs the whole document: chunks before the last chunk are
 * left unconsumed. Allocates per document and per malformed point, not per valid point.
 *
 * <p>The line number of a rejected metric counts from 1; the reason uses KairosDB's wording and counts from 0.
 */
public final class KairosJsonParser implements Parser {
    /** Maximum number of individually described malformed points per document; later points get a generic reason. */
    private static final int DESCRIBED_MAX = 100;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(16)
                    .maxNameLength(BodyLayout.TEXT_LENGTH_MAX)
                    .maxStringLength(BodyLayout.TEXT_LENGTH_MAX)
                    .maxNumberLength(1000)
                    .build())
            // "[2,]" is a point with a null value, as in KairosDB, and does not invalidate the document
            .enable(JsonReadFeature.ALLOW_MISSING_VALUES)
            // a bare NaN or Infinity invalidates only its data point
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    /** State of the trailing reader. */
    private enum Step {
        /** Nothing read yet. */
        START,
        /** Positioned before a metric. */
        METRIC,
        /** Positioned at a valid metric with a single data point still to write. */
        SINGLE,
        /** Positioned before a member of a metric. */
        MEMBER,
        /** Positioned before a point of {@code datapoints}. */
        POINT,
        /** Positioned after a point read but not yet written. */
        WRITE,
        /** Positioned after the last metric. */
        END
    }

    private final KairosMetric metric = new KairosMetric();
    private final TextStore pointStore = new TextStore();
    private final KairosValue point = new KairosValue(pointStore);

    private Chunk chunk;
    private PointSink sink;
    private JsonParser ahead;
    private JsonParser behind;
    private int start;
    private Step step = Step.START;
    private boolean array;
    private int metricIndex;
    private int pointIndex;
    private int described;

    /** Creates a parser in its initial state. */
    public KairosJsonParser() {}

    @Override
    public void reset() {
        closeReaders();
        chunk = null;
        sink = null;
        step = Step.START;
        metricIndex = 0;
        described = 0;
    }

    @Override
    public boolean parse(Chunk input, PointSink target) {
        if (!input.last() || input.isEmpty()) {
            return true;
        }
        chunk = input;
        sink = target;
        try {
            while (step != Step.END) {
                if (!advance()) {
                    return false;
                }
            }
        } catch (JsonProcessingException e) {
            rejectBroken(e.getOriginalMessage());
        } catch (IOException e) {
            rejectBroken(e.getMessage()); // truncated text in UTF-16 or UTF-32
        }
        input.consumedTo(input.limit(), 0);
        reset();
        return true;
    }

    private void rejectBroken(String message) {
        rejectText(startOfBroken(), chunk.limit(), "Invalid json at metric[" + metricIndex + "]: " + message);
    }

    /** Start of the metric with the JSON error. */
    private int startOfBroken() {
        if (step == Step.START) {
            return start;
        }
        int offset = offsetOf(behind);
        return behind.currentToken() == JsonToken.START_OBJECT ? offset - 1 : offset;
    }

    /** Advances one step; false when the sink is full. */
    private boolean advance() throws IOException {
        switch (step) {
            case START -> start();
            case METRIC -> metric();
            case SINGLE -> {
                return writeSingle();
            }
            case MEMBER -> member();
            case POINT -> point();
            case WRITE -> {
                return writePoint();
            }
            default -> throw new IllegalStateException("No step follows END.");
        }
        return true;
    }

    private void start() throws IOException {
        start = chunk.offset();
        ahead = FACTORY.createParser(chunk.bytes(), start, chunk.limit() - start);
        behind = FACTORY.createParser(chunk.bytes(), start, chunk.limit() - start);
        JsonToken first = ahead.nextToken();
        behind.nextToken();
        array = first == JsonToken.START_ARRAY;
        if (first == JsonToken.START_OBJECT || array) {
            step = Step.METRIC;
        } else {
            rejectText(
                    start,
                    chunk.limit(),
                    first == null ? "Invalid json. No content due to end of input." : "Invalid start of json.");
            step = Step.END;
        }
    }

    private void metric() throws IOException {
        if (array) {
            ahead.nextToken();
            behind.nextToken();
        }
        if (ahead.currentToken() == null) {
            rejectText(offsetOf(behind), chunk.limit(), "Invalid json. No content due to end of input.");
            step = Step.END;
        } else if (ahead.currentToken() == JsonToken.END_ARRAY) {
            step = Step.END;
        } else if (ahead.currentToken() != JsonToken.START_OBJECT) {
            ahead.skipChildren();
            rejectMetric("metric[" + metricIndex + "] must be an object.");
        } else {
            metric.read(ahead);
            String problem = metric.problem();
            if (problem == null) {
                step = metric.hasSingle() ? Step.SINGLE : Step.MEMBER;
            } else {
                rejectMetric("metric[" + metricIndex + "]" + problem);
            }
        }
    }

    private void rejectMetric(String reason) throws IOException {
        rejectText(offsetOf(behind) - 1, offsetOf(ahead), reason);
        behind.skipChildren();
        endMetric();
    }

    private void endMetric() {
        metricIndex++;
        step = array ? Step.METRIC : Step.END;
    }

    private boolean writeSingle() {
        if (!sink.begin(metric.length())) {
            return false;
        }
        String problem = write(metric.single());
        if (problem != null) {
            rejectText(offsetOf(behind) - 1, offsetOf(ahead), describe("", problem));
        }
        step = Step.MEMBER;
        return true;
    }

    private void member() throws IOException {
        if (behind.nextToken() != JsonToken.FIELD_NAME) {
            endMetric();
            return;
        }
        boolean points = behind.currentName().equals("datapoints");
        if (behind.nextToken() == JsonToken.START_ARRAY && points) {
            pointIndex = 0;
            step = Step.POINT;
        } else {
            behind.skipChildren();
        }
    }

    @HotPath
    private void point() throws IOException {
        JsonToken token = behind.nextToken();
        if (token == JsonToken.END_ARRAY) {
            step = Step.MEMBER;
            return;
        }
        pointStore.clear();
        point.clear();
        point.typeOf(metric.single());
        if (token == JsonToken.START_ARRAY) {
            readPoint();
            step = Step.WRITE;
        } else {
            int from = offsetOf(behind.currentTokenLocation());
            behind.skipChildren();
            rejectPoint(from, " must be an array of timestamp and value.");
        }
    }

    private void readPoint() throws IOException {
        int element = 0;
        while (behind.nextToken() != JsonToken.END_ARRAY) {
            switch (element++) {
                case 0 -> point.takeTime(behind);
                case 1 -> point.takeValue(behind);
                case 2 -> point.takeType(behind);
                default -> behind.skipChildren();
            }
        }
    }

    @HotPath
    private boolean writePoint() {
        if (!sink.begin(metric.length() + pointStore.used())) {
            return false;
        }
        String problem = pointStore.isFull() ? ParseError.JSON_POINT_TOO_LONG.text() : write(point);
        if (problem == null) {
            pointIndex++;
            step = Step.POINT;
        } else {
            rejectPoint(startOfPoint(), problem);
        }
        return true;
    }

    private String write(KairosValue value) {
        ParseError problem = value.problem();
        if (problem == null) {
            metric.writeTo(sink);
            problem = value.writeTo(sink, chunk.unitNs());
        }
        if (problem != null) {
            return problem.text();
        }
        int ended = sink.end();
        return ended < 0 ? PointSink.reasonOf(ended) : null;
    }

    /** Finds the opening bracket of the most recent point by searching backwards, because malformed points are rare. */
    private int startOfPoint() {
        int from = offsetOf(behind) - 1;
        while (from > start && chunk.bytes()[from] != '[') {
            from--;
        }
        return from;
    }

    @ColdPath
    private void rejectPoint(int from, String problem) {
        boolean describable = described < DESCRIBED_MAX;
        String reason = describable ? describe(".datapoints[" + pointIndex + "]", problem) : problem;
        rejectText(from, offsetOf(behind), reason);
        pointIndex++;
        step = Step.POINT;
    }

    private String describe(String where, String problem) {
        String separator = problem.startsWith(".") || problem.startsWith(" ") ? "" : ": ";
        return "metric[" + metricIndex + "]" + metric.named() + where + separator + problem;
    }

    private void rejectText(int from, int to, String reason) {
        described++;
        int length = Math.min(Math.max(0, to - from), BodyLayout.TEXT_LENGTH_MAX);
        sink.reject(chunk.bytes(), from, length, metricIndex + 1L, reason);
    }

    /** Index after the last byte consumed by a reader. */
    private int offsetOf(JsonParser reader) {
        return offsetOf(reader.currentLocation());
    }

    private int offsetOf(JsonLocation location) {
        long offset = location.getByteOffset();
        // UTF-16 and UTF-32 are read through a decoder without byte offsets
        return offset < 0 ? start + 1 : (int) Math.min(chunk.limit(), start + offset);
    }

    private void closeReaders() {
        try {
            if (ahead != null) {
                ahead.close();
                behind.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot close a reader of an array in memory.", e);
        }
        ahead = null;
        behind = null;
    }

    @Override
    public void close() {
        closeReaders();
    }
}
