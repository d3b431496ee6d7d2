package io.chimera.queue.parser;

import io.chimera.api.HotPath;
import io.chimera.api.spi.PointSink;
import io.chimera.common.config.GraphiteTemplate;
import io.chimera.common.wire.BodyLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Turns Graphite paths into a metric and tags: a path with tags ({@code disk.used;host=a;dc=b}) as it is, a path
 * without tags by the first template that applies, any other path as the metric. Not thread-safe; allocates nothing.
 */
final class GraphitePaths {
    /** Templates do not apply to paths with more names. */
    private static final int NAMES_MAX = 256;

    private static final int NO_NAME = -1;
    private static final byte[] METRIC = {};
    private static final byte[] REST = {};
    private static final byte[] DROPPED = {};

    /** A template in bytes; the identity of METRIC, REST and DROPPED marks the parts that are no tag. */
    private static final class Compiled {
        private final byte[][] filter;
        private final byte[][] parts;
        private final byte[][] tagNames;
        private final byte[][] tagValues;
        private final boolean takesRest;

        Compiled(GraphiteTemplate template) {
            filter = bytes(template.filter());
            parts = template.parts().stream().map(Compiled::part).toArray(byte[][]::new);
            tagNames = bytes(List.copyOf(template.tags().keySet()));
            tagValues = bytes(List.copyOf(template.tags().values()));
            takesRest = parts[parts.length - 1] == REST;
        }

        private static byte[] part(String part) {
            return switch (part) {
                case "" -> DROPPED;
                case GraphiteTemplate.METRIC -> METRIC;
                case GraphiteTemplate.METRICS -> REST;
                default -> part.getBytes(StandardCharsets.UTF_8);
            };
        }

        private static byte[][] bytes(List<String> texts) {
            return texts.stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        }

        int length() {
            int length = 0;
            for (byte[][] texts : List.of(parts, tagNames, tagValues)) {
                for (byte[] text : texts) {
                    length += text.length + 2;
                }
            }
            return length;
        }
    }

    private final Compiled[] templates;
    private final int growth;
    private final int[] starts = new int[NAMES_MAX];
    private final int[] ends = new int[NAMES_MAX];
    private final byte[] metric;
    private int names;
    private int metricStart;
    private int metricEnd;

    /** Creates paths with templates, the longest filter first. */
    GraphitePaths(List<GraphiteTemplate> templates) {
        this.templates = templates.stream().map(Compiled::new).toArray(Compiled[]::new);
        growth = Arrays.stream(this.templates).mapToInt(Compiled::length).max().orElse(0);
        metric = new byte[templates.isEmpty() ? 0 : BodyLayout.TEXT_LENGTH_MAX];
    }

    /** Maximum number of bytes that a template adds to the text of a point. */
    int growth() {
        return growth;
    }

    /** Passes a path to the sink; returns null without an error. */
    @HotPath
    ParseError write(byte[] bytes, int from, int to, PointSink sink) {
        if (to - from > BodyLayout.TEXT_LENGTH_MAX) {
            return ParseError.GRAPHITE_TOO_LONG;
        }
        int end = until(bytes, from, to, ';');
        if (end == from) {
            return ParseError.NO_METRIC;
        }
        if (end < to) {
            sink.metric(bytes, from, end - from);
            return tags(bytes, end, to, sink);
        }
        if (templates.length > 0 && split(bytes, from, to)) {
            for (Compiled template : templates) {
                if (isApplicable(template, bytes)) {
                    return apply(template, bytes, sink);
                }
            }
        }
        sink.metric(bytes, from, to - from);
        return null;
    }

    private static int until(byte[] bytes, int from, int to, char wanted) {
        int i = from;
        while (i < to && bytes[i] != wanted) {
            i++;
        }
        return i;
    }

    private static ParseError tags(byte[] bytes, int from, int to, PointSink sink) {
        int end = from;
        while (end < to) {
            int name = end + 1;
            end = until(bytes, name, to, ';');
            int equals = until(bytes, name, end, '=');
            if (equals == end) {
                return ParseError.TELNET_BAD_TAG;
            }
            if (equals == name) {
                return ParseError.TELNET_NO_TAG_NAME;
            }
            if (equals + 1 == end) {
                return ParseError.TELNET_NO_TAG_VALUE;
            }
            sink.tag(bytes, name, equals - name, bytes, equals + 1, end - equals - 1);
        }
        return null;
    }

    /** Finds the names of a path; false if the path has too many. */
    private boolean split(byte[] bytes, int from, int to) {
        names = 0;
        int start = from;
        while (names < NAMES_MAX) {
            starts[names] = start;
            ends[names] = until(bytes, start, to, '.');
            start = ends[names++] + 1;
            if (start > to) {
                return true;
            }
        }
        return false;
    }

    private boolean isApplicable(Compiled template, byte[] bytes) {
        if (names < template.filter.length || (names > template.parts.length && !template.takesRest)) {
            return false;
        }
        for (int i = 0; i < template.filter.length; i++) {
            if (!isMatch(template.filter[i], bytes, starts[i], ends[i])) {
                return false;
            }
        }
        return true;
    }

    /** Compares a name with a pattern; an asterisk matches any text. Backtracks to the last asterisk only. */
    private static boolean isMatch(byte[] pattern, byte[] bytes, int from, int to) {
        int p = 0;
        int i = from;
        int star = NO_NAME;
        int retry = from;
        while (i < to) {
            if (p < pattern.length && pattern[p] == '*') {
                star = p++;
                retry = i;
            } else if (p < pattern.length && pattern[p] == bytes[i]) {
                p++;
                i++;
            } else if (star == NO_NAME) {
                return false;
            } else {
                p = star + 1;
                i = ++retry;
            }
        }
        while (p < pattern.length && pattern[p] == '*') {
            p++;
        }
        return p == pattern.length;
    }

    private ParseError apply(Compiled template, byte[] bytes, PointSink sink) {
        if (!takeMetric(template, bytes)) {
            return ParseError.GRAPHITE_NO_METRIC;
        }
        boolean inPlace = metricStart != NO_NAME;
        sink.metric(inPlace ? bytes : metric, inPlace ? metricStart : 0, inPlace ? metricEnd - metricStart : metricEnd);
        int tagged = Math.min(names, template.parts.length);
        for (int i = 0; i < tagged; i++) {
            byte[] part = template.parts[i];
            if (part != METRIC && part != REST && part != DROPPED && ends[i] > starts[i]) {
                sink.tag(part, 0, part.length, bytes, starts[i], ends[i] - starts[i]);
            }
        }
        for (int i = 0; i < template.tagNames.length; i++) {
            byte[] name = template.tagNames[i];
            byte[] value = template.tagValues[i];
            sink.tag(name, 0, name.length, value, 0, value.length);
        }
        return null;
    }

    /**
     * Joins the names of the metric: adjacent names stay in the path, others are copied, and then the start is {@link
     * #NO_NAME}. False without a name.
     */
    private boolean takeMetric(Compiled template, byte[] bytes) {
        metricStart = NO_NAME;
        metricEnd = 0;
        int last = NO_NAME;
        int copied = 0;
        for (int i = 0; i < names; i++) {
            byte[] part = template.parts[Math.min(i, template.parts.length - 1)];
            if ((part == METRIC || part == REST) && ends[i] > starts[i]) {
                if (last == NO_NAME) {
                    metricStart = starts[i];
                } else if (last < i - 1 || metricStart == NO_NAME) {
                    copied = metricStart == NO_NAME ? copied : copy(bytes, metricStart, metricEnd, 0);
                    metric[copied++] = '.';
                    copied = copy(bytes, starts[i], ends[i], copied);
                    metricStart = NO_NAME;
                }
                metricEnd = ends[i];
                last = i;
            }
        }
        if (last != NO_NAME && metricStart == NO_NAME) {
            metricEnd = copied;
        }
        return last != NO_NAME;
    }

    private int copy(byte[] bytes, int from, int to, int at) {
        System.arraycopy(bytes, from, metric, at, to - from);
        return at + to - from;
    }
}
