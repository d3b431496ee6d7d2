package io.chimera.queue.parser;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Random text as sent by an agent, from a seed: repeats the same series with other values, and occasionally changes tag
 * order, fields, series or a single byte.
 */
final class RepeatedLines {
    private static final String[] SERIES = {
        "cpu,host=a,zone=eu",
        "cpu,zone=eu,host=a",
        "cpu,host=b,zone=eu",
        "cpu,host=b,zone=eu\\ west",
        "cpu,host=b,zone=eu\\",
        "cpu",
        "c\\ p\\,u,t\\=g=v\\=\\,\\ w",
        "cpu,hóst=ä",
        "cpu,host=\"quoted",
        "a_rather_long_name_of_a_metric,first=0123456789,second=0123456789,third=0123456789",
        "cpu,host=a,host=b",
        "#cpu,a=b",
        "cpu,t=\tv"
    };

    private static final String[][] FIELDS = {
        {"f"},
        {"usage_user", "usage_system", "usage_idle"},
        {"usage_user", "usage_system", "usage_idle", "usage_idle"},
        {"usage_system", "usage_user", "a_name_of_twenty_bytes", "n"},
        {"with\\ space", "with\\=sign", "ö"}
    };

    private static final String[] ENDS = {"\n", "\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# comment\n", "\n  "};

    private final Random random;
    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    private RepeatedLines(Random random) {
        this.random = random;
    }

    static byte[] text(Random random) {
        return new RepeatedLines(random).make();
    }

    private byte[] make() {
        int series = 1 + random.nextInt(5);
        int first = random.nextInt(SERIES.length);
        int lines = random.nextInt(120);
        for (int i = 0; i < lines; i++) {
            int index = random.nextInt(20) == 0 ? random.nextInt(SERIES.length) : first + i % series;
            line(SERIES[index % SERIES.length], FIELDS[(random.nextInt(12) == 0 ? i : index) % FIELDS.length], index);
        }
        byte[] made = text.toByteArray();
        for (int i = random.nextInt(4); i > 0 && made.length > 0; i--) {
            made[random.nextInt(made.length)] = random.nextBoolean()
                    ? (byte) random.nextInt(256)
                    : (byte) " ,=\\\"\n\r1i".charAt(random.nextInt(9));
        }
        return made;
    }

    private void line(String series, String[] fields, int style) {
        put(series);
        put(random.nextInt(30) == 0 ? "  " : " ");
        for (int i = 0; i < fields.length; i++) {
            put((i == 0 ? "" : ",") + fields[i] + "=");
            put(value(random.nextInt(15) == 0 ? random.nextInt(10) : style + i));
        }
        if (random.nextInt(10) > 0) {
            put(" " + (1_700_000_000_000_000_000L + random.nextInt(1_000_000)));
        }
        put(ENDS[random.nextInt(4) == 0 ? random.nextInt(ENDS.length) : 0]);
    }

    private String value(int style) {
        return switch (style % 10) {
            case 0, 1 -> random.nextInt(1_000) + "i";
            case 2 -> (random.nextLong() >> random.nextInt(64)) + "i";
            case 3 -> (random.nextInt(2_000) - 1_000) / 10.0 + "";
            case 4 -> String.valueOf(random.nextInt());
            case 5 -> (random.nextLong() >>> (1 + random.nextInt(60))) + "u";
            case 6 -> random.nextBoolean() ? "true" : "F";
            case 7 -> "\"text " + random.nextInt(100) + (random.nextInt(4) == 0 ? " \\\" ä" : "") + "\"";
            case 8 -> String.valueOf(random.nextDouble() * 1e-5);
            default -> random.nextInt(3) == 0 ? "\"line\nfeed\"" : "-0.0";
        };
    }

    private void put(String piece) {
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        text.write(bytes, 0, bytes.length);
    }
}
