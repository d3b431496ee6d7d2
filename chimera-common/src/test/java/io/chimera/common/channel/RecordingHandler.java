package io.chimera.common.channel;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Records the events of one connection, and can refuse frames. For tests with little traffic. */
public final class RecordingHandler implements ConnectionHandler {
    /** Recorded events in order: {@code open}, frames as text, {@code closed}. */
    public final List<String> heard = new CopyOnWriteArrayList<>();

    private final AtomicBoolean inCall = new AtomicBoolean();
    private final AtomicBoolean overlapped = new AtomicBoolean();
    private final AtomicInteger refusals = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private volatile boolean refusing;
    private volatile boolean consuming = true;
    private volatile Connection connection;
    private volatile String reason;

    /** Creates a handler that accepts all frames and returns their credit. */
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

    /** Starts or stops refusing frames. */
    public void refuse(boolean refuse) {
        refusing = refuse;
    }

    /** Stops returning the credit of frames. */
    public void hoardCredit() {
        consuming = false;
    }

    /** Connection; null before the opening. */
    public Connection connection() {
        return connection;
    }

    /** Reason of the end; null before the end. */
    public String reason() {
        return reason;
    }

    /** Number of refused frames. */
    public int refusals() {
        return refusals.get();
    }

    /** Bytes of the accepted frames. */
    public long bytes() {
        return bytes.get();
    }

    /** Number of accepted frames. */
    public long frames() {
        return heard.stream()
                .filter(what -> !what.equals("open") && !what.equals("closed"))
                .count();
    }

    /** Returns whether two calls ever overlapped. */
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
