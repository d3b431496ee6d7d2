package io.chimera.archive.server;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Question with the parameters of its HTTP request.
 *
 * @param question the question
 * @param format format of the answer; null if the request names none
 * @param resolution resolution of times in a capture file
 * @param bytesMax maximum size of a capture file
 * @param timeMax time limit of the answer
 * @param isExplained true to answer with the cost of the search instead of the packets
 * @param isOfCluster true to ask all archive nodes
 * @param kind kind of the items; empty to let the archive choose
 */
record AskedQuestion(
        Question question,
        @Nullable AnswerFormat format,
        Resolution resolution,
        long bytesMax,
        Duration timeMax,
        boolean isExplained,
        boolean isOfCluster,
        Optional<ArchiveKind> kind) {
    /** Whether another archive node asks and merges this answer with the answers of further nodes. */
    boolean isForPeer() {
        return format != null && format.isForPeer();
    }

    /** Returns the format of an answer. Default: a capture file for packets, JSON lines for points. */
    AnswerFormat formatOf(FoundItems query) {
        if (format != null) {
            return format;
        }
        if (isExplained) {
            return AnswerFormat.TEXT;
        }
        return query instanceof FoundPackets ? AnswerFormat.PCAP : AnswerFormat.JSON;
    }

    String contentType(FoundItems query) {
        AnswerFormat of = formatOf(query);
        return isExplained && of != AnswerFormat.JSON ? AnswerFormat.TEXT.contentType() : of.contentType();
    }
}
