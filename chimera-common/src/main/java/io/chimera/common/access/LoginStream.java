package io.chimera.common.access;

import io.chimera.api.spi.Chunk;
import io.chimera.common.channel.Peer;
import io.chimera.common.channel.StreamHandler;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Requires {@code auth <token>} or {@code auth <user>:<password>} as the first line of a TCP connection, and passes all
 * later lines to the wrapped handler. Connections from allowed addresses need no login line. Reading from a principal
 * with an exhausted quota pauses until the quota permits. On the event loop of its connection.
 */
final class LoginStream implements StreamHandler {
    private static final byte[] WORD = "auth ".getBytes(StandardCharsets.US_ASCII);

    /** Maximum length of the first line. */
    private static final int LINE_MAX = 2 * Credentials.LENGTH_MAX + WORD.length;

    private enum State {
        LOGIN,
        OPEN,
        CLOSED
    }

    private final PortAccess access;
    private final StreamHandler handler;
    private State state = State.LOGIN;
    private String principal = "";

    /** Authenticated principal; null for a connection without a login. */
    private Principal login;

    private Peer peer;

    LoginStream(PortAccess access, StreamHandler handler) {
        this.access = access;
        this.handler = handler;
    }

    @Override
    public void onOpen(Peer newPeer) {
        peer = newPeer;
        if (access.isFree(peer)) {
            open();
        }
    }

    private void open() {
        state = State.OPEN;
        handler.onOpen(peer);
    }

    @Override
    public boolean onBytes(Chunk chunk) {
        if (state == State.LOGIN && access.isFree(peer)) {
            open(); // the certificate is known only after the handshake
        }
        if (state == State.LOGIN) {
            login(chunk);
        }
        if (state == State.OPEN && login != null && !access.isCurrent(login)) {
            handler.onClose();
            refuse("The credentials of this connection are no longer valid; log in again.");
        }
        if (state != State.OPEN) {
            if (state == State.CLOSED) {
                chunk.consumedTo(chunk.limit(), 0);
            }
            return true;
        }
        if (access.control().pauseSeconds(principal) > 0) {
            return false; // TCP's window slows the sender
        }
        int before = chunk.offset();
        long lines = chunk.line();
        boolean isTaken = handler.onBytes(chunk);
        access.control().charge(principal, chunk.line() - lines, chunk.offset() - before);
        return isTaken;
    }

    @Override
    public int unconsumedMax() {
        return handler.unconsumedMax();
    }

    private void login(Chunk chunk) {
        int start = chunk.offset();
        int searched = Math.min(chunk.limit(), start + LINE_MAX);
        int end = start;
        while (end < searched && chunk.bytes()[end] != '\n') {
            end++;
        }
        if (end == searched) {
            if (chunk.limit() - start >= LINE_MAX || chunk.last()) {
                refuse("The first line must be: auth <token>");
            }
            return;
        }
        String line = new String(chunk.bytes(), start, end - start, StandardCharsets.UTF_8).stripTrailing();
        String word = new String(WORD, StandardCharsets.US_ASCII);
        Verdict verdict = access.login(
                line.startsWith(word) ? line.substring(word.length()).strip() : "", peer);
        if (verdict.isAccepted()) {
            chunk.consumedTo(end + 1, 1);
            principal = verdict.principal();
            login = verdict.login();
            open();
        } else {
            refuse(verdict.message());
        }
    }

    private void refuse(String message) {
        state = State.CLOSED;
        peer.reply(("ERROR " + message + "\n").getBytes(StandardCharsets.UTF_8));
        peer.close();
    }

    @Override
    public void onRefused(String reason, String beginning, InetSocketAddress client) {
        handler.onRefused(reason, beginning, client);
    }

    @Override
    public void onReadComplete() {
        if (state == State.OPEN) {
            handler.onReadComplete();
        }
    }

    @Override
    public void onClose() {
        if (state == State.OPEN) {
            handler.onClose();
        }
        state = State.CLOSED;
    }
}
