package io.chimera.dataset.cluster;

import io.chimera.dataset.compute.PieceBytes;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A result file at another worker. One thread.
 *
 * @param job the job
 * @param task work whose result it is
 * @param worker the worker
 * @param transfer reads the file
 */
record ResultBytes(JobId job, TaskId task, WorkerSession worker, ResultTransfer transfer) implements PieceBytes {
    @Override
    public long length() throws IOException {
        return transfer.length(worker, job, task);
    }

    @Override
    public void read(long offset, ByteBuffer into) throws IOException {
        transfer.read(worker, job, task, offset, into);
    }

    @Override
    public IOException damaged() {
        return new IOException("the result of " + task + " at " + worker.node() + " is damaged");
    }
}
