package io.chimera.apps.archive;

import io.chimera.archive.query.ArchiveQuery;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.Question;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.time.Duration;

/**
 * A question as it came over HTTP.
 *
 * @param question what is asked
 * @param format of the answer; null where none was named
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
    /** The format of an answer: without another a capture file of packets, and lines of points. */
    AnswerFormat formatOf(ArchiveQuery<?> query) {
        if (format != null) {
            return format;
        }
        if (isExplained) {
            return AnswerFormat.TEXT;
        }
        return query instanceof PacketQuery ? AnswerFormat.PCAP : AnswerFormat.JSON;
    }

    String contentType(ArchiveQuery<?> query) {
        AnswerFormat of = formatOf(query);
        return isExplained && of != AnswerFormat.JSON ? AnswerFormat.TEXT.contentType() : of.contentType();
    }
}
