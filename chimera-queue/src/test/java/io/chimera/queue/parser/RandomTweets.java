package io.chimera.queue.parser;

import java.util.Random;

/**
 * Random lines close to tweets, from a seed: arbitrary nesting, spaces, escapes, duplicate keys, and decoys of tags.
 */
final class RandomTweets {
    private static final String[] KEYS = {
        "entities",
        "hashtags",
        "text",
        "extended_tweet",
        "retweeted_status",
        "quoted_status",
        "user",
        "id_str",
        "tags",
        "urls"
    };

    private static final String[] TEXTS = {
        "Goal",
        "ÄRGER",
        "日本",
        "𠮷野",
        "a\\\"b",
        "\\ud83d\\ude02x",
        "\\ud83d",
        "",
        "\\u0041b",
        "x\\\\",
        "\\\"hashtags\\\":[{\\\"text\\\":\\\"no\\\"}]",
        "{",
        "}",
        "[",
        "]",
        "İ",
        "hashtags",
        "tab\\t",
        "\\/"
    };

    private static final String[] SPACES = {"", "", "", "", " ", "\t", "  ", "\r"};

    private final Random random;
    private final StringBuilder out = new StringBuilder();

    RandomTweets(Random random) {
        this.random = random;
    }

    /** Returns the next line, without the line feed. */
    String next() {
        out.setLength(0);
        status(0);
        return out.toString();
    }

    private void status(int depth) {
        begin('{');
        int members = random.nextInt(4);
        for (int i = 0; i < members; i++) {
            int which = random.nextInt(8);
            if (which < 3) {
                key("entities", i);
                entities();
            } else if (which == 3) {
                key("extended_tweet", i);
                begin('{');
                key("entities", 0);
                entities();
                end('}');
            } else if (which < 6 && depth < 3) {
                key(which == 4 ? "retweeted_status" : "quoted_status", i);
                status(depth + 1);
            } else {
                key(KEYS[random.nextInt(KEYS.length)], i);
                any(depth);
            }
        }
        end('}');
    }

    private void entities() {
        if (random.nextInt(12) == 0) {
            any(3);
            return;
        }
        begin('{');
        int members = 1 + random.nextInt(2);
        for (int i = 0; i < members; i++) {
            if (random.nextInt(4) > 0) {
                key("hashtags", i);
                hashtags();
            } else {
                key("urls", i);
                any(3);
            }
        }
        end('}');
    }

    private void hashtags() {
        if (random.nextInt(10) == 0) {
            any(3);
            return;
        }
        begin('[');
        int tags = Math.max(0, random.nextInt(5) - 2);
        for (int i = 0; i < tags; i++) {
            if (i > 0) {
                out.append(',');
            }
            if (random.nextInt(10) == 0) {
                any(3);
                continue;
            }
            begin('{');
            int members = 1 + random.nextInt(2);
            for (int k = 0; k < members; k++) {
                key(random.nextInt(4) > 0 ? "text" : "indices", k);
                any(4);
            }
            end('}');
        }
        end(']');
    }

    private void any(int depth) {
        switch (random.nextInt(depth < 4 ? 6 : 4)) {
            case 0 -> out.append(random.nextInt(100));
            case 1 -> out.append("null");
            case 2, 3 -> quoted(TEXTS[random.nextInt(TEXTS.length)]);
            case 4 -> {
                begin('[');
                any(depth + 1);
                out.append(',');
                any(depth + 1);
                end(']');
            }
            default -> {
                begin('{');
                key(KEYS[random.nextInt(KEYS.length)], 0);
                any(depth + 1);
                end('}');
            }
        }
    }

    private void key(String key, int before) {
        if (before > 0) {
            out.append(',');
        }
        StringBuilder written = new StringBuilder();
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            written.append(random.nextInt(60) == 0 ? String.format("\\u%04x", (int) c) : c);
        }
        space();
        quoted(written.toString());
        space();
        out.append(':');
        space();
    }

    private void quoted(String text) {
        out.append('"').append(text).append('"');
    }

    private void begin(char bracket) {
        out.append(bracket);
        space();
    }

    private void end(char bracket) {
        space();
        out.append(bracket);
    }

    private void space() {
        if (random.nextInt(4) == 0) {
            out.append(SPACES[random.nextInt(SPACES.length)]);
        }
    }
}
