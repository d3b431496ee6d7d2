package io.chimera.queue.parser;

import io.chimera.api.model.DataPoint;
import io.chimera.common.config.GraphiteConfig;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares the parser's points for lines of the plaintext protocol with the points of a simple reader. */
final class GraphiteOracle {
    static final List<String> TEMPLATES =
            List.of("servers.* .host.metric* dc=eu", "servers.web* .host.metric.disk.metric", "cpu host.metric");

    private GraphiteOracle() {}

    /** Checks possibly invalid lines. */
    static void check(byte[] text) {
        RecordingSink sink =
                RecordingSink.of(new GraphiteLineParser(new GraphiteConfig(TEMPLATES).parsedTemplates()), text, 1);
        List<String> expected = new ArrayList<>();
        int lines = 0;
        int start = 0;
        for (int i = 0; i <= text.length; i++) {
            if (i == text.length || text[i] == '\n') {
                byte[] line = Arrays.copyOfRange(text, start, i);
                boolean isBlank = true;
                for (byte b : line) {
                    isBlank &= b >= 0 && b <= ' ';
                }
                lines += isBlank ? 0 : 1;
                point(line).ifPresent(expected::add);
                start = i + 1;
            }
        }
        List<String> seen = sink.points.stream().map(GraphiteOracle::shown).toList();
        if (!seen.equals(expected) || sink.rejects.size() != lines - expected.size()) {
            throw new AssertionError(seen + " instead of " + expected + ", " + sink.rejects + " from "
                    + new String(text, StandardCharsets.UTF_8));
        }
    }

    private static String shown(DataPoint point) {
        return point.key().metric() + new TreeMap<>(point.key().tags().asMap())
                + point.fields().get("value") + "@" + point.timeNs();
    }

    private static Optional<String> point(byte[] line) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
        String[] words = text.replaceAll("^[\0- ]+|[\0- ]+$", "").split("[\0- ]+", -1);
        if (words.length < 2 || words.length > 3) {
            return Optional.empty();
        }
        Optional<Double> value = OpenTsdbOracle.decimal(words[1]);
        Optional<Long> time = Optional.of(RecordingSink.ARRIVAL_NS);
        if (words.length == 3 && !OpenTsdbOracle.decimal(words[2]).equals(Optional.of(-1.0))) {
            time = OpenTsdbOracle.timeNs(words[2], false);
        }
        Optional<String> series = series(words[0]);
        if (value.isEmpty() || time.isEmpty() || series.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(series.get() + value.get() + "@" + time.get());
    }

    private static Optional<String> series(String path) {
        String[] parts = path.split(";", -1);
        Map<String, String> tags = new TreeMap<>();
        if (parts[0].isEmpty()) {
            return Optional.empty();
        }
        if (parts.length > 65) {
            return Optional.empty();
        }
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals < 1 || equals == parts[i].length() - 1) {
                return Optional.empty();
            }
            if (tags.put(parts[i].substring(0, equals), parts[i].substring(equals + 1)) != null) {
                return Optional.empty();
            }
        }
        return parts.length > 1 ? Optional.of(parts[0] + tags) : split(path);
    }

    private static Optional<String> split(String path) {
        String[] names = path.split("\\.", -1);
        Map<String, String> tags = new TreeMap<>();
        String metric = path;
        if (names.length > 256) {
            return Optional.of(metric + tags);
        }
        if (names.length >= 2 && names[0].equals("servers") && names[1].startsWith("web") && names.length <= 5) {
            metric = joined(name(names, 2), name(names, 4));
            put(tags, "host", names[1]);
            put(tags, "disk", name(names, 3));
        } else if (names.length >= 2 && names[0].equals("servers")) {
            metric = joined(Arrays.copyOfRange(names, 2, names.length));
            put(tags, "host", names[1]);
            tags.put("dc", "eu");
        } else if (names[0].equals("cpu") && names.length <= 2) {
            metric = name(names, 1);
            put(tags, "host", "cpu");
        }
        return metric.isEmpty() ? Optional.empty() : Optional.of(metric + tags);
    }

    private static String name(String[] names, int index) {
        return index < names.length ? names[index] : "";
    }

    private static void put(Map<String, String> tags, String name, String value) {
        if (!value.isEmpty()) {
            tags.put(name, value);
        }
    }

    private static String joined(String... names) {
        return String.join(
                ".", Arrays.stream(names).filter(name -> !name.isEmpty()).toList());
    }
}
