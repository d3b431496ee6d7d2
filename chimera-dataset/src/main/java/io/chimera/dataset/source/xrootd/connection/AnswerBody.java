package io.chimera.dataset.source.xrootd.connection;

import java.io.IOException;

/** Destination of the bytes of an answer. The reader thread of the connection calls the methods. */
@FunctionalInterface
public interface AnswerBody {
    /**
     * Receives one part of the answer, and reads exactly its length.
     *
     * @param in the input
     * @param length length of the part in bytes
     * @throws io.chimera.dataset.source.xrootd.wire.AnswerException when the answer is longer than the question allows;
     *     ends the connection
     * @throws IOException when the connection ends
     */
    void receive(LinkInput in, int length) throws IOException;
}
