package io.chimera.dataset.source.http;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ReadRange;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Receives the bytes of a range, and checks every declared length and version against the listed object. A whole
 * object instead of a range is accepted only when the range is the whole object.
 */
public final class RangeAnswer {
    private final DataObject object;
    private final ReadRange range;
    private final String subject;

    /**
     * Creates a receiver for one answer.
     *
     * @param object the object as listed
     * @param range requested bytes
     * @param subject object and place for messages
     */
    public RangeAnswer(DataObject object, ReadRange range, String subject) {
        this.object = object;
        this.range = range;
        this.subject = subject + ", bytes " + range.first() + "-" + range.last();
    }

    /** Returns the value of the header {@code Range}. */
    public static String header(ReadRange range) {
        return "bytes=" + range.first() + "-" + range.last();
    }

    /**
     * Reads the body of an answer with the status 200 or 206.
     *
     * @param reply the answer
     * @param into receives the bytes; full on return
     * @throws IOException when the connection fails, or a {@link SourceException} when the answer has other bytes
     */
    public void receive(HttpReply reply, ByteBuffer into) throws IOException {
        if (Validators.of(reply).contradicts(object.version())) {
            throw changed("another version");
        }
        if (reply.status() == 206) {
            checkPart(reply);
        } else {
            checkWhole(reply);
        }
        if (reply.bodyLength() >= 0 && reply.bodyLength() != range.length()) {
            throw fault(SourceFault.BAD_ANSWER, "a body of " + reply.bodyLength() + " bytes; check proxies");
        }
        if (!reply.fill(into)) {
            throw fault(SourceFault.BAD_ANSWER, "the body ends early; check proxies");
        }
        if (!reply.isAtEnd()) {
            throw fault(SourceFault.BAD_ANSWER, "the body is too long; check proxies");
        }
    }

    private void checkPart(HttpReply reply) throws SourceException {
        Optional<ContentRange> declared = reply.header("Content-Range").flatMap(ContentRange::parse);
        if (declared.isEmpty()) {
            throw fault(SourceFault.BAD_ANSWER, "no valid Content-Range; check proxies");
        }
        checkTotal(declared.get().total());
        if (declared.get().first() != range.first() || declared.get().last() != range.last()) {
            throw fault(
                    SourceFault.RANGE_REFUSED,
                    "the server sends bytes " + declared.get().first() + "-"
                            + declared.get().last() + "; use a server with ranges");
        }
    }

    private void checkWhole(HttpReply reply) throws SourceException {
        checkTotal(reply.bodyLength());
        if (!range.isWhole(object)) {
            throw fault(
                    SourceFault.RANGE_REFUSED, "the server ignores ranges; use a server with ranges, or copy first");
        }
    }

    private void checkTotal(long total) throws SourceException {
        if (total >= 0 && total != object.length()) {
            throw changed("a length of " + total + " instead of " + object.length() + " bytes");
        }
    }

    /**
     * Returns the reason for an answer with the status 416: the object became shorter, or the server refuses the range.
     *
     * @param reply the answer
     */
    public SourceException refused(HttpReply reply) {
        Optional<ContentRange> declared = reply.header("Content-Range").flatMap(ContentRange::parse);
        if (declared.isPresent()
                && declared.get().total() >= 0
                && declared.get().total() != object.length()) {
            return changed("a length of " + declared.get().total() + " instead of " + object.length() + " bytes");
        }
        return fault(SourceFault.RANGE_REFUSED, "HTTP 416; use a server with ranges");
    }

    private SourceException changed(String how) {
        return fault(SourceFault.CHANGED, "the object has changed: " + how + "; list it again");
    }

    private SourceException fault(SourceFault fault, String message) {
        return new SourceException(fault, subject + ": " + message);
    }
}
