package io.chimera.archive.query;

/** Limits the nesting of a question, and thereby the stack used for parsing and answering. */
final class Depth {
    static final int MAX = 200;

    private final TokenReader tokens;
    private int depth;

    Depth(TokenReader tokens) {
        this.tokens = tokens;
    }

    void enter(Token token) {
        depth++;
        check(token, depth);
    }

    void leave() {
        depth--;
    }

    /** Checks a term that nests without parentheses. */
    void check(Token token, int levels) {
        if (levels > MAX) {
            throw tokens.refusal(token, "The nesting is deeper than " + MAX + " levels; split the question.");
        }
    }
}
