package io.chimera.bench.datasets.path;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.agrona.CloseHelper;

/** A connection of a client, and its connection to the server. One thread. */
final class PathConnection implements AutoCloseable {
    private final SelectionKey clientKey;
    private final SelectionKey serverKey;
    private final Half up;
    private final Half down;
    private final PieceBuffers pool;

    /** Bytes from one socket to the other. */
    private final class Half {
        private final SocketChannel from;
        private final SocketChannel to;
        private final PathDirection direction;
        private boolean mayRead = true;
        private boolean isBlocked;
        private boolean isEnded;
        private boolean isDone;
        private long bytes;

        Half(SocketChannel from, SocketChannel to, PathDirection direction) {
            this.from = from;
            this.to = to;
            this.direction = direction;
        }

        void move(long nowNs) throws IOException {
            write(nowNs);
            read(nowNs);
            if (isEnded && !isDone && direction.isEmpty()) {
                isDone = true;
                to.shutdownOutput();
            }
        }

        private void write(long nowNs) throws IOException {
            ByteBuffer arrived = direction.arrived(nowNs);
            while (arrived != null && !isBlocked) {
                int count = to.write(arrived);
                bytes += count;
                isBlocked = arrived.hasRemaining();
                direction.accepted(count, nowNs);
                if (!isBlocked) {
                    pool.give(arrived);
                    arrived = direction.arrived(nowNs);
                }
            }
        }

        /** Reads once, so that connections take turns. */
        private void read(long nowNs) throws IOException {
            int room = mayRead && !isEnded ? direction.room(nowNs) : 0;
            if (room > 0) {
                ByteBuffer buffer = pool.take();
                buffer.limit(Math.min(room, buffer.capacity()));
                int count = from.read(buffer);
                if (count > 0) {
                    direction.enter(buffer.flip(), nowNs);
                } else {
                    pool.give(buffer);
                    mayRead = false;
                    isEnded = count < 0;
                }
            }
        }

        private boolean awaitsBytes() {
            return !mayRead && !isEnded;
        }

        private long nextNs(long nowNs) {
            long arrivalNs = isBlocked ? PathDirection.NEVER : direction.nextArrivalNs();
            long roomNs = mayRead && !isEnded ? direction.nextRoomNs(nowNs) : PathDirection.NEVER;
            return Math.min(arrivalNs, roomNs);
        }
    }

    /**
     * Connects two sockets.
     *
     * @param client non-blocking channel of the client; closed with this connection
     * @param server non-blocking channel of the server; closed with this connection
     * @param upLink link to the server
     * @param downLink link to the client
     */
    PathConnection(
            PathModel model,
            Selector selector,
            SocketChannel client,
            SocketChannel server,
            PathLink upLink,
            PathLink downLink,
            PieceBuffers pool,
            long nowNs)
            throws IOException {
        this.pool = pool;
        // the handshake takes a round trip, then the first request travels
        long firstNs = nowNs + model.roundTrip().toNanos() + model.oneWayNs();
        up = new Half(client, server, new PathDirection(model, upLink, firstNs));
        down = new Half(server, client, new PathDirection(model, downLink, nowNs));
        clientKey = client.register(selector, SelectionKey.OP_READ, this);
        serverKey = server.register(selector, SelectionKey.OP_READ, this);
    }

    /** Notes a socket that can be read or written again. */
    void ready(SelectionKey key) {
        Half reading = key == clientKey ? up : down;
        Half writing = key == clientKey ? down : up;
        reading.mayRead |= key.isReadable();
        writing.isBlocked &= !key.isWritable();
    }

    /**
     * Moves all bytes that can move now.
     *
     * @throws IOException when a socket fails; the caller closes the connection
     */
    void move(long nowNs) throws IOException {
        up.move(nowNs);
        down.move(nowNs);
        clientKey.interestOps(interest(up, down));
        serverKey.interestOps(interest(down, up));
    }

    private static int interest(Half reading, Half writing) {
        return (reading.awaitsBytes() ? SelectionKey.OP_READ : 0) | (writing.isBlocked ? SelectionKey.OP_WRITE : 0);
    }

    /** Returns the time of the next {@link #move} without an event of a socket. */
    long nextNs(long nowNs) {
        return Math.min(up.nextNs(nowNs), down.nextNs(nowNs));
    }

    /** Returns whether both directions have ended. */
    boolean isDone() {
        return up.isDone && down.isDone;
    }

    /** Returns the number of bytes that reached the client. */
    long bytes() {
        return down.bytes;
    }

    @Override
    public void close() {
        CloseHelper.quietCloseAll(clientKey.channel(), serverKey.channel());
    }
}
