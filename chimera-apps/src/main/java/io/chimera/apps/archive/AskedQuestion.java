package io.chimera.apps.archive;

import io.chimera.archive.query.FoundItems;
import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.Question;
import io.chimera.common.cluster.ArchiveKind;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.time.Duration;
import java.util.Optional;

/**
 * A question as it came over HTTP.
 *
 * @param question what is asked
 * @param format of the answer; null where none was named
 * @param resolution of times in a capture file
 * @param bytesMax of a capture file
 * @param timeMax that the answer may take
 * @param isExplained not the packets are wanted, but what finding them takes
 * @param isOfCluster all archive nodes are asked
 * @param kind what is asked for; empty where the archive is to know
 */
record AskedQuestion(
        Question question,
        AnswerFormat format,
        Resolution resolution,
        long bytesMax,
        Duration timeMax,
        boolean isExplained,
        boolean isOfCluster,
        Optional<ArchiveKind> kind) {
    /** Whether another archive node asks, to merge this answer with those of others. */
    boolean isForPeer() {
        return format != null && format.isForPeer();
    }

    /** The format of an answer: without another a capture file of packets, and lines of points. */
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
