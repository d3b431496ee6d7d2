package io.chimera.bench.scale.quota;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.bench.cluster.ProcessUsage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Waits until JVMs under load have compiled their code, and enough points are stored. One thread. */
final class WarmUp implements LimitedCluster.Polling {
    /** Name of the threads of both compilers in a JVM. */
    private static final String COMPILERS = "CompilerThre";

    private static final long CHECK_NS = TimeUnit.SECONDS.toNanos(3);

    /** Compilation still running after this time continues under the limit. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);

    /** Processor time of the compilers of a JVM that counts as none, in cores. */
    private static final double IDLE_CORES = 0.005;

    private final List<Long> pids;
    private final long wanted;
    private long firstNs;
    private long checkedNs;
    private double compiledSeconds;

    /**
     * Creates a wait.
     *
     * @param pids process ids of the JVMs
     * @param wanted minimum of stored points since the start of the cluster
     */
    WarmUp(List<Long> pids, long wanted) {
        this.pids = pids;
        this.wanted = wanted;
    }

    @Override
    public boolean again(long ns, JsonNode status) throws IOException {
        if (firstNs == 0) {
            firstNs = ns;
            checkedNs = ns;
        }
        if (ns - checkedNs < CHECK_NS) {
            return true;
        }
        double seconds = ProcessUsage.cpuSecondsOfThreads(pids, COMPILERS);
        double cores = (seconds - compiledSeconds) * TimeUnit.SECONDS.toNanos(1) / (ns - checkedNs);
        compiledSeconds = seconds;
        checkedNs = ns;
        boolean isCompiling = cores > IDLE_CORES * pids.size() && ns - firstNs < PATIENCE_NS;
        return isCompiling || LimitedCluster.stored(status) < wanted;
    }
}
