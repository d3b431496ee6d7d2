package io.chimera.archive.query.filter;

import io.chimera.archive.query.condition.PointCondition;
import io.chimera.archive.query.condition.PointCondition.Operand;
import io.chimera.archive.query.condition.PointCondition.Sign;
import io.chimera.archive.query.text.Depth;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.Tokens;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recursive-descent parser for filters of data points:
 *
 * <pre>
 *   filter := term { ("and" | "or") term }          equal precedence, left-associative, as in filters of packets
 *   term   := "not" term | "(" filter ")" | name sign value
 *   sign   := "=" | "!=" | "&lt;" | "&lt;=" | "&gt;" | "&gt;="
 * </pre>
 *
 * <p>A name or a value is a word, or any text in quotes. The name {@code metric} denotes the metric.
 */
final class PointGrammar {
    private static final int DEPTH_MAX = Depth.MAX;
    private static final int TERMS_MAX = Tokens.TOKENS_MAX;

    /** Longer signs first, for the longest match. */
    private static final List<Sign> SIGNS =
            List.of(Sign.NOT_EQUAL, Sign.LESS_OR_EQUAL, Sign.GREATER_OR_EQUAL, Sign.EQUAL, Sign.LESS, Sign.GREATER);

    private final String text;
    private final List<String> warnings = new ArrayList<>();
    private int at;
    private int terms;

    PointGrammar(String text) {
        this.text = text;
    }

    /**
     * Parses the filter.
     *
     * @throws QuestionException when the filter is invalid
     */
    PointCondition read() {
        if (text.length() > Tokens.TEXT_MAX) {
            throw QuestionException.at(
                    text,
                    0,
                    "The filter has " + text.length() + " characters; at most " + Tokens.TEXT_MAX + " are allowed.");
        }
        if (text.isBlank()) {
            return new PointCondition.Everything();
        }
        PointCondition condition = list(0);
        skipSpace();
        if (at < text.length()) {
            throw refusal("Unexpected text after the filter; join the rest with 'and' or 'or'.");
        }
        return condition;
    }

    List<String> warnings() {
        return List.copyOf(warnings);
    }

    private PointCondition list(int depth) {
        List<PointCondition> parts = new ArrayList<>();
        parts.add(term(depth));
        boolean isAnd = false;
        int changes = 0;
        for (int start = joiner(); start >= 0; start = joiner()) {
            boolean isAndNow = text.charAt(start) == 'a' || text.charAt(start) == '&';
            if (parts.size() > 1 && isAndNow != isAnd) {
                changes++;
                warn(changes, start);
                check(depth + changes);
                PointCondition before = joined(parts, isAnd);
                parts.clear();
                parts.add(before);
            }
            isAnd = isAndNow;
            parts.add(term(depth));
        }
        return joined(parts, isAnd);
    }

    private static PointCondition joined(List<PointCondition> parts, boolean isAnd) {
        if (parts.size() == 1) {
            return parts.get(0);
        }
        List<PointCondition> copy = List.copyOf(parts);
        return isAnd ? new PointCondition.All(copy) : new PointCondition.Any(copy);
    }

    private void warn(int changes, int start) {
        if (changes == 1) {
            warnings.add("'and' and 'or' have equal precedence: 'a or b and c' means '(a or b) and c'. At character "
                    + (start + 1) + " both are mixed; use parentheses.");
        }
    }

    private void check(int depth) {
        if (depth > DEPTH_MAX) {
            throw refusal("The nesting is deeper than " + DEPTH_MAX + " levels; split the question.");
        }
    }

    /** Skips an 'and' or 'or' and returns its position; -1 if no joiner follows. */
    private int joiner() {
        skipSpace();
        int start = at;
        return skip("and") || skip("or") || skip("&&") || skip("||") ? start : -1;
    }

    private PointCondition term(int depth) {
        skipSpace();
        check(depth);
        if (isNotAhead()) {
            return new PointCondition.Not(term(depth + 1));
        }
        if (skip("(")) {
            PointCondition inner = list(depth + 1);
            skipSpace();
            if (!skip(")")) {
                throw refusal("Expected 'and', 'or' or ')'.");
            }
            return inner;
        }
        terms++;
        if (terms > TERMS_MAX) {
            throw refusal("A filter has at most " + TERMS_MAX + " terms; split the question.");
        }
        return comparison();
    }

    private boolean isNotAhead() {
        return skip("not") || (!text.startsWith("!=", at) && skip("!"));
    }

    private PointCondition comparison() {
        String name = word("Expected a name: 'metric', a tag or a field.");
        skipSpace();
        Sign sign = sign();
        skipSpace();
        int valueAt = at;
        String value = word("Expected a value; put quotes around several words.");
        if (name.equals("metric")) {
            if (!sign.isOfText()) {
                throw QuestionException.at(text, valueAt, "A metric is compared by '=' or '!='.");
            }
            return new PointCondition.Metric(value, sign == Sign.EQUAL);
        }
        Operand number = number(value);
        if (number == null && !sign.isOfText()) {
            throw QuestionException.at(text, valueAt, "Expected a number after '" + sign.symbol() + "'.");
        }
        return new PointCondition.Value(name, sign, value, number);
    }

    private Sign sign() {
        for (Sign sign : SIGNS) {
            if (text.startsWith(sign.symbol(), at)) {
                at += sign.symbol().length();
                return sign;
            }
        }
        throw refusal("Expected '=', '!=', '<', '<=', '>' or '>='.");
    }

    /** Returns null if the text is not a number. */
    private static @Nullable Operand number(String value) {
        if (value.equals("true") || value.equals("false")) {
            return new Operand(false, 0, value.equals("true") ? 1 : 0);
        }
        try {
            long whole = Long.parseLong(value);
            return new Operand(true, whole, whole);
        } catch (NumberFormatException e) {
            // may be a fraction
        }
        try {
            double number = Double.parseDouble(value);
            return Double.isFinite(number) ? new Operand(false, 0, number) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private String word(String reason) {
        if (at < text.length() && text.charAt(at) == '"') {
            int end = text.indexOf('"', at + 1);
            if (end < 0) {
                throw refusal("The quote is never closed; add '\"' at its end.");
            }
            String quoted = text.substring(at + 1, end);
            at = end + 1;
            return quoted;
        }
        int start = at;
        while (at < text.length() && isOfWord(text.charAt(at))) {
            at++;
        }
        if (at == start) {
            throw refusal(reason);
        }
        return text.substring(start, at);
    }

    private static boolean isOfWord(char character) {
        return !Character.isWhitespace(character) && "()=!<>\"&|".indexOf(character) < 0;
    }

    private boolean skip(String what) {
        boolean isWord = Character.isLetter(what.charAt(0));
        int end = at + what.length();
        if (!text.startsWith(what, at) || (isWord && end < text.length() && isOfWord(text.charAt(end)))) {
            return false;
        }
        if (isWord && isName(end)) {
            return false;
        }
        at = end;
        return true;
    }

    /** Returns true if the word ending here is a tag name after all. */
    private boolean isName(int end) {
        int next = end;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next < text.length() && ("=<>".indexOf(text.charAt(next)) >= 0 || text.startsWith("!=", next));
    }

    private void skipSpace() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private QuestionException refusal(String reason) {
        return QuestionException.at(text, at, reason);
    }
}
