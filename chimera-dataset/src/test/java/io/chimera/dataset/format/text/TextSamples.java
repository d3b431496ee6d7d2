package io.chimera.dataset.format.text;

import io.chimera.api.model.FieldType;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;

/** Random text with good, bad, blank and long lines in all formats. */
final class TextSamples {
    static final RowMapping MAPPING = new RowMapping(
            MetricName.column("m"),
            new TimeColumn("t", TimeFormat.of("ms", ZoneOffset.UTC)),
            List.of(new TagColumn("host", "h")),
            List.of(new FieldColumn("value", "v", FieldType.DOUBLE), new FieldColumn("text", "x", FieldType.TEXT)));

    private static final String[] WORDS = {"a", "cpu", "größe", "x y", "日本", "quote\"in", "0", "long-name-of-host"};
    private static final String[] ENDS = {"\n", "\n", "\n", "\r\n", "\n\n"};

    private TextSamples() {}

    static String words(RandomGenerator random, int lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(
                    switch (random.nextInt(12)) {
                        case 0 -> "bad";
                        case 1 -> "x".repeat(random.nextInt(150)) + " 1";
                        case 2 -> "\"quoted 1";
                        case 3 -> "\"a b\" 7";
                        default -> word(random) + i + " " + random.nextInt(1000);
                    });
            end(text, random, i == lines - 1);
        }
        return text.toString();
    }

    static String csv(RandomGenerator random, int lines, boolean quotedLines) {
        StringBuilder text = new StringBuilder(random.nextBoolean() ? "\uFEFF" : "");
        text.append("m,ignored,t,h,v,\"x\"").append(random.nextBoolean() ? "\r\n" : "\n");
        for (int i = 0; i < lines; i++) {
            switch (random.nextInt(12)) {
                case 0 -> text.append("too,few");
                case 1 -> text.append("a,b,").append(i).append(",\"not closed,1,2");
                case 2 -> text.append("a,b,no time,h,1,2");
                case 3 -> text.append("y".repeat(random.nextInt(200))).append(",,1,h,2,");
                case 4 -> text.append("a,b,1,\"h\"x,1,2");
                default -> {
                    text.append(quoted(word(random), random, quotedLines))
                            .append(",,")
                            .append(i)
                            .append(',');
                    text.append(quoted(word(random), random, quotedLines)).append(',');
                    text.append(random.nextInt(100) / 8.0).append(',');
                    text.append(quoted(word(random), random, quotedLines));
                }
            }
            end(text, random, i == lines - 1);
        }
        return text.toString();
    }

    private static String quoted(String word, RandomGenerator random, boolean quotedLines) {
        String text = quotedLines && random.nextInt(4) == 0 ? word + "\n" + word : word;
        boolean mustQuote = text.startsWith("\"") || text.contains("\n");
        return mustQuote || random.nextBoolean() ? '"' + text.replace("\"", "\"\"") + '"' : text;
    }

    static String json(RandomGenerator random, int lines) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < lines; i++) {
            text.append(
                    switch (random.nextInt(12)) {
                        case 0 -> "{\"m\":\"a\",";
                        case 1 -> "[1]";
                        case 2 -> "{\"m\":\"a\",\"t\":1,\"v\":\"no number\"}";
                        case 3 -> "{\"m\":\"" + "z".repeat(random.nextInt(200)) + "\",\"t\":1,\"v\":3}";
                        case 4 -> "{\"m\":\"a\",\"t\":1,\"v\":{}} ";
                        default ->
                            "{\"other\":{\"m\":[1,{\"t\":2}]},\"h\":\""
                                    + word(random).replace("\"", "\\\"") + "\",\"m\":\"m" + random.nextInt(9)
                                    + "\", \"v\":" + random.nextInt(100) / 8.0 + ",\"x\":"
                                    + (random.nextBoolean() ? "null" : "\"\\u00e4\\n" + i + "\"") + ",\"t\":" + i + "}";
                    });
            end(text, random, i == lines - 1);
        }
        return text.toString();
    }

    private static String word(RandomGenerator random) {
        return WORDS[random.nextInt(WORDS.length)];
    }

    private static void end(StringBuilder text, RandomGenerator random, boolean isLast) {
        if (!isLast || random.nextBoolean()) {
            text.append(ENDS[random.nextInt(ENDS.length)]);
        }
    }
}
