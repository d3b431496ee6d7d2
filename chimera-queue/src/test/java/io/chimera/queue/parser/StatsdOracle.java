package io.chimera.queue.parser;

import io.chimera.api.model.DataPoint;
import io.chimera.common.config.StatsdConfig;
import io.chimera.common.config.StatsdConfig.RelativeGauges;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.QueueCounter;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Compares the parser's points for lines of StatsD with the points of a simple reader. */
final class StatsdOracle {
    private StatsdOracle() {}

    static StatsdParser parser(RelativeGauges relative) {
        return new StatsdParser(new StatsdConfig(relative), new Counters<>(QueueCounter.class));
    }

    /** Checks possibly invalid lines. */
    static void check(byte[] text) {
        for (RelativeGauges relative : RelativeGauges.values()) {
            List<String> expected = new ArrayList<>();
            int start = 0;
            for (int i = 0; i <= text.length; i++) {
                if (i == text.length || text[i] == '\n') {
                    points(Arrays.copyOfRange(text, start, i), relative, expected);
                    start = i + 1;
                }
            }
            List<String> seen = RecordingSink.of(parser(relative), text, 1).points.stream()
                    .map(StatsdOracle::shown)
                    .toList();
            if (!seen.equals(expected)) {
                throw new AssertionError(
                        seen + " instead of " + expected + " from " + new String(text, StandardCharsets.UTF_8));
            }
        }
    }

    private static String shown(DataPoint point) {
        return point.key().metric() + new TreeMap<>(point.key().tags().asMap()) + point.fields() + "@" + point.timeNs();
    }

    private static void points(byte[] line, RelativeGauges relative, List<String> points) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(line))
                    .toString();
        } catch (CharacterCodingException e) {
            return;
        }
        text = text.replaceFirst("^ +", "").replaceFirst("\r$", "");
        int colon = text.indexOf(':');
        int bar = text.indexOf('|', Math.max(0, colon));
        if (text.startsWith("_e{") || text.startsWith("_sc|") || colon < 1 || bar < colon) {
            return;
        }
        String[] sections = text.substring(bar + 1).split("\\|", -1);
        String type = sections[0];
        String values = text.substring(colon + 1, bar);
        if (!List.of("c", "g", "ms", "h", "d", "s").contains(type) || values.isEmpty()) {
            return;
        }
        double rate = 1;
        long timeNs = RecordingSink.ARRIVAL_NS;
        String tags = "";
        for (String section : Arrays.asList(sections).subList(1, sections.length)) {
            if (section.startsWith("#")) {
                tags = section.substring(1);
            } else if (section.startsWith("@")) {
                Optional<Double> read =
                        section.startsWith("@+") ? Optional.empty() : OpenTsdbOracle.decimal(section.substring(1));
                if (read.isEmpty() || !(read.get() > 0 && read.get() <= 1)) {
                    return;
                }
                rate = read.get();
            } else if (section.startsWith("T")) {
                Optional<Long> read = OpenTsdbOracle.timeNs(section.substring(1), false);
                if (read.isEmpty()) {
                    return;
                }
                timeNs = read.get();
            } else if (!section.matches("(?s)[a-z]+:.*")) {
                return;
            }
        }
        Optional<Map<String, String>> series = tags(tags);
        if (series.isEmpty()) {
            return;
        }
        String key = text.substring(0, colon) + series.get();
        for (String value : type.equals("s") ? new String[] {values} : values.split(":", -1)) {
            String end = "}@" + timeNs;
            boolean isChange = type.equals("g") && value.matches("(?s)[+-].*") && relative != RelativeGauges.ABSOLUTE;
            if (type.equals("s")) {
                points.add(key + "{set=" + value + end);
            } else if (!isChange || relative == RelativeGauges.DELTA) {
                double divisor = type.equals("c") ? rate : 1;
                String field = isChange || type.equals("c") ? "delta" : "value";
                OpenTsdbOracle.decimal(value)
                        .map(number -> number / divisor)
                        .filter(number -> !number.isInfinite())
                        .ifPresent(number -> points.add(key + "{" + field + "=" + number + end));
            }
        }
    }

    private static Optional<Map<String, String>> tags(String text) {
        Map<String, String> tags = new TreeMap<>();
        for (String tag : text.split(",", -1)) {
            int colon = tag.indexOf(':');
            String name = colon < 0 ? tag : tag.substring(0, colon);
            String value = colon < 0 ? "true" : tag.substring(colon + 1);
            if (!tag.isEmpty() && (name.isEmpty() || value.isEmpty() || tags.put(name, value) != null)) {
                return Optional.empty();
            }
        }
        return tags.size() > 64 ? Optional.empty() : Optional.of(tags);
    }
}
