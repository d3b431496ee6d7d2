package io.chimera.archive.query.text;

/** Limits the nesting of a question, and thereby the stack used for parsing and answering. */
public final class Depth {
    public static final int MAX = 200;

    private final TokenReader tokens;
    private int depth;

    public Depth(TokenReader tokens) {
        this.tokens = tokens;
    }

    public void enter(Token token) {
        depth++;
        check(token, depth);
    }

    public void leave() {
        depth--;
    }

    /** Checks a term that nests without parentheses. */
    public void check(Token token, int levels) {
        if (levels > MAX) {
            throw tokens.refusal(token, "The nesting is deeper than " + MAX + " levels; split the question.");
        }
    }
}
