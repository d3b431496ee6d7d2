package io.chimera.dataset.source.http;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.util.Optional;

/** Length, version and checksum of an object as the headers of an answer declare them. */
public final class DeclaredObject {
    /** Value of the header {@code Range} for an answer that declares the object by its first byte. */
    public static final String FIRST_BYTE = "bytes=0-0";

    private DeclaredObject() {}

    /**
     * Returns the object of an answer to {@code HEAD} with the status 200.
     *
     * @param path path of the object
     * @param reply the answer
     * @return empty when the answer does not declare the length
     */
    public static Optional<DataObject> ofHead(String path, HttpReply reply) {
        long length = reply.contentLength();
        return length < 0 ? Optional.empty() : Optional.of(object(path, length, reply, true));
    }

    /**
     * Returns the object of an answer to {@code GET} of {@link #FIRST_BYTE} with the status 200, 206 or 416.
     *
     * @param path path of the object
     * @param subject object and place for messages
     * @param reply the answer
     * @throws SourceException with {@link SourceFault#UNSUPPORTED} when the answer does not declare the length
     */
    public static DataObject ofFirstByte(String path, String subject, HttpReply reply) throws SourceException {
        boolean isWhole = reply.status() == 200;
        long length = isWhole
                ? reply.bodyLength()
                : reply.header("Content-Range")
                        .flatMap(ContentRange::parse)
                        .map(ContentRange::total)
                        .orElse(-1L);
        if (length < 0 || (reply.status() == 416 && length != 0)) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    subject + ": the server does not tell the length; use a server with files of a known length");
        }
        return object(path, length, reply, isWhole);
    }

    private static DataObject object(String path, long length, HttpReply reply, boolean isWhole) {
        Checksum checksum = DigestHeaders.stronger(
                reply.header("Digest").map(DigestHeaders::parse).orElse(Checksum.NONE),
                reply.header("Repr-Digest").map(DigestHeaders::parse).orElse(Checksum.NONE));
        if (isWhole) {
            // In the answer to a range this header is about the range.
            checksum = DigestHeaders.stronger(
                    checksum,
                    reply.header("Content-MD5").map(DigestHeaders::parseMd5).orElse(Checksum.NONE));
        }
        return new DataObject(
                path, length, new ObjectVersion(Validators.of(reply).tag(length), checksum));
    }
}
