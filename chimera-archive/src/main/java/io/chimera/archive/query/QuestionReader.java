package io.chimera.archive.query;

import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.query.text.TimeWords;
import io.chimera.archive.query.text.Tokens;
import java.util.Set;

/** Extracts the clauses of a question, independent of the filter language. */
final class QuestionReader {
    private static final Set<String> CLAUSES = Set.of("after", "before", "stream", "limit");
    private static final Set<String> AND = Set.of("and", "&&");
    private static final Set<String> OR = Set.of("or", "||");
    private static final Set<String> OTHER_JOINERS = Set.of("or", "||", "not", "!");
    private static final String WHOLE =
            "This clause applies to the whole question: join it with 'and', and put 'or' terms in" + " parentheses.";

    private final String text;
    private final long nowNs;
    private final StringBuilder filter;

    private int at;
    private int depth;
    private int wordAt;
    /** Position of the joiner before the word; -1 if another word, or none, precedes. */
    private int andAt = -1;

    private String joiner = "";
    private boolean hasFilter;
    private boolean hasClause;

    private String stream = "";
    private long afterNs = Long.MIN_VALUE;
    private long beforeNs = Long.MAX_VALUE;
    private long limit = Long.MAX_VALUE;

    QuestionReader(String text, long nowNs) {
        this.text = text;
        this.nowNs = nowNs;
        filter = new StringBuilder(text);
    }

    Question read() {
        if (text.length() > Tokens.TEXT_MAX) {
            throw QuestionException.at(
                    text,
                    0,
                    "The question has " + text.length() + " characters; at most " + Tokens.TEXT_MAX + " are allowed.");
        }
        for (String word = word(); !word.isEmpty(); word = word()) {
            if (depth == 0 && CLAUSES.contains(word) && !isTag()) {
                takeClause(word);
            } else {
                take(word);
            }
        }
        return new Question(filter.toString(), stream, afterNs, beforeNs, limit);
    }

    private void take(String word) {
        if (depth == 0 && hasClause && OR.contains(word)) {
            throw QuestionException.at(text, wordAt, WHOLE);
        }
        boolean isAnd = depth == 0 && AND.contains(word);
        andAt = isAnd ? wordAt : -1;
        joiner = isAnd || OTHER_JOINERS.contains(word) ? word : "";
        hasFilter |= joiner.isEmpty();
    }

    /** Returns true if the word is a tag name equal to a clause keyword. */
    private boolean isTag() {
        int next = at;
        while (next < text.length() && Character.isWhitespace(text.charAt(next))) {
            next++;
        }
        return next < text.length() && "=!<>".indexOf(text.charAt(next)) >= 0;
    }

    private void takeClause(String clause) {
        if (OTHER_JOINERS.contains(joiner)) {
            throw QuestionException.at(text, wordAt, WHOLE);
        }
        int start = wordAt;
        int and = andAt;
        String value = word();
        int valueAt = wordAt;
        try {
            read(clause, value);
        } catch (QuestionException e) {
            throw e.at(text, value.isEmpty() ? text.length() : valueAt);
        }
        hasClause = true;
        blank(start, at);
        if (and >= 0) {
            blank(and, start);
        }
        andAt = -1;
        joiner = "";
        if (!hasFilter) {
            skipAnd();
        }
    }

    /** Skips an 'and' after a leading clause, without a left operand. */
    private void skipAnd() {
        int before = at;
        if (AND.contains(word())) {
            blank(wordAt, at);
        } else {
            at = before;
        }
    }

    private void read(String clause, String value) {
        switch (clause) {
            case "stream" -> {
                once(stream.isEmpty(), clause);
                if (value.isEmpty()) {
                    throw new QuestionException("Expected the name of a stream.");
                }
                stream = value;
            }
            case "limit" -> {
                once(limit == Long.MAX_VALUE, clause);
                limit = number(value);
            }
            case "after" -> {
                once(afterNs == Long.MIN_VALUE, clause);
                afterNs = time(value);
            }
            default -> {
                once(beforeNs == Long.MAX_VALUE, clause);
                beforeNs = time(value) - 1;
            }
        }
    }

    private static void once(boolean isFirst, String clause) {
        if (!isFirst) {
            throw new QuestionException("'" + clause + "' is given twice; write it once.");
        }
    }

    private static long number(String value) {
        try {
            long number = Long.parseLong(value);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new QuestionException("Expected a number of at least 1.");
    }

    private long time(String value) {
        if (!TimeWords.isLength(value)) {
            return value.equals("now") ? nowNs : TimeWords.at(value);
        }
        int before = at;
        int valueAt = wordAt;
        if (!word().equals("ago")) {
            at = before;
            wordAt = valueAt;
            throw new QuestionException("Expected 'ago' after a duration.");
        }
        return TimeWords.ago(value, nowNs);
    }

    private void blank(int from, int to) {
        for (int i = from; i < to; i++) {
            filter.setCharAt(i, ' ');
        }
    }

    /** Returns the next word, with quoted text in one piece; empty at the end. */
    private String word() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        wordAt = at;
        if (at == text.length()) {
            return "";
        }
        char first = text.charAt(at);
        if (first == '(' || first == ')') {
            depth += first == '(' ? 1 : -1;
            at++;
            return String.valueOf(first);
        }
        boolean isQuoted = false;
        while (at < text.length() && (isQuoted || isOfWord(text.charAt(at)))) {
            isQuoted ^= text.charAt(at) == '"';
            at++;
        }
        return text.substring(wordAt, at);
    }

    private static boolean isOfWord(char character) {
        return character != '(' && character != ')' && !Character.isWhitespace(character);
    }
}
