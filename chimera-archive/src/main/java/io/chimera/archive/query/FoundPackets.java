package io.chimera.archive.query;

import java.util.List;
import java.util.Optional;

/** Packets of an answer, one after the other. One thread, but for {@link #cancel}. */
public interface FoundPackets extends AutoCloseable {
    /** What whoever asked should be told, though the question is understood; often empty. */
    List<String> warnings();

    /**
     * Goes to the next packet.
     *
     * @return false when there is none, the limit is reached, or it was cancelled
     * @throws io.chimera.common.error.ChimeraException when the answer cannot be finished
     */
    boolean next();

    /** The packet: a cursor of whose methods only those that move it are not for the caller. Valid until the next. */
    PacketInterval packet();

    /** The data stream that the packet comes from. */
    String stream();

    /** What was done up to now; whole once {@link #next} has returned false. */
    QueryProgress progress();

    /** Of whom, where several nodes were asked. Whole once {@link #next} has returned false. */
    default Optional<NodeReport> nodes() {
        return Optional.empty();
    }

    /** Ends the answer at the next packet. Any thread. */
    void cancel();

    @Override
    void close();
}
