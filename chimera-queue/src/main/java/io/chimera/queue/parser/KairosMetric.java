package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Head of a metric in KairosDB's JSON: all members except {@code datapoints}, which may precede name and tags. Not
 * thread-safe.
 */
final class KairosMetric {
    /** One more than the limit per point, so that the sink detects an excess. */
    private static final int TAGS_MAX = PointSink.TAGS_MAX + 1;

    private static final int NULL = -1;

    private final TextStore store = new TextStore();
    private final KairosValue single = new KairosValue(store);

    private int nameOffset;
    private int nameLength;
    private final int[] tagOffsets = new int[TAGS_MAX];
    private final int[] tagNameLengths = new int[TAGS_MAX];
    private final int[] tagValueLengths = new int[TAGS_MAX];
    private int tagCount;
    private boolean validated;

    KairosMetric() {}

    /**
     * Returns the timestamp, value and type at the level of the name: a metric may carry a single data point this way.
     */
    KairosValue single() {
        return single;
    }

    boolean hasSingle() {
        return single.hasTime();
    }

    /** Reads an object; the parser stands on the start token before the call and on the end token afterwards. */
    void read(JsonParser json) throws IOException {
        store.clear();
        single.clear();
        nameLength = NULL;
        tagCount = 0;
        validated = true;
        boolean preferred = false; // "time" takes precedence over "timestamp"
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String member = json.currentName();
            json.nextToken();
            switch (member) {
                case "name" -> takeName(json);
                case "time" -> {
                    single.takeTime(json);
                    preferred = true;
                }
                case "timestamp" -> {
                    if (!preferred) {
                        single.takeTime(json);
                    }
                }
                case "value" -> single.takeValue(json);
                case "type" -> single.takeType(json);
                case "tags" -> readTags(json);
                case "skip_validate" -> validated = json.currentToken() != JsonToken.VALUE_TRUE;
                default -> json.skipChildren();
            }
        }
    }

    private void takeName(JsonParser json) throws IOException {
        nameOffset = store.used();
        nameLength = takeText(json);
    }

    private int takeText(JsonParser json) throws IOException {
        if (json.currentToken().isScalarValue() && json.currentToken() != JsonToken.VALUE_NULL) {
            return store.add(json);
        }
        json.skipChildren();
        return NULL;
    }

    private void readTags(JsonParser json) throws IOException {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            json.skipChildren();
            return;
        }
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            int offset = store.used();
            int name = store.add(json);
            json.nextToken();
            int value = takeText(json);
            if (tagCount < TAGS_MAX) {
                tagOffsets[tagCount] = offset;
                tagNameLengths[tagCount] = name;
                tagValueLengths[tagCount] = value;
                tagCount++;
            }
        }
    }

    /** Describes an error of the head, as a suffix to {@code metric[n]}; null when the head is valid. */
    String problem() {
        if (nameLength <= 0) {
            return nameLength == NULL ? ".name may not be null." : ".name may not be empty.";
        }
        if (store.isFull()) {
            return named() + " is too long: name and tags have more than 64 KiB.";
        }
        if (single.hasTime() && !single.hasValue()) {
            return named() + ".value may not be null.";
        }
        if (!single.hasTime() && single.hasValue()) {
            return named() + ".timestamp may not be null.";
        }
        if (validated && tagCount == 0) {
            return named() + ".tags count must be greater than or equal to 1.";
        }
        for (int i = 0; i < tagCount; i++) {
            if (tagNameLengths[i] == 0) {
                return named() + ".tag[" + i + "].name may not be empty.";
            }
            if (tagValueLengths[i] <= 0) {
                return named() + ".tag[" + text(tagOffsets[i], tagNameLengths[i]) + "].value may not be "
                        + (tagValueLengths[i] == NULL ? "null." : "empty.");
            }
        }
        return null;
    }

    /** Name of the metric as formatted in KairosDB's messages. */
    String named() {
        return nameLength <= 0 ? "" : "(name=" + text(nameOffset, nameLength) + ")";
    }

    private String text(int offset, int length) {
        return new String(store.bytes(), offset, length, StandardCharsets.UTF_8);
    }

    /** Bytes of name and tags. */
    int length() {
        return store.used();
    }

    /** Passes name and tags to the sink. */
    @HotPath
    void writeTo(PointSink sink) {
        byte[] bytes = store.bytes();
        sink.metric(bytes, nameOffset, nameLength);
        for (int i = 0; i < tagCount; i++) {
            int name = tagOffsets[i];
            sink.tag(bytes, name, tagNameLengths[i], bytes, name + tagNameLengths[i], tagValueLengths[i]);
        }
    }
}
