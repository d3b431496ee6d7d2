package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.CollectedBody;
import io.chimera.dataset.source.xrootd.wire.AnswerException;
import io.chimera.dataset.source.xrootd.wire.ChecksumAnswer;
import io.chimera.dataset.source.xrootd.wire.ServerAddress;

/** Asks servers for checksums of files. Any thread. */
final class ChecksumQuery {
    private static final int LANE = 0;

    private final ClusterClient client;

    ChecksumQuery(ClusterClient client) {
        this.client = client;
    }

    /** Returns the checksum of a file at a server; {@link Checksum#NONE} when the server has no checksums. */
    Checksum ask(String path, ServerAddress server) throws SourceException {
        try {
            ClusterClient.Reply reply =
                    client.ask(new PathQuestion(path, PathQuestion.Kind.CHECKSUM, CollectedBody.SMALL), server, LANE);
            return ChecksumAnswer.decode(reply.body());
        } catch (AnswerException e) {
            throw ClusterClient.badAnswer(path + " at " + server, e);
        } catch (SourceException e) {
            if (e.fault() == SourceFault.UNSUPPORTED) {
                return Checksum.NONE;
            }
            throw e;
        }
    }
}
