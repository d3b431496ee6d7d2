package io.chimera.archive.server.answer;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** Formats the current item of an answer as JSON or as text. One thread. */
interface AnswerLine {
    /** Writes the item as a JSON object. */
    void json(JsonGenerator into) throws IOException;

    /** Returns the item as one line of text, without a line break. */
    String text();
}
