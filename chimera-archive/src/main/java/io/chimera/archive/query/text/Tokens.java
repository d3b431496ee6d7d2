package io.chimera.archive.query.text;

import io.chimera.archive.query.text.Token.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tokenizer for filters, compatible with libpcap: the longest match wins, so {@code 10-20} is one word, and {@code
 * ip[0:2]} is not an address.
 */
public final class Tokens {
    /** Maximum length of a question; limits its memory. */
    public static final int TEXT_MAX = 64 << 10;

    public static final int TOKENS_MAX = 2048;

    private static final int ADDRESS_MAX = 50;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9](?:[-_.A-Za-z0-9]*[.A-Za-z0-9])?");
    private static final Pattern ESCAPED = Pattern.compile("\\\\[^ !()\\n\\t]+");
    private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9A-Fa-f]+");
    private static final Pattern ADDRESS4 = Pattern.compile("[0-9]+(?:\\.[0-9]+){1,3}");
    private static final Pattern ETHERNET = Pattern.compile("[0-9A-Fa-f]{1,2}(?::[0-9A-Fa-f]{1,2}){5}"
            + "|[0-9A-Fa-f]{1,2}(?:-[0-9A-Fa-f]{1,2}){5}"
            + "|[0-9A-Fa-f]{1,2}(?:\\.[0-9A-Fa-f]{1,2}){5}"
            + "|[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4}\\.[0-9A-Fa-f]{4}"
            + "|[0-9A-Fa-f]{12}");
    private static final String SYMBOLS = "+-*/%:[]!<>()&|^=";
    private static final List<String> PAIRS = List.of(">=", "<=", "!=", "==", "<<", ">>", "&&", "||");

    private final String text;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private Tokens(String text) {
        this.text = text;
    }

    /**
     * Tokenizes a filter.
     *
     * @throws QuestionException for an invalid character, a number out of range, or a filter beyond the limits
     */
    public static List<Token> of(String text) {
        if (text.length() > TEXT_MAX) {
            throw QuestionException.at(
                    text, 0, "The filter has " + text.length() + " characters; at most " + TEXT_MAX + " are allowed.");
        }
        return new Tokens(text).cut();
    }

    private List<Token> cut() {
        while (skipSpace()) {
            if (tokens.size() == TOKENS_MAX) {
                throw QuestionException.at(
                        text, at, "A filter has at most " + TOKENS_MAX + " words; split the question.");
            }
            tokens.add(next());
        }
        tokens.add(new Token(Kind.END, "", text.length(), 0));
        return tokens;
    }

    private boolean skipSpace() {
        while (at < text.length() && " \r\n\t".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at < text.length();
    }

    private Token next() {
        boolean isOfWord =
                // fast path: most other characters are symbols, which match no pattern
                isLetterOrDigit(text.charAt(at));
        String name = isOfWord ? match(NAME) : "";
        String ethernet = isOfWord ? match(ETHERNET) : "";
        String address = address6(Math.max(name.length(), ethernet.length()));
        int start = at;
        if (!address.isEmpty()) {
            at += address.length();
            return new Token(Kind.ADDRESS6, address, start, 0);
        }
        if (!ethernet.isEmpty() && ethernet.length() >= name.length()) {
            at += ethernet.length();
            return new Token(Kind.ETHERNET, ethernet, start, 0);
        }
        if (!name.isEmpty()) {
            at += name.length();
            return word(name, start);
        }
        String escaped = text.charAt(at) == '\\' ? match(ESCAPED) : "";
        if (!escaped.isEmpty()) {
            at += escaped.length();
            return new Token(Kind.NAME, escaped.substring(1), start, 0);
        }
        return symbol();
    }

    private static boolean isLetterOrDigit(char character) {
        return (character >= '0' && character <= '9') || ((character | 0x20) >= 'a' && (character | 0x20) <= 'z');
    }

    private String match(Pattern pattern) {
        Matcher matcher = pattern.matcher(text).region(at, text.length());
        return matcher.lookingAt() ? matcher.group() : "";
    }

    /** Returns an IPv6 address longer than the given length; empty without a match. */
    private String address6(int lengthMin) {
        int end = at;
        boolean hasColon = false;
        while (end < text.length() && end - at < ADDRESS_MAX && isOfAddress(text.charAt(end))) {
            hasColon |= text.charAt(end) == ':';
            end++;
        }
        for (; hasColon && end - at > lengthMin; end--) {
            if (Address.parse6(text.substring(at, end)) != null) {
                return text.substring(at, end);
            }
        }
        return "";
    }

    private static boolean isOfAddress(char character) {
        return character == ':' || character == '.' || (Character.digit(character, 16) >= 0 && character < 128);
    }

    private Token word(String word, int start) {
        if (NUMBER.matcher(word).matches()) {
            return new Token(Kind.NUMBER, word, start, number(word, start));
        }
        if (ADDRESS4.matcher(word).matches()) {
            return new Token(Kind.ADDRESS4, word, start, 0);
        }
        if (Words.isKeyword(word)) {
            return new Token(Kind.KEYWORD, word, start, 0);
        }
        Integer number = Words.number(word);
        return number == null ? new Token(Kind.NAME, word, start, 0) : new Token(Kind.NUMBER, word, start, number);
    }

    private int number(String word, int start) {
        boolean isHex = word.length() > 1 && (word.charAt(1) | 0x20) == 'x';
        boolean isOctal = !isHex && word.length() > 1 && word.charAt(0) == '0';
        try {
            return Integer.parseUnsignedInt(isHex ? word.substring(2) : word, isHex ? 16 : isOctal ? 8 : 10);
        } catch (NumberFormatException e) {
            String why = isOctal ? "A number with a leading 0 is octal: use digits up to 7, or remove the 0." : "";
            throw QuestionException.at(
                    text, start, why.isEmpty() ? "The number does not fit 32 bits; use at most 4294967295." : why);
        }
    }

    private Token symbol() {
        int start = at;
        for (String pair : PAIRS) {
            if (text.startsWith(pair, at)) {
                at += 2;
                return symbol(pair, start);
            }
        }
        char character = text.charAt(at);
        if (SYMBOLS.indexOf(character) < 0) {
            throw QuestionException.at(text, at, "Unexpected character; see man pcap-filter for the syntax.");
        }
        at++;
        return symbol(String.valueOf(character), start);
    }

    private static Token symbol(String symbol, int start) {
        String word =
                switch (symbol) {
                    case "&&" -> "and";
                    case "||" -> "or";
                    case "!" -> "not";
                    case "==" -> "=";
                    default -> symbol;
                };
        return new Token(Kind.SYMBOL, word, start, 0);
    }
}
