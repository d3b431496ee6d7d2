package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.wire.XrootdRequests;
import java.nio.ByteBuffer;

/**
 * A request for a path, which a server answers or redirects.
 *
 * @param path absolute path
 * @param kind kind of the request
 * @param answerBytesMax maximum length of the answer in bytes
 */
record PathQuestion(String path, Kind kind, int answerBytesMax) {
    enum Kind {
        OPEN,
        STAT,
        LIST,
        LOCATE_FOLDER,
        CHECKSUM
    }

    /**
     * Encodes the request.
     *
     * @param opaque opaque text
     * @param refresh whether a redirector forgets its cached location
     */
    ByteBuffer encode(Opaque opaque, boolean refresh) {
        String text = opaque.onto(path);
        return switch (kind) {
            case OPEN -> XrootdRequests.open(text, refresh);
            case STAT -> XrootdRequests.stat(text);
            case LIST -> XrootdRequests.list(text);
            case LOCATE_FOLDER -> XrootdRequests.locateFolder(text);
            case CHECKSUM -> XrootdRequests.checksum(text);
        };
    }
}
