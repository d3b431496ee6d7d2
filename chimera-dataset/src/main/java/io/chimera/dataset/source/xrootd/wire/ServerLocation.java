package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A server in the answer to a locate request.
 *
 * @param server the server
 * @param isManager whether the server redirects to data servers
 */
public record ServerLocation(ServerAddress server, boolean isManager) {
    /** Kind of the server and kind of access, before the address. */
    private static final int PREFIX_LENGTH = 2;

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @throws AnswerException for a body outside the protocol
     */
    public static List<ServerLocation> decodeAll(ByteBuffer body) throws AnswerException {
        List<ServerLocation> locations = new ArrayList<>();
        for (String word : AnswerText.decode(body).split("[ \n]+", -1)) {
            if (!word.isEmpty()) {
                locations.add(parse(word));
            }
        }
        return locations;
    }

    private static ServerLocation parse(String word) throws AnswerException {
        char kind = word.charAt(0);
        if (word.length() <= PREFIX_LENGTH || "MmSs".indexOf(kind) < 0) {
            throw new AnswerException("a location begins with neither M nor S");
        }
        try {
            ServerAddress server = ServerAddress.parse(word.substring(PREFIX_LENGTH), ServerAddress.PORT_DEFAULT);
            return new ServerLocation(server, kind == 'M' || kind == 'm');
        } catch (IllegalArgumentException e) {
            throw new AnswerException("a location is malformed: " + e.getMessage());
        }
    }
}
