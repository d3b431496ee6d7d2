package io.chimera.archive.query.text;

import io.chimera.archive.query.text.Token.Kind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** Cursor over the tokens of a filter, with matched parentheses. */
public final class TokenReader {
    /** Symbols used only in sums: a closing parenthesis before such a symbol closes a sum. */
    private static final Set<String> OF_SUMS =
            Set.of("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", ">", "<=", ">=", "=", "!=");

    private final String text;
    private final List<Token> tokens;
    /** Index of the closing parenthesis for each opening parenthesis. */
    private final int[] closings;

    private int at;

    /**
     * Starts at the first token.
     *
     * @param tokens tokens of the text
     */
    public TokenReader(String text, List<Token> tokens) {
        this.text = text;
        this.tokens = tokens;
        this.closings = closings();
    }

    private int[] closings() {
        int[] found = new int[tokens.size()];
        Deque<Integer> open = new ArrayDeque<>();
        for (int i = 0; i < found.length; i++) {
            if (tokens.get(i).is("(")) {
                open.push(i);
            } else if (tokens.get(i).is(")")) {
                if (open.isEmpty()) {
                    throw refusal(tokens.get(i), "This parenthesis closes nothing; remove it, or add '('.");
                }
                found[open.pop()] = i;
            }
        }
        if (!open.isEmpty()) {
            throw refusal(tokens.get(open.pop()), "This parenthesis is never closed; add ')'.");
        }
        return found;
    }

    public Token peek() {
        return tokens.get(at);
    }

    public Token peekBehind() {
        return tokens.get(Math.min(at + 1, tokens.size() - 1));
    }

    public Token next() {
        Token token = tokens.get(at);
        at = Math.min(at + 1, tokens.size() - 1);
        return token;
    }

    public boolean isNext(String word) {
        return peek().is(word);
    }

    public boolean skip(String word) {
        boolean isThere = isNext(word);
        if (isThere) {
            next();
        }
        return isThere;
    }

    public void require(String word, String reason) {
        if (!skip(word)) {
            throw refusal(peek(), reason);
        }
    }

    /** Returns true if a number follows, possibly in parentheses. */
    public boolean isNumberNext() {
        int index = behindOpenings(at);
        return tokens.get(index).kind() == Kind.NUMBER
                && (index == at || tokens.get(index + 1).is(")"));
    }

    /** Returns true if the next parenthesis opens a sum. */
    public boolean isSumNext() {
        return isNext("(") && isOfSums(closings[at] + 1);
    }

    /** Returns true if an address or number without a qualifier follows, possibly after 'not' or '('. */
    public boolean isBareNext() {
        int index = at;
        while (tokens.get(index).is("not") || (tokens.get(index).is("(") && !isOfSums(closings[index] + 1))) {
            index++;
        }
        return switch (tokens.get(index).kind()) {
            case NAME, ADDRESS4, ADDRESS6, ETHERNET -> true;
            case NUMBER -> !isOfSums(index + 1);
            default -> false;
        };
    }

    private boolean isOfSums(int index) {
        return OF_SUMS.contains(tokens.get(index).text()) && tokens.get(index).kind() == Kind.SYMBOL;
    }

    private int behindOpenings(int from) {
        int index = from;
        while (tokens.get(index).is("(")) {
            index++;
        }
        return index;
    }

    public QuestionException refusal(Token token, String reason) {
        return QuestionException.at(text, token.at(), reason);
    }

    /** Adds the place, unless already present. */
    public QuestionException placed(QuestionException refusal, Token token) {
        return refusal.at(text, token.at());
    }
}
