package io.chimera.common.wire;

import io.chimera.api.model.DataPoint;
import java.math.BigInteger;
import java.util.Map;

/** Formats data points as InfluxDB line protocol for human readers; a histogram is a text. */
public final class LineProtocol {
    private LineProtocol() {}

    /** Formats a point as line protocol with a timestamp in nanoseconds. */
    public static String line(DataPoint point) {
        StringBuilder line = new StringBuilder(escaped(point.key().metric(), "[, ]"));
        point.key().tags().asMap().forEach((name, value) -> line.append(',')
                .append(escaped(name, "[,= ]"))
                .append('=')
                .append(escaped(value, "[,= ]")));
        char separator = ' ';
        for (Map.Entry<String, Object> field : point.fields().entrySet()) {
            line.append(separator)
                    .append(escaped(field.getKey(), "[,= ]"))
                    .append('=')
                    .append(value(field.getValue()));
            separator = ',';
        }
        return line.append(' ').append(point.timeNs()).toString();
    }

    private static String value(Object value) {
        if (value instanceof Long) {
            return value + "i";
        }
        if (value instanceof BigInteger) {
            return value + "u";
        }
        if (value instanceof String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
        return value.toString();
    }

    private static String escaped(String text, String special) {
        return text.replaceAll("(" + special + ")", "\\\\$1").replace("\n", "\\n");
    }
}
