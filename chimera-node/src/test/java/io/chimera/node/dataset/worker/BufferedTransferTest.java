package io.chimera.node.dataset.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BufferedTransferTest {
    private static final JobId JOB = new JobId("j", 1);
    private static final WorkerSession WORKER = new WorkerSession(1, 2, "n", "h:1", 1);

    /** A worker with one file. */
    private static final class OneFile implements ResultTransfer {
        private byte[] content;
        private int reads;

        OneFile(int length, int seed) {
            content = new byte[length];
            new Random(seed).nextBytes(content);
        }

        @Override
        public long length(WorkerSession worker, JobId job, TaskId task) {
            return content.length;
        }

        @Override
        public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into) {
            reads++;
            into.put(content, (int) offset, into.remaining());
        }
    }

    private static byte[] read(ResultTransfer from, int task, long offset, int length) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(length);
        from.read(WORKER, JOB, TaskId.split(task), offset, into);
        assertThat(into.hasRemaining()).isFalse();
        return into.array();
    }

    @Test
    void givesTheBytesOfTheFileWithFewReads() throws IOException {
        OneFile file = new OneFile(3_000_000, 1);
        BufferedTransfer transfer = new BufferedTransfer(file);
        Random random = new Random(2);
        long length = transfer.length(WORKER, JOB, TaskId.split(0));
        ByteBuffer whole = ByteBuffer.allocate((int) length);
        while (whole.hasRemaining()) {
            int part = Math.min(whole.remaining(), 1 + random.nextInt(5_000));
            whole.put(read(transfer, 0, whole.position(), part));
        }

        assertThat(whole.array()).isEqualTo(file.content);
        assertThat(file.reads).isLessThan(20);
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(file.content.length);
            int part = random.nextInt(Math.min(file.content.length - from, 2 * BufferedTransfer.BUFFER_MAX) + 1);
            assertThat(read(transfer, 0, from, part)).isEqualTo(Arrays.copyOfRange(file.content, from, from + part));
        }
    }

    @Test
    void aLengthEmptiesTheBuffer() throws IOException {
        OneFile file = new OneFile(1_000, 1);
        BufferedTransfer transfer = new BufferedTransfer(file);
        transfer.length(WORKER, JOB, TaskId.split(0));
        byte[] before = read(transfer, 0, 0, 10);
        file.content = new OneFile(1_000, 2).content;

        assertThat(read(transfer, 0, 0, 10)).isEqualTo(before);
        transfer.length(WORKER, JOB, TaskId.split(0));
        assertThat(read(transfer, 0, 0, 10)).isEqualTo(Arrays.copyOf(file.content, 10));
    }

    @Test
    void manyFilesShareTheMemory() throws IOException {
        OneFile file = new OneFile(BufferedTransfer.BUFFER_MAX, 1);
        BufferedTransfer transfer = new BufferedTransfer(file);
        for (int task = 0; task < 10_000; task++) {
            transfer.length(WORKER, JOB, TaskId.split(task));
        }
        read(transfer, 9_999, 0, 10);
        file.reads = 0;

        read(transfer, 9_999, BufferedTransfer.BUFFER_MIN - 10, 10);
        assertThat(file.reads).isZero();
        read(transfer, 9_999, BufferedTransfer.BUFFER_MIN, 10);
        assertThat(file.reads).isOne();
        read(transfer, 0, 0, 10); // without a buffer
        assertThat(file.reads).isEqualTo(2);
    }

    @Test
    void refusesAReadPastTheEnd() throws IOException {
        BufferedTransfer transfer = new BufferedTransfer(new OneFile(100, 1));
        transfer.length(WORKER, JOB, TaskId.split(0));

        assertThatThrownBy(() -> read(transfer, 0, 95, 10)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> read(transfer, 0, Long.MAX_VALUE / 2, 10)).isInstanceOf(IOException.class);
    }
}
