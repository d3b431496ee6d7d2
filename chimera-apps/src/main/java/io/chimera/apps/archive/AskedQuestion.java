package io.chimera.apps.archive;

import io.chimera.archive.query.Question;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.time.Duration;

/**
 * A question as it came over HTTP.
 *
 * @param question what is asked
 * @param format of the answer
 * @param resolution of times in a capture file
 * @param bytesMax of a capture file
 * @param timeMax that the answer may take
 * @param isExplained not the packets are wanted, but what finding them takes
 */
record AskedQuestion(
        Question question,
        AnswerFormat format,
        Resolution resolution,
        long bytesMax,
        Duration timeMax,
        boolean isExplained) {
    String contentType() {
        return isExplained && format != AnswerFormat.JSON ? AnswerFormat.TEXT.contentType() : format.contentType();
    }
}
