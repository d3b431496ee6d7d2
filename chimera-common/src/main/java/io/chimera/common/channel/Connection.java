package io.chimera.common.channel;

import io.chimera.common.security.PeerCertificate;
import java.util.Optional;
import org.agrona.DirectBuffer;

/**
 * One framed connection. The receiver grants byte credits: the sender may have that many bytes on the way and no more, so
 * a slow receiver slows the sender and nothing grows.
 */
public interface Connection {
    /**
     * Sends a frame, copying it. One thread at a time.
     *
     * @param buffer holds the frame
     * @param offset index of its first byte
     * @param length its length, at most {@link Transport#FRAME_LENGTH_MAX}
     * @return false when the connection is closed or the credit does not suffice now; nothing was sent then
     */
    boolean offer(DirectBuffer buffer, int offset, int length);

    /**
     * Gives back credit for received frames that were dealt with. Any thread.
     *
     * @param bytes sum of the lengths of these frames
     */
    void consumed(int bytes);

    /** Whether frames may still be sent. Any thread. */
    boolean isOpen();

    /** Closes the connection; frames that were offered before may still arrive. Any thread. */
    void close();

    /** The other end, for messages to people. */
    String remote();

    /** The certificate that the other end proved to hold; empty without TLS. */
    default Optional<PeerCertificate> certificate() {
        return Optional.empty();
    }
}
