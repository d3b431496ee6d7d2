package io.chimera.node.dataset.worker;

import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads results of other workers ahead: a merge reads thousands of small pieces, each file from its begin to its end,
 * many files at a time. Each file has one buffer, and all buffers share a fixed memory. A merge asks first for the
 * length of a file, which empties the buffer: a file that was damaged and computed again is read again. Any thread.
 */
final class BufferedTransfer implements ResultTransfer {
    /** Longest buffer: longer reads gain nothing in a network of one site. */
    static final int BUFFER_MAX = 256 << 10;

    /** Shortest buffer that saves requests. */
    static final int BUFFER_MIN = 8 << 10;

    /** Memory of all buffers. */
    private static final int BYTES_MAX = 32 << 20;

    /** Files that were opened longest ago, for example of jobs that have ended, lose their buffers. */
    private static final int FILES_MAX = BYTES_MAX / BUFFER_MIN;

    private final ResultTransfer transfer;
    private final Map<Source, Buffer> buffers = new LinkedHashMap<>(16, 0.75f, true);

    private record Source(long session, JobId job, TaskId task) {}

    /** Buffer of a file. Guarded by itself, so that a slow worker delays only readers of the same file. */
    private static final class Buffer {
        private final long length;
        private long from;
        private byte[] bytes = {};

        Buffer(long length) {
            this.length = length;
        }
    }

    BufferedTransfer(ResultTransfer transfer) {
        this.transfer = transfer;
    }

    @Override
    public long length(WorkerSession worker, JobId job, TaskId task) throws IOException {
        long length = transfer.length(worker, job, task);
        synchronized (buffers) {
            buffers.put(new Source(worker.session(), job, task), new Buffer(length));
            if (buffers.size() > FILES_MAX) {
                buffers.remove(buffers.keySet().iterator().next());
            }
        }
        return length;
    }

    @Override
    public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into) throws IOException {
        Buffer buffer;
        int wanted;
        synchronized (buffers) {
            buffer = buffers.get(new Source(worker.session(), job, task));
            wanted = Math.min(BUFFER_MAX, BYTES_MAX / Math.max(1, buffers.size()));
        }
        if (buffer == null || into.remaining() >= wanted) {
            transfer.read(worker, job, task, offset, into);
            return;
        }
        synchronized (buffer) {
            boolean isThere = offset >= buffer.from && offset + into.remaining() <= buffer.from + buffer.bytes.length;
            if (!isThere) {
                if (offset > buffer.length - into.remaining()) {
                    throw new IOException("the result ends at " + buffer.length);
                }
                byte[] bytes = new byte[(int) Math.min(wanted, buffer.length - offset)];
                buffer.bytes = new byte[0];
                transfer.read(worker, job, task, offset, ByteBuffer.wrap(bytes));
                buffer.from = offset;
                buffer.bytes = bytes;
            }
            into.put(buffer.bytes, (int) (offset - buffer.from), into.remaining());
        }
    }
}
