package io.chimera.apps.archive;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The current item of an answer in words: for JSON, and for people. One thread. */
interface AnswerLine {
    /** A JSON object. */
    void json(JsonGenerator into) throws IOException;

    /** A line without its end. */
    String text();
}
