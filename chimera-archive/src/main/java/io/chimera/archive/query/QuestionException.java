package io.chimera.archive.query;

import io.chimera.common.error.ChimeraException;

/** A question that is not understood, or that cannot be answered. Its message names the place in the question and the remedy. */
public final class QuestionException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    /** Of a message that does not name its place yet. */
    private static final int NOWHERE = -1;

    /** Characters of the question that a message repeats. */
    private static final int QUOTED_MAX = 40;

    private final int position;
    private final String reason;

    /** What is wrong, where the place is known to the caller. */
    QuestionException(String reason) {
        this(NOWHERE, reason, reason);
    }

    private QuestionException(int position, String reason, String message) {
        super(Category.ERROR, message);
        this.position = position;
        this.reason = reason;
    }

    /** What is wrong at a place of a question. */
    static QuestionException at(String question, int position, String reason) {
        if (position >= question.length()) {
            return new QuestionException(position, reason, "At the end of the question: " + reason);
        }
        String rest = question.substring(position);
        String quoted = rest.length() > QUOTED_MAX ? rest.substring(0, QUOTED_MAX) + "..." : rest;
        return new QuestionException(
                position, reason, "At character " + (position + 1) + ", '" + quoted.strip() + "': " + reason);
    }

    /** The same with its place, unless it has one. */
    QuestionException at(String question, int place) {
        return position == NOWHERE ? at(question, place, reason) : this;
    }

    /**
     * Where it is.
     *
     * @return index of the first character that is not understood; the length of the question where something is missing at its end
     */
    public int position() {
        return position;
    }
}
