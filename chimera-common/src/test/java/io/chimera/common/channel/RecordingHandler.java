package io.chimera.common.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Keeps what it hears on one connection, and can refuse frames. Made for tests of small traffic. */
public final class RecordingHandler implements ConnectionHandler {
    /** What was heard, in order: {@code open}, frames as text, {@code closed}. */
    public final List<String> heard = new CopyOnWriteArrayList<>();

    private final AtomicBoolean inCall = new AtomicBoolean();
    private final AtomicBoolean overlapped = new AtomicBoolean();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean refusing;
    private volatile boolean consuming = true;
    private volatile Connection connection;
    private volatile String reason;

    /** A handler that takes all frames and gives their credit back. */
    public RecordingHandler() {}

    @Override
    public void onOpen(Connection newConnection) {
        enter();
        connection = newConnection;
        heard.add("open");
        leave();
    }

    @Override
    public boolean onFrame(Connection from, DirectBuffer buffer, int offset, int length) {
        enter();
        try {
            if (refusing) {
                refusals.incrementAndGet();
                return false;
            }
            heard.add(buffer.getStringWithoutLengthUtf8(offset, Math.min(length, 32)));
            bytes.addAndGet(length);
            if (consuming) {
                from.consumed(length);
            }
            return true;
        } finally {
            leave();
        }
    }

    @Override
    public void onClose(String newReason) {
        enter();
        reason = newReason;
        heard.add("closed");
        leave();
    }

    /** Offers text as a frame. */
    public boolean offer(String text) {
        byte[] frame = text.getBytes(StandardCharsets.UTF_8);
        return connection.offer(new UnsafeBuffer(frame), 0, frame.length);
    }

    /** Refuses frames from now on, or no longer. */
    public void refuse(boolean refuse) {
        refusing = refuse;
    }

    /** Keeps the credit of frames to itself from now on. */
    public void hoardCredit() {
        consuming = false;
    }

    /** The connection, null before it is open. */
    public Connection connection() {
        return connection;
    }

    /** Why the connection ended, null before it did. */
    public String reason() {
        return reason;
    }

    /** How often a frame was refused. */
    public int refusals() {
        return refusals.get();
    }

    /** Bytes of the frames taken. */
    public long bytes() {
        return bytes.get();
    }

    /** Frames taken. */
    public long frames() {
        return heard.stream()
                .filter(what -> !what.equals("open") && !what.equals("closed"))
                .count();
    }

    /** Whether two calls ever overlapped. */
    public boolean overlapped() {
        return overlapped.get();
    }

    private void enter() {
        if (!inCall.compareAndSet(false, true)) {
            overlapped.set(true);
        }
    }

    private void leave() {
        inCall.set(false);
    }
}
