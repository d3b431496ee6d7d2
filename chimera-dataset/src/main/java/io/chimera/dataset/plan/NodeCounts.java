package io.chimera.dataset.plan;

/**
 * Nodes of a job. Workers and data nodes have equal machines.
 *
 * @param workers nodes that compute
 * @param coresPerNode cores of each worker and data node for the job
 * @param dataNodes nodes with storage for copies; 0 makes copies impossible
 * @param dataNodesApart whether data nodes are machines of their own; otherwise some workers are the data nodes
 * @param workerReadAheadBytes memory of a worker for ranges under way
 * @param dataNodeReadAheadBytes memory of a data node for ranges under way
 * @param reservesCores whether a worker can leave a core to reception alone
 */
public record NodeCounts(
        int workers,
        int coresPerNode,
        int dataNodes,
        boolean dataNodesApart,
        long workerReadAheadBytes,
        long dataNodeReadAheadBytes,
        boolean reservesCores) {
    /**
     * Checks the values.
     *
     * @param workers at least 1
     * @param coresPerNode at least 1
     * @param dataNodes at least 0, and at most the number of workers when workers are the data nodes
     * @param dataNodesApart whether data nodes are machines of their own
     * @param workerReadAheadBytes at least 1
     * @param dataNodeReadAheadBytes at least 1
     * @param reservesCores whether a worker can leave a core to reception alone
     */
    public NodeCounts {
        if (workers < 1 || coresPerNode < 1 || dataNodes < 0 || (!dataNodesApart && dataNodes > workers)) {
            throw new IllegalArgumentException(workers + " workers with " + coresPerNode + " cores and " + dataNodes
                    + " data nodes; expected a worker, a core, and no more data nodes than workers unless apart");
        }
        if (workerReadAheadBytes < 1 || dataNodeReadAheadBytes < 1) {
            throw new IllegalArgumentException("read-ahead memory " + workerReadAheadBytes + " and "
                    + dataNodeReadAheadBytes + " bytes; expected at least 1");
        }
    }

    /** Creates nodes whose workers can reserve a core for reception. */
    public NodeCounts(
            int workers,
            int coresPerNode,
            int dataNodes,
            boolean dataNodesApart,
            long workerReadAheadBytes,
            long dataNodeReadAheadBytes) {
        this(workers, coresPerNode, dataNodes, dataNodesApart, workerReadAheadBytes, dataNodeReadAheadBytes, true);
    }

    /** Returns the nodes after an addition; the same nodes where all workers are data nodes already. */
    NodeCounts with(Addition addition) {
        boolean canStore = dataNodesApart || dataNodes < workers;
        return new NodeCounts(
                addition == Addition.WORKER ? workers + 1 : workers,
                addition == Addition.CORE ? coresPerNode + 1 : coresPerNode,
                addition == Addition.DATA_NODE && canStore ? dataNodes + 1 : dataNodes,
                dataNodesApart,
                workerReadAheadBytes,
                dataNodeReadAheadBytes,
                reservesCores);
    }
}
