package io.chimera.queue.source.reject;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** Prepares a sender's text for a log line: truncates the text and removes control characters and secrets. */
final class RejectedText {
    /** Maximum length of text in a log line, before escaping. */
    static final int LENGTH_MAX = 160;

    private static final String WORDS =
            "authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[_-]?key|(?:access[_-]?)?token|bearer|basic"
                    + "|pass(?:word|wd|phrase)?|pwd|secret";

    /** Matches a secret after a header name, in a pair, in a JSON member, or after an authentication scheme. */
    private static final Pattern HEADER =
            Pattern.compile("(?i)((?:proxy-)?authorization|(?:set-)?cookie)(\"?\\s*[:=]\\s*\"?)[^\"\\r\\n]+");

    private static final Pattern PAIR =
            Pattern.compile("(?i)\\b(" + WORDS + ")(\"?\\s*[:=]\\s*\"?|\\s+)(?!\\*{3})[^\\s\"',;&]+");
    private static final Pattern PARAMETER = Pattern.compile("([?&][pu]=)[^&\\s]+");
    private static final Pattern LOGIN = Pattern.compile("(?i)^(\\s*auth\\s+).+", Pattern.DOTALL);
    private static final Pattern USER_INFO = Pattern.compile("://[^/@\\s]+@");

    private RejectedText() {}

    /** Formats the beginning of a sender's text. */
    static String of(byte[] bytes, int length) {
        String text;
        try {
            text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        }
        return of(text, LENGTH_MAX);
    }

    /** Formats text given as characters. */
    static String of(String text, int lengthMax) {
        String open = HEADER.matcher(text).replaceAll("$1$2***");
        open = PAIR.matcher(open).replaceAll("$1$2***");
        open = PARAMETER.matcher(open).replaceAll("$1***");
        open = LOGIN.matcher(open).replaceAll("$1***");
        open = USER_INFO.matcher(open).replaceAll("://***@");
        return escaped(open, lengthMax);
    }

    private static String escaped(String text, int lengthMax) {
        StringBuilder escaped = new StringBuilder();
        int shown = Math.min(text.length(), lengthMax);
        for (int i = 0; i < shown; i++) {
            char c = text.charAt(i);
            switch (c) {
                case '\n' -> escaped.append("\\n");
                case '\r' -> escaped.append("\\r");
                case '\t' -> escaped.append("\\t");
                case '\\' -> escaped.append("\\\\");
                default -> {
                    if (isShown(c)) {
                        escaped.append(c);
                    } else {
                        escaped.append("\\u").append(hex(c));
                    }
                }
            }
        }
        return text.length() > shown ? escaped + "…" : escaped.toString();
    }

    /** Whether a character cannot manipulate a terminal or mislead a reader of the log. */
    private static boolean isShown(char c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }

    private static String hex(char c) {
        String hex = Integer.toHexString(c);
        return "0".repeat(4 - hex.length()) + hex;
    }
}
