package io.chimera.archive.query.text;

/**
 * Word of a filter.
 *
 * @param kind kind of the token
 * @param text text as written, without the backslash of a name
 * @param at index of the first character
 * @param number value of a {@link Kind#NUMBER}: 32 bits, unsigned
 */
public record Token(Kind kind, String text, int at, int number) {
    /** Kind of a token. */
    public enum Kind {
        /** Keyword of the grammar. */
        KEYWORD,
        /** Any other word, or a word after a backslash. */
        NAME,
        NUMBER,
        /** Two to four parts of an IPv4 address. */
        ADDRESS4,
        ADDRESS6,
        ETHERNET,
        SYMBOL,
        END
    }

    public boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }

    public boolean isJoiner() {
        return is("and") || is("or");
    }
}
