package io.chimera.archive.query;

/**
 * A word of a filter.
 *
 * @param kind what it is
 * @param text as written, without the backslash of a name
 * @param at index of its first character
 * @param number of {@link Kind#NUMBER}: 32 bits without sign
 */
record Token(Kind kind, String text, int at, int number) {
    /** What a token is. */
    enum Kind {
        /** One that means something to the grammar. */
        KEYWORD,
        /** Another word, or one behind a backslash. */
        NAME,
        NUMBER,
        /** Two to four parts of an IPv4 address. */
        ADDRESS4,
        ADDRESS6,
        ETHERNET,
        SYMBOL,
        END
    }

    boolean is(String word) {
        return (kind == Kind.KEYWORD || kind == Kind.SYMBOL) && text.equals(word);
    }

    boolean isJoiner() {
        return is("and") || is("or");
    }
}
