package io.chimera.dataset.source.xrootd.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Encodes requests. A request is a header of 24 bytes and arguments, in network byte order:
 *
 * <pre>
 *  0        2        4                                20           24
 *  +--------+--------+--------------------------------+------------+-----------+
 *  | stream | kind   | parameters of the kind         | length     | arguments |
 *  +--------+--------+--------------------------------+------------+-----------+
 * </pre>
 *
 * <p>The connection sets the stream id with {@link #setStreamId} before it sends the request.
 */
public final class XrootdRequests {
    /** Length of a request's header in bytes. */
    public static final int HEADER_BYTES = 24;

    /** Version of the protocol that this client uses. */
    public static final int PROTOCOL_VERSION = 0x520;

    private static final int HANDSHAKE_FOURTH = 4;
    private static final int HANDSHAKE_FIFTH = 2_012;
    private static final int ABLE_TLS = 0x02;
    private static final int WANT_TLS = 0x04;
    private static final int EXPECT_LOGIN = 0x03;
    private static final int USER_LENGTH = 8;
    private static final int IPV4_AND_IPV6 = 8;
    private static final int CLIENT_WITH_TLS = 5;
    private static final int OPEN_FOR_READ = 0x0010;
    private static final int REFRESH_LOCATION = 0x0080;
    private static final int PREFER_NAMES = 0x0100;
    private static final int WITH_STAT = 0x0400;
    private static final int FOR_LISTING = 0x0400;
    private static final int LIST_WITH_STAT = 2;
    private static final int CHECKSUM = 3;
    private static final int PARAMETERS_BYTES = 16;

    private XrootdRequests() {}

    /** Returns the handshake, the first bytes on a connection. */
    public static ByteBuffer handshake() {
        return ByteBuffer.allocate(5 * Integer.BYTES)
                .position(3 * Integer.BYTES)
                .putInt(HANDSHAKE_FOURTH)
                .putInt(HANDSHAKE_FIFTH)
                .flip();
    }

    /**
     * Returns a protocol request.
     *
     * @param needsTls whether the server must start TLS; otherwise the server decides
     */
    public static ByteBuffer protocol(boolean needsTls) {
        ByteBuffer request = begin(RequestKind.PROTOCOL, 0);
        request.putInt(PROTOCOL_VERSION)
                .put((byte) (needsTls ? ABLE_TLS | WANT_TLS : ABLE_TLS))
                .put((byte) EXPECT_LOGIN);
        return end(request, new byte[0]);
    }

    /**
     * Returns a login request.
     *
     * @param processId process id for the server's log
     * @param user name for the server's log, ASCII, at most 8 characters
     */
    public static ByteBuffer login(int processId, String user) {
        byte[] name = new byte[USER_LENGTH];
        byte[] ascii = user.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(ascii, 0, name, 0, Math.min(ascii.length, USER_LENGTH));
        ByteBuffer request = begin(RequestKind.LOGIN, 0);
        request.putInt(processId)
                .put(name)
                .put((byte) 0)
                .put((byte) IPV4_AND_IPV6)
                .put((byte) CLIENT_WITH_TLS);
        return end(request, new byte[0]);
    }

    /**
     * Returns a request that opens a file for reading and asks for stat information.
     *
     * @param path path with opaque text
     * @param refresh whether a redirector forgets its cached location of the file
     */
    public static ByteBuffer open(String path, boolean refresh) {
        byte[] argument = bytes(path);
        ByteBuffer request = begin(RequestKind.OPEN, argument.length);
        request.putShort((short) 0).putShort((short) (OPEN_FOR_READ | WITH_STAT | (refresh ? REFRESH_LOCATION : 0)));
        return end(request, argument);
    }

    /**
     * Returns a request for the stat information of a path.
     *
     * @param path path with opaque text
     */
    public static ByteBuffer stat(String path) {
        byte[] argument = bytes(path);
        return end(begin(RequestKind.STAT, argument.length), argument);
    }

    /**
     * Returns a request for the stat information of an open file.
     *
     * @param handle handle of the open file
     */
    public static ByteBuffer stat(int handle) {
        ByteBuffer request = begin(RequestKind.STAT, 0);
        request.position(request.position() + 12).putInt(handle);
        return end(request, new byte[0]);
    }

    /**
     * Returns a read request.
     *
     * @param handle handle of the open file
     * @param offset offset of the first byte
     * @param length length in bytes
     */
    public static ByteBuffer read(int handle, long offset, int length) {
        ByteBuffer request = begin(RequestKind.READ, 0);
        request.putInt(handle).putLong(offset).putInt(length);
        return end(request, new byte[0]);
    }

    /**
     * Returns a request for several ranges.
     *
     * @param pieces 1 to {@link PieceHeader#PIECES_MAX} ranges, each at most {@link PieceHeader#LENGTH_MAX} bytes
     */
    public static ByteBuffer readVector(List<PieceHeader> pieces) {
        ByteBuffer argument = ByteBuffer.allocate(pieces.size() * PieceHeader.BYTES);
        pieces.forEach(piece -> piece.encode(argument));
        return end(begin(RequestKind.READV, argument.capacity()), argument.array());
    }

    /**
     * Returns a request for the entries of a folder with their stat information.
     *
     * @param path path with opaque text
     */
    public static ByteBuffer list(String path) {
        byte[] argument = bytes(path);
        ByteBuffer request = begin(RequestKind.DIRLIST, argument.length);
        request.position(request.position() + PARAMETERS_BYTES - 1).put((byte) LIST_WITH_STAT);
        return end(request, argument);
    }

    /**
     * Returns a request for all servers of a folder, by name where the server knows names.
     *
     * @param path path with opaque text
     */
    public static ByteBuffer locateFolder(String path) {
        byte[] argument = bytes("*" + path);
        ByteBuffer request = begin(RequestKind.LOCATE, argument.length);
        request.putShort((short) (PREFER_NAMES | FOR_LISTING));
        return end(request, argument);
    }

    /**
     * Returns a request for the checksum of a file.
     *
     * @param path path with opaque text
     */
    public static ByteBuffer checksum(String path) {
        byte[] argument = bytes(path);
        ByteBuffer request = begin(RequestKind.QUERY, argument.length);
        request.putShort((short) CHECKSUM);
        return end(request, argument);
    }

    /**
     * Returns a request that closes a file.
     *
     * @param handle handle of the open file
     */
    public static ByteBuffer close(int handle) {
        ByteBuffer request = begin(RequestKind.CLOSE, 0);
        request.putInt(handle);
        return end(request, new byte[0]);
    }

    /**
     * Sets the stream id of a request.
     *
     * @param request the request
     * @param streamId 0 to 65,535
     */
    public static void setStreamId(ByteBuffer request, int streamId) {
        request.putShort(0, (short) streamId);
    }

    private static byte[] bytes(String path) {
        return path.getBytes(StandardCharsets.UTF_8);
    }

    private static ByteBuffer begin(RequestKind kind, int argumentLength) {
        return ByteBuffer.allocate(HEADER_BYTES + argumentLength)
                .putShort((short) 0)
                .putShort((short) kind.code());
    }

    /** The parameters not set are zero. */
    private static ByteBuffer end(ByteBuffer request, byte[] argument) {
        return request.position(HEADER_BYTES - Integer.BYTES)
                .putInt(argument.length)
                .put(argument)
                .flip();
    }
}
