package io.chimera.archive.distributed;

import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.FoundPoints;
import io.chimera.archive.query.Question;
import io.chimera.common.cluster.ArchiveMember;
import java.util.List;
import java.util.function.Consumer;

/** The other archive nodes, and this one, as they can be reached. Any thread. */
public interface Peers {
    /**
     * Brings a parcel to an index node. Does not wait.
     *
     * @param reply is given what was answered, once, on any thread; null when that is not known
     */
    void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply);

    /**
     * Asks index nodes at the same time, and waits for them.
     *
     * @param questions one for each
     * @return what each answered; null where it did not, within some seconds
     */
    List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions);

    /**
     * Asks an archive node for packets. Does not wait: what goes wrong is an error of the answer. {@link FoundPackets#prepare} waits until
     * the node has taken the question, or says with {@link NodeBusyException} that it has no room for it.
     */
    FoundPackets packets(ArchiveMember from, Question question);

    /** The same for data points. */
    FoundPoints points(ArchiveMember from, Question question);

    /**
     * Waits a while for room at nodes that were busy, others not as long.
     *
     * @param refusals how often they were, one after the other; at least 1
     */
    void awaitRoom(int refusals);
}
