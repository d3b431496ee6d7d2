package io.chimera.dataset.source.xrootd.wire;

import io.chimera.dataset.source.SourceFault;
import java.nio.ByteBuffer;

/**
 * Answer to a failed request.
 *
 * @param code number of the error in the protocol
 * @param text text of the server, control characters replaced and cut to {@link #TEXT_LENGTH_MAX}; may contain opaque
 *     text of the request
 */
public record ServerError(int code, String text) {
    /** Maximum number of characters of a text. */
    public static final int TEXT_LENGTH_MAX = 300;

    private static final int FILE_NOT_OPEN = 3004;
    private static final int FS_ERROR = 3005;
    private static final int IO_ERROR = 3007;
    private static final int NOT_AUTHORIZED = 3010;
    private static final int NOT_FOUND = 3011;
    private static final int SERVER_ERROR = 3012;
    private static final int UNSUPPORTED = 3013;
    private static final int NO_SERVER = 3014;
    private static final int NOT_A_FILE = 3015;
    private static final int IS_FOLDER = 3016;
    private static final int CHECKSUM_ERROR = 3019;
    private static final int IN_PROGRESS = 3020;
    private static final int OVERLOADED = 3024;
    private static final int TLS_REQUIRED = 3028;
    private static final int NO_REPLICAS = 3029;
    private static final int AUTHENTICATION_FAILED = 3030;

    /**
     * Decodes an answer.
     *
     * @param body the body
     * @throws AnswerException for a body without a number
     */
    public static ServerError decode(ByteBuffer body) throws AnswerException {
        if (body.remaining() < Integer.BYTES) {
            throw new AnswerException("an error has " + body.remaining() + " bytes");
        }
        int code = body.getInt();
        String text = AnswerText.decode(body).replaceAll("\\p{Cntrl}+", " ").strip();
        return new ServerError(code, text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX));
    }

    /** Returns the reason in the terms of data sources. */
    public SourceFault fault() {
        return switch (code) {
            case NOT_FOUND, NO_REPLICAS, NOT_A_FILE, IS_FOLDER -> SourceFault.NOT_FOUND;
            case NOT_AUTHORIZED -> SourceFault.FORBIDDEN;
            case AUTHENTICATION_FAILED -> SourceFault.UNAUTHENTICATED;
            case UNSUPPORTED, CHECKSUM_ERROR, TLS_REQUIRED -> SourceFault.UNSUPPORTED;
            case OVERLOADED, IN_PROGRESS -> SourceFault.BUSY;
            case NO_SERVER -> SourceFault.UNREACHABLE;
            default -> SourceFault.SERVER_FAILED;
        };
    }

    /** Returns the text that tells the user how to mend the error. */
    public String remedy() {
        return switch (code) {
            case NOT_FOUND, NO_REPLICAS -> "check the path";
            case NOT_A_FILE, IS_FOLDER -> "name a file";
            case NOT_AUTHORIZED, AUTHENTICATION_FAILED ->
                "check the token (authz= in the URL) and the server's authorization file";
            case TLS_REQUIRED -> "use roots:// in the URL";
            case UNSUPPORTED, CHECKSUM_ERROR -> "check the server's configuration";
            default -> "read the server's log";
        };
    }

    /** Returns whether another server of the cluster may answer the request. */
    public boolean isLocalToServer() {
        return switch (code) {
            case NOT_FOUND, FS_ERROR, IO_ERROR, SERVER_ERROR, NO_SERVER -> true;
            default -> false;
        };
    }

    /** Returns whether the handle of an open file is not valid any more. */
    public boolean isFileNotOpen() {
        return code == FILE_NOT_OPEN;
    }

    /** Returns the word of the protocol that tells a redirector why a data server was avoided; may be empty. */
    public String reasonToAvoid() {
        return switch (code) {
            case NOT_FOUND -> "enoent";
            case IO_ERROR -> "ioerr";
            case FS_ERROR -> "fserr";
            case SERVER_ERROR -> "srverr";
            default -> "";
        };
    }
}
