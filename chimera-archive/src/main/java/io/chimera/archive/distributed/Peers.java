package io.chimera.archive.distributed;

import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.util.List;
import java.util.function.Consumer;

/** Connections to all archive nodes, including this one. Any thread. */
public interface Peers {
    /**
     * Sends a parcel to an index node. Does not wait.
     *
     * @param reply receives the reply once, on any thread; null if the reply is unknown
     */
    void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply);

    /**
     * Queries several index nodes concurrently and waits for the answers.
     *
     * @param questions one question per node
     * @return one answer per node; null for a node without an answer within some seconds
     */
    List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions);

    /**
     * Queries an archive node for packets. Does not wait: errors surface in the answer. {@link FoundPackets#prepare}
     * waits until the node accepts the question, or throws {@link NodeBusyException} if the node has no free place.
     */
    FoundPackets packets(ArchiveMember from, Question question);

    /** Queries an archive node for data points, like {@link #packets}. */
    FoundPoints points(ArchiveMember from, Question question);

    /**
     * Waits with back-off and jitter after a refusal by busy nodes.
     *
     * @param refusals number of consecutive refusals; at least 1
     */
    void awaitRoom(int refusals);
}
