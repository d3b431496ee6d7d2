package io.chimera.queue.parser.remotewrite;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DynamicMessage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Result of a request according to the library of Protocol Buffers and a plain reading of the rules: points as text,
 * and the numbers of rejects and of written elements.
 */
final class RemoteWriteOracle {
    final List<String> points = new ArrayList<>();
    long rejects;
    long samples;
    long exemplars;

    /** Whether the whole body is refused. */
    boolean isRefused;

    private RemoteWriteOracle() {}

    static RemoteWriteOracle of(byte[] body, boolean isSecond) {
        RemoteWriteOracle oracle = new RemoteWriteOracle();
        DynamicMessage message = parse(body, isSecond);
        List<ByteString> symbols =
                message == null || !isSecond ? List.of() : RemoteWriteMessages.all(message, "symbols");
        boolean isBad = message == null
                || (isSecond
                        && (symbols.isEmpty()
                                ? !RemoteWriteMessages.all(message, "timeseries")
                                        .isEmpty()
                                : !symbols.get(0).isEmpty()));
        if (isBad) {
            oracle.isRefused = true;
            oracle.rejects = 1;
            return oracle;
        }
        List<DynamicMessage> series = RemoteWriteMessages.all(message, "timeseries");
        for (DynamicMessage one : series) {
            oracle.series(one, isSecond, symbols);
        }
        return oracle;
    }

    private static DynamicMessage parse(byte[] body, boolean isSecond) {
        try {
            CodedInputStream in = CodedInputStream.newInstance(body);
            in.setRecursionLimit(32);
            DynamicMessage.Builder builder = DynamicMessage.newBuilder(
                            isSecond ? RemoteWriteMessages.REQUEST : RemoteWriteMessages.WRITE_REQUEST)
                    .mergeFrom(in);
            in.checkLastTagWas(0);
            return builder.buildPartial();
        } catch (IOException e) {
            return null;
        }
    }

    private void series(DynamicMessage series, boolean isSecond, List<ByteString> symbols) {
        List<ByteString> labels = isSecond ? symbolsOf(series, symbols) : textsOf(series);
        Map<String, String> tags = labels == null ? null : tags(labels);
        List<DynamicMessage> all = RemoteWriteMessages.all(series, "samples");
        int type = 0;
        long createdMs = 0;
        if (isSecond) {
            type = (int) RemoteWriteMessages.get((DynamicMessage) RemoteWriteMessages.get(series, "metadata"), "type");
            createdMs = (long) RemoteWriteMessages.get(series, "created_timestamp");
        }
        for (DynamicMessage sample : all) {
            long ownMs = isSecond ? (long) RemoteWriteMessages.get(sample, "start_timestamp") : 0;
            sample(tags, sample, type, ownMs == 0 ? createdMs : ownMs);
        }
        if (tags != null) {
            exemplars += RemoteWriteMessages.all(series, "exemplars").size();
        }
        rejects += RemoteWriteMessages.all(series, "histograms").size();
    }

    private void sample(Map<String, String> tags, DynamicMessage sample, int type, long startMs) {
        double value = (double) RemoteWriteMessages.get(sample, "value");
        long timeMs = (long) RemoteWriteMessages.get(sample, "timestamp");
        if (tags == null) {
            rejects++;
            return;
        }
        if (!Double.isFinite(value)) {
            samples++;
            return;
        }
        if (timeMs < 0 || timeMs > Long.MAX_VALUE / 1_000_000) {
            rejects++;
            return;
        }
        String metric = tags.get("__name__");
        boolean isTotal = type == 1
                || type == 3
                || ((type == 0 || type == 5)
                        && List.of("_total", "_count", "_sum", "_bucket").stream()
                                .anyMatch(metric::endsWith));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put(isTotal ? "total" : "value", value);
        if (isTotal && startMs != 0) {
            fields.put("start_ms", startMs);
        }
        points.add(text(tags, fields, timeMs * 1_000_000));
        samples++;
    }

    static String text(Map<String, String> tags, Map<String, Object> fields, long timeNs) {
        return new TreeMap<>(tags) + " " + fields + " " + timeNs;
    }

    private static List<ByteString> textsOf(DynamicMessage series) {
        List<ByteString> texts = new ArrayList<>();
        List<DynamicMessage> labels = RemoteWriteMessages.all(series, "labels");
        for (DynamicMessage label : labels) {
            ByteString value = (ByteString) RemoteWriteMessages.get(label, "value");
            if (!value.isEmpty()) {
                texts.add((ByteString) RemoteWriteMessages.get(label, "name"));
                texts.add(value);
            }
        }
        return texts;
    }

    private static List<ByteString> symbolsOf(DynamicMessage series, List<ByteString> symbols) {
        List<Integer> references = RemoteWriteMessages.all(series, "labels_refs");
        if (references.size() % 2 != 0
                || references.stream().anyMatch(reference -> reference < 0 || reference >= symbols.size())) {
            return null;
        }
        return references.stream().map(symbols::get).toList();
    }

    /** Returns the labels by name; null for labels that no point can have. */
    private static Map<String, String> tags(List<ByteString> texts) {
        if (texts.size() > 2 * 65) {
            return null;
        }
        Map<String, String> tags = new TreeMap<>();
        for (int i = 0; i < texts.size(); i += 2) {
            String name = utf8(texts.get(i));
            String value = utf8(texts.get(i + 1));
            if (name == null || value == null || name.isEmpty() || value.isEmpty()) {
                return null;
            }
            if (tags.put(name, value) != null) {
                return null;
            }
        }
        return tags.containsKey("__name__") ? tags : null;
    }

    private static String utf8(ByteString text) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    @Override
    public String toString() {
        return Arrays.asList(points, rejects, samples, exemplars).toString();
    }
}
