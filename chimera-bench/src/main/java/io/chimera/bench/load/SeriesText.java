package io.chimera.bench.load;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;

/**
 * Line protocol with the given number of series and tags, generated on demand: point n belongs to series n mod the
 * number of series, so that each series appears as rarely as possible. A line has two fields, and all lines have the
 * same length. Immutable.
 */
public final class SeriesText implements BodySource {
    /** Tag with 100 values for grouping; present with at least two tags. */
    public static final String RACK = "rack";

    /** First field. */
    public static final String FIELD = "usage_user";

    private static final String HOST = "host=host_";
    private static final int RACKS = 100;
    private static final int HOST_DIGITS = 8;
    private static final int VALUE_DIGITS = 4;
    private static final int BODY_LINES_MAX = 3_000;

    /** Maximum body size: all concurrent bodies must fit into the byte limit of an input. */
    private static final int BODY_LENGTH_MAX = 1 << 20;

    /** 2023-11-14T22:13:20Z. */
    private static final String TIME = " 1700000000000000000\n";

    private final int series;
    private final int bodyLines;
    private final byte[] line;
    private final int host;
    private final int rack;
    private final int user;
    private final int system;

    /**
     * Creates a generator.
     *
     * @param series number of series, 1 to 100 million
     * @param tags number of tags, 1 to 64
     */
    public SeriesText(int series, int tags) {
        this.series = series;
        StringBuilder text = new StringBuilder("scale," + HOST);
        host = text.length();
        text.append("0".repeat(HOST_DIGITS));
        if (tags > 1) {
            text.append(',').append(RACK).append("=rack_00");
        }
        rack = tags > 1 ? text.length() - 2 : -1;
        for (int tag = 2; tag < tags; tag++) {
            text.append(String.format(",tag_%02d=value_%02d", tag, tag));
        }
        text.append(' ').append(FIELD).append('=');
        user = text.length();
        text.append("0".repeat(VALUE_DIGITS)).append("i,usage_system=");
        system = text.length();
        text.append("0".repeat(VALUE_DIGITS)).append('i').append(TIME);
        line = text.toString().getBytes(US_ASCII);
        bodyLines = Math.min(BODY_LINES_MAX, BODY_LENGTH_MAX / line.length);
    }

    /** Returns the points, in bodies of up to one megabyte. */
    public Feed feed() {
        return new Feed(this, bodyLines);
    }

    /** Returns the number of the series with the given text of metric and tags. */
    public static int seriesOf(String key) {
        int begin = key.indexOf(HOST) + HOST.length();
        return Integer.parseInt(key.substring(begin, begin + HOST_DIGITS));
    }

    @Override
    public ByteBuffer body(long number) {
        byte[] body = new byte[bodyLines * line.length];
        for (int i = 0; i < bodyLines; i++) {
            long point = number * bodyLines + i;
            int offset = i * line.length;
            System.arraycopy(line, 0, body, offset, line.length);
            int of = (int) (point % series);
            putDigits(of, HOST_DIGITS, body, offset + host);
            if (rack >= 0) {
                putDigits(of % RACKS, 2, body, offset + rack);
            }
            putDigits(point, VALUE_DIGITS, body, offset + user);
            putDigits(point * 7, VALUE_DIGITS, body, offset + system);
        }
        return ByteBuffer.wrap(body);
    }

    /** Writes the last digits of a number. */
    private static void putDigits(long number, int digits, byte[] target, int offset) {
        long rest = number;
        for (int i = digits - 1; i >= 0; i--) {
            target[offset + i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
