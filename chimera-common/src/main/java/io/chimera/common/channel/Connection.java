package io.chimera.common.channel;

import io.chimera.common.identity.PeerCertificate;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * Framed connection with flow control. The receiver grants byte credits; the sender never has more unconsumed bytes in
 * transit than its credit. A slow receiver therefore slows the sender, and no buffer grows without bound.
 */
public interface Connection {
    /**
     * Sends a copy of a frame. One thread at a time.
     *
     * @param buffer holds the frame
     * @param offset index of the first byte
     * @param length length of the frame, at most {@link Transport#FRAME_LENGTH_MAX}
     * @return false if nothing was sent because the connection is closed or the current credit is too small
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    /**
     * Returns the credit of processed frames to the sender. Any thread.
     *
     * @param bytes total length of the processed frames
     */
    void consumed(int bytes);

    /**
     * Returns whether the other end has returned all credit, apart from the credit that a receiver withholds. It then
     * has at most a few frames left to process. The thread of {@link #offer}.
     */
    boolean hasCaughtUp();

    /** Returns whether the connection accepts frames. Any thread. */
    boolean isOpen();

    /** Closes the connection; earlier frames may still arrive. Any thread. */
    void close();

    /** Address of the other end, for messages. */
    String remote();

    /** Authenticated certificate of the other end; empty without TLS. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }
}
