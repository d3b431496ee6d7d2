package io.chimera.archive.query.text;

import io.chimera.common.error.ChimeraException;

/** Question that is invalid or cannot be answered. The message names the place in the question and the remedy. */
public final class QuestionException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    /** Position of a message without a place. */
    private static final int NOWHERE = -1;

    /** Maximum characters of the question quoted in a message. */
    private static final int QUOTED_MAX = 40;

    private final int position;
    private final String reason;

    /** Creates an error; the caller adds the place. */
    public QuestionException(String reason) {
        this(NOWHERE, reason, reason);
    }

    private QuestionException(int position, String reason, String message) {
        super(Category.ERROR, message);
        this.position = position;
        this.reason = reason;
    }

    /** Creates an error at a place of a question. */
    public static QuestionException at(String question, int position, String reason) {
        if (position >= question.length()) {
            return new QuestionException(position, reason, "At the end of the question: " + reason);
        }
        String rest = question.substring(position);
        String quoted = rest.length() > QUOTED_MAX ? rest.substring(0, QUOTED_MAX) + "..." : rest;
        return new QuestionException(
                position, reason, "At character " + (position + 1) + ", '" + quoted.strip() + "': " + reason);
    }

    /** Adds the place, unless already present. */
    public QuestionException at(String question, int place) {
        return position == NOWHERE ? at(question, place, reason) : this;
    }

    /**
     * Returns the position of the error.
     *
     * @return index of the first invalid character; the length of the question if its end is incomplete
     */
    public int position() {
        return position;
    }
}
