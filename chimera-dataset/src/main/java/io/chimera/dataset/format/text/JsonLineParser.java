package io.chimera.dataset.format.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import io.chimera.api.spi.Chunk;
import io.chimera.api.spi.Parser;
import io.chimera.api.spi.PointSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Parses lines with one JSON object each to points by a mapping. Skips blank lines. A mapped value is a text, a number
 * or a boolean; null is no value. One parser of Jackson reads all lines, because a new parser per line costs more than
 * a short line; a bad line costs a new parser.
 */
final class JsonLineParser implements Parser {
    private static final int DEPTH_MAX = 64;

    /** Number of bad lines whose error is described; later lines have a constant reason. */
    private static final int DESCRIBED_MAX = 100;

    private final JsonFactory factory;
    private final MappedRow row;
    private final JsonPath root;
    private final JsonValues values = new JsonValues();

    /** Nodes of the open objects; null for an object or array that is not mapped. */
    private final @Nullable JsonPath[] open = new JsonPath[DEPTH_MAX + 1];

    private @Nullable JsonParser json;
    private int described;

    JsonLineParser(RowMapping mapping, TextOptions options) {
        this.row = new MappedRow(mapping);
        this.root = JsonPath.of(row.columns());
        this.factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .maxStringLength(options.lineBytesMax())
                        .build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    @Override
    public boolean parse(Chunk chunk, PointSink sink) {
        while (!chunk.isEmpty()) {
            int start = chunk.offset();
            int lineFeed = LineScan.indexOf(chunk.bytes(), start, chunk.limit(), '\n');
            String reason = take(chunk.bytes(), start, lineFeed, sink);
            if (reason != null) {
                sink.reject(chunk.bytes(), start, lineFeed - start, chunk.line(), reason);
            }
            chunk.consumedTo(Math.min(lineFeed + 1, chunk.limit()), 1);
        }
        return true;
    }

    /** Takes a line; returns the reason to reject the line, or null. */
    private @Nullable String take(byte[] bytes, int from, int to, PointSink sink) {
        int start = from;
        int end = to;
        while (start < end && isSpace(bytes[start])) {
            start++;
        }
        while (end > start && isSpace(bytes[end - 1])) {
            end--;
        }
        if (start == end) {
            return null;
        }
        String reason;
        try {
            reason = readObject(bytes, start, end);
        } catch (JsonProcessingException e) {
            reason = described++ < DESCRIBED_MAX ? "not JSON: " + e.getOriginalMessage() : "not JSON";
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no input or output takes place
        }
        if (reason != null) {
            closeJson();
            return reason;
        }
        return row.write(sink, end - start);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private @Nullable String readObject(byte[] bytes, int from, int to) throws IOException {
        JsonParser parser = parser();
        ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(bytes, from, to);
        row.clear();
        values.clear();
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return "no JSON object";
        }
        open[0] = root;
        String reason = readMembers(parser);
        if (reason == null && parser.nextToken() != JsonToken.NOT_AVAILABLE) {
            return "text after the JSON object";
        }
        return reason;
    }

    private @Nullable String readMembers(JsonParser parser) throws IOException {
        int depth = 0;
        JsonPath member = null;
        while (true) {
            JsonToken token = parser.nextToken();
            JsonPath node = open[depth];
            switch (token) {
                case FIELD_NAME -> member = node == null ? null : node.child(parser.currentName());
                case START_OBJECT, START_ARRAY -> {
                    if (member != null && member.column() >= 0) {
                        return described("object or array", member.column());
                    }
                    depth++;
                    open[depth] = token == JsonToken.START_OBJECT ? member : null;
                    member = null;
                }
                case END_OBJECT, END_ARRAY -> {
                    if (depth == 0) {
                        return null;
                    }
                    depth--;
                    member = null;
                }
                case NOT_AVAILABLE -> {
                    return "JSON object does not end in its line";
                }
                default -> {
                    String reason = member == null || member.column() < 0 ? null : take(parser, token, member.column());
                    if (reason != null) {
                        return reason;
                    }
                }
            }
        }
    }

    private @Nullable String take(JsonParser parser, JsonToken token, int column) throws IOException {
        if (row.isSet(column)) {
            return described("two values", column);
        }
        return values.set(parser, token, column, row) ? null : described("text that is not Unicode", column);
    }

    private String described(String defect, int column) {
        return described++ < DESCRIBED_MAX ? defect + " at " + row.columns().get(column) : defect;
    }

    private JsonParser parser() throws IOException {
        if (json == null) {
            json = factory.createNonBlockingByteArrayParser();
        }
        return json;
    }

    private void closeJson() {
        if (json != null) {
            try {
                json.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e); // no input or output takes place
            }
            json = null;
        }
    }

    @Override
    public void close() {
        closeJson();
    }
}
