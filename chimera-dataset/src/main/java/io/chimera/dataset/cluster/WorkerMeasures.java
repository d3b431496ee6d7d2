package io.chimera.dataset.cluster;

/**
 * Work of a worker on a job since the start of the worker, as sums.
 *
 * @param splits computed splits
 * @param bytes length of these splits
 * @param points accepted points of these splits
 * @param computingNs time that threads computed these splits, waiting for bytes excluded
 * @param waitingNs time that threads waited for the bytes of these splits
 * @param receivedBytes bytes from the source
 * @param receivingNs time with at least one read of the source under way
 * @param copiedBytes bytes written to copies
 * @param copyingNs time with at least one write to copies under way
 * @param nearBytes bytes that copies gave in place of the source
 */
public record WorkerMeasures(
        long splits,
        long bytes,
        long points,
        long computingNs,
        long waitingNs,
        long receivedBytes,
        long receivingNs,
        long copiedBytes,
        long copyingNs,
        long nearBytes) {
    /** No work. */
    public static final WorkerMeasures NONE = new WorkerMeasures(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /**
     * Checks the sums.
     *
     * @throws IllegalArgumentException when a sum is negative
     */
    public WorkerMeasures {
        if ((splits | bytes | points | computingNs | waitingNs) < 0
                || (receivedBytes | receivingNs | copiedBytes | copyingNs | nearBytes) < 0) {
            throw new IllegalArgumentException("a sum of a worker is negative");
        }
    }

    /** Returns the sums of two workers. */
    WorkerMeasures plus(WorkerMeasures other) {
        return new WorkerMeasures(
                splits + other.splits,
                bytes + other.bytes,
                points + other.points,
                computingNs + other.computingNs,
                waitingNs + other.waitingNs,
                receivedBytes + other.receivedBytes,
                receivingNs + other.receivingNs,
                copiedBytes + other.copiedBytes,
                copyingNs + other.copyingNs,
                nearBytes + other.nearBytes);
    }
}
