package io.chimera.flow.ipfix.exporter;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Export channel that keeps all messages in memory and can be closed by the test. */
final class FakeCollector implements ExportChannel {
    final List<byte[]> messages = new ArrayList<>();
    int session = 1;
    int room = Integer.MAX_VALUE;
    boolean isClosed;

    @Override
    public int proceed(long nowNs) {
        return 0;
    }

    @Override
    public int session() {
        return session;
    }

    @Override
    public boolean send(ByteBuffer message, int records, long nowNs) {
        if (room == 0) {
            return false;
        }
        room--;
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        messages.add(bytes);
        return true;
    }

    @Override
    public boolean isFlushed() {
        return true;
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
