package io.chimera.dataset.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads result files of other workers. Any thread; blocks for a bounded time. */
public interface ResultTransfer {
    /**
     * Returns the length of a result file.
     *
     * @param worker worker that holds the file
     * @param job the job
     * @param task work whose result it is
     * @return length in bytes
     * @throws ResultGoneException when the worker does not have the file
     * @throws IOException when the worker cannot be reached
     */
    long length(WorkerSession worker, JobId job, TaskId task) throws IOException;

    /**
     * Reads a part of a result file, from the position to the limit of the buffer.
     *
     * @param worker worker that holds the file
     * @param job the job
     * @param task work whose result it is
     * @param offset offset of the first byte
     * @param into receives the bytes; full on return
     * @throws ResultGoneException when the worker does not have the file
     * @throws IOException when the worker cannot be reached
     */
    void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into) throws IOException;
}
