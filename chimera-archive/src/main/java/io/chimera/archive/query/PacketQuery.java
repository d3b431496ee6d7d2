package io.chimera.archive.query;

import io.chimera.archive.streamfs.StreamStore;
import java.util.List;

/** An answer to a question about packets. */
public final class PacketQuery extends ArchiveQuery<PacketItems> implements FoundPackets {
    /**
     * Asks.
     *
     * @param streams of the store; one of them is asked where the question names it, all of packets otherwise
     * @throws QuestionException when the question is not understood, or names a stream that is not there
     */
    public PacketQuery(StreamStore store, List<ArchiveStream> streams, Question question) {
        this(store, streams, question, new PacketFilters(question.filter()));
    }

    private PacketQuery(StreamStore store, List<ArchiveStream> streams, Question question, PacketFilters filters) {
        super(store, streams, question, ArchiveStream.PACKETS, filters.warnings(), stream -> new PacketItems(filters));
    }

    @Override
    public PacketInterval packet() {
        return items().packet();
    }
}
