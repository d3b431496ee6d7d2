package io.chimera.archive.query.answer;

import io.chimera.archive.query.ArchiveStream;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.filter.PacketFilters;
import io.chimera.archive.query.packet.PacketInterval;
import io.chimera.archive.query.packet.PacketItems;
import io.chimera.archive.query.text.QuestionException;
import io.chimera.archive.streamfs.store.StreamStore;
import java.util.List;

/** Answer to a question about packets. */
public final class PacketQuery extends ArchiveQuery<PacketItems> implements FoundPackets {
    /**
     * Starts the query.
     *
     * @param streams streams of the store; the question names one of them, or all packet streams are queried
     * @throws QuestionException when the question is invalid, or names an unknown stream
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
