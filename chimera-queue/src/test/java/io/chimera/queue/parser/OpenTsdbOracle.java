package io.chimera.queue.parser;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import io.chimera.api.model.DataPoint;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares the parser's result for a document of {@code /api/put} with the result from a JSON tree. */
final class OpenTsdbOracle {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(64)
                    .maxNumberLength(1 << 16)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private static final String NULL = "\0null";

    private OpenTsdbOracle() {}

    /** Checks a possibly invalid document. */
    static void check(byte[] document) {
        Object tree;
        try {
            tree = tree(document);
        } catch (IOException e) {
            boolean isDuplicate =
                    e instanceof JsonParseException && e.getMessage().startsWith("Duplicate field");
            RecordingSink sink = RecordingSink.of(new OpenTsdbJsonParser(), document, 1);
            if (!isDuplicate && document.length > 0 && sink.rejects.isEmpty()) {
                throw new AssertionError("Invalid JSON is accepted, but: " + e.getMessage());
            }
            return;
        }
        RecordingSink sink = RecordingSink.of(new OpenTsdbJsonParser(), document, 1);
        List<Object> elements = tree instanceof List<?> list ? List.copyOf(list) : List.of(tree);
        List<String> expected = new ArrayList<>();
        for (Object element : elements) {
            point(element).ifPresent(expected::add);
        }
        List<String> seen = sink.points.stream().map(OpenTsdbOracle::shown).toList();
        if (!seen.equals(expected) || sink.rejects.size() != elements.size() - expected.size()) {
            throw new AssertionError(seen + " instead of " + expected + ", " + sink.rejects + " from "
                    + new String(document, StandardCharsets.UTF_8));
        }
    }

    private static String shown(DataPoint point) {
        return point.key().metric() + new TreeMap<>(point.key().tags().asMap())
                + point.fields().get("value") + "@" + point.timeNs();
    }

    private static Object tree(byte[] document) throws IOException {
        String text = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(document))
                .toString();
        try (JsonParser json = FACTORY.createParser(text)) {
            if (json.nextToken() == null) {
                throw new IOException("No document.");
            }
            Object read = read(json);
            if (json.nextToken() != null) {
                throw new IOException("Text after the document.");
            }
            return read;
        }
    }

    private static Object read(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            Map<String, Object> members = new TreeMap<>();
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = whole(json.currentName());
                json.nextToken();
                members.put(name, read(json));
            }
            return members;
        }
        if (json.currentToken() == JsonToken.START_ARRAY) {
            List<Object> elements = new ArrayList<>();
            while (json.nextToken() != JsonToken.END_ARRAY) {
                elements.add(read(json));
            }
            return elements;
        }
        return json.currentToken() == JsonToken.VALUE_NULL ? NULL : whole(json.getText());
    }

    /** Replaces unpaired surrogates. */
    private static String whole(String text) {
        StringBuilder whole = new StringBuilder();
        text.codePoints().map(c -> c >= 0xD800 && c < 0xE000 ? 0xFFFD : c).forEach(whole::appendCodePoint);
        return whole.toString();
    }

    private static Optional<String> point(Object element) {
        if (!(element instanceof Map<?, ?> members)) {
            return Optional.empty();
        }
        Object tags = members.containsKey("tags") ? members.get("tags") : Map.of();
        if (!(tags instanceof Map<?, ?> pairs) || pairs.size() > 64) {
            return Optional.empty();
        }
        for (Map.Entry<?, ?> pair : pairs.entrySet()) {
            if (pair.getKey().equals("") || isNothing(pair.getValue())) {
                return Optional.empty();
            }
        }
        Object metric = members.get("metric");
        Object time = members.get("timestamp");
        Object value = members.get("value");
        if (isNothing(metric) || isNothing(time) || isNothing(value)) {
            return Optional.empty();
        }
        return timeNs((String) time)
                .flatMap(ns -> number((String) value).map(number -> metric + pairs.toString() + number + "@" + ns));
    }

    private static boolean isNothing(Object text) {
        return !(text instanceof String) || text.equals("") || text.equals(NULL);
    }

    private static Optional<Long> timeNs(String text) {
        return timeNs(text, true);
    }

    /** Time of a text in nanoseconds. */
    static Optional<Long> timeNs(String text, boolean milliseconds) {
        if (!text.matches("[0-9]+(\\.[0-9]*)?")) {
            return Optional.empty();
        }
        int point = text.indexOf('.');
        BigInteger whole = new BigInteger(point < 0 ? text : text.substring(0, point));
        boolean isMs = milliseconds && point < 0 && whole.compareTo(BigInteger.valueOf(10_000_000_000L)) >= 0;
        String fraction = (point < 0 ? "" : text.substring(point + 1)) + "000000000";
        BigInteger ns = whole.multiply(BigInteger.valueOf(isMs ? 1_000_000 : 1_000_000_000))
                .add(new BigInteger(fraction.substring(0, 9)));
        return ns.bitLength() > 63 ? Optional.empty() : Optional.of(ns.longValue());
    }

    /** Long or double of a text. */
    static Optional<Object> number(String text) {
        if (text.matches("\\+?[0-9]+|-[0-9]+")) {
            BigInteger whole = new BigInteger(text);
            return whole.bitLength() > 63 ? Optional.empty() : Optional.of(whole.longValue());
        }
        return decimal(text).map(value -> value);
    }

    /** Double of a text. */
    static Optional<Double> decimal(String text) {
        if (!text.matches("(\\+(?!-))?-?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?")) {
            return Optional.empty();
        }
        double value = Double.parseDouble(text);
        return Double.isInfinite(value) ? Optional.empty() : Optional.of(value);
    }
}
