package io.chimera.common.cluster;

/**
 * Records of one stream with sequence numbers in (after, upTo].
 *
 * @param stream the stream
 * @param after exclusive lower bound
 * @param upTo inclusive upper bound; {@link Long#MAX_VALUE} for an open end
 */
public record StreamRange(long stream, long after, long upTo) {
    /** Creates a range without an upper bound. */
    public static StreamRange from(long stream, long after) {
        return new StreamRange(stream, after, Long.MAX_VALUE);
    }

    /** Names the range for logs and error messages, with the stream as a hex number. */
    @Override
    public String toString() {
        return "(" + after + ", " + upTo + "] of stream " + Long.toHexString(stream);
    }
}
