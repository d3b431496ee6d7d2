package io.chimera.dataset.cluster;

/**
 * A live worker. The record ends with the process.
 *
 * @param session drawn at each start of the worker, never 0
 * @param folder identifies the folder of the worker's results; drawn when the folder is created, never 0
 * @param node name of the node, for messages
 * @param address host and port from which others read results
 * @param threads number of threads that compute
 * @param isLeaving whether the worker takes no more work, and hands its results over
 */
public record WorkerSession(long session, long folder, String node, String address, int threads, boolean isLeaving) {
    /**
     * Checks the values.
     *
     * @param session not 0
     * @param folder not 0
     * @param node name of the node
     * @param address host and port
     * @param threads at least 1
     * @param isLeaving any value
     */
    public WorkerSession {
        if (session == 0 || folder == 0 || threads < 1) {
            throw new IllegalArgumentException("worker session " + session + ", folder " + folder + ", " + threads
                    + " threads; expected identities that are not 0, and at least one thread");
        }
    }

    /**
     * Creates the record of a worker that takes work.
     *
     * @param session not 0
     * @param folder not 0
     * @param node name of the node
     * @param address host and port
     * @param threads at least 1
     */
    public WorkerSession(long session, long folder, String node, String address, int threads) {
        this(session, folder, node, address, threads, false);
    }

    /** Returns the record of the same worker once it leaves. */
    public WorkerSession leaving() {
        return new WorkerSession(session, folder, node, address, threads, true);
    }
}
