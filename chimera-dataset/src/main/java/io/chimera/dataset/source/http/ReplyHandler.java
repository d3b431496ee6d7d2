package io.chimera.dataset.source.http;

import java.io.IOException;

/**
 * Reads one answer.
 *
 * @param <T> result
 */
@FunctionalInterface
public interface ReplyHandler<T> {
    /**
     * Reads the answer; may leave the body unread.
     *
     * @param reply the answer, valid only during the call
     * @return the result
     * @throws IOException when the connection fails, or a {@link io.chimera.dataset.source.SourceException} when the
     *     answer is not acceptable
     */
    T handle(HttpReply reply) throws IOException;
}
