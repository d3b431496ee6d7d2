package io.chimera.bench.datasets;

import io.chimera.bench.capture.BenchSite;
import io.chimera.bench.datasets.path.DelayProxy;
import io.chimera.bench.datasets.process.FarServer;
import io.chimera.bench.datasets.process.JobCommands;
import io.chimera.bench.datasets.process.JobTime;
import io.chimera.dataset.plan.StrategyWish;
import java.io.IOException;
import java.util.Locale;

/**
 * Things that all parts use.
 *
 * @param bench place of the measurements
 * @param effort effort of the run
 * @param data objects of the server
 * @param server nginx
 * @param commands commands of jobs
 * @param results receives the results
 */
record DatasetsSite(
        BenchSite bench,
        DatasetsEffort effort,
        DataFolder data,
        FarServer server,
        JobCommands commands,
        DatasetsResults results) {
    /** Work behind a path. */
    @FunctionalInterface
    interface PathWork {
        /**
         * Measures.
         *
         * @param url address of the objects
         */
        void measure(String url) throws IOException, InterruptedException;
    }

    /** Runs work behind a path to nginx. */
    void behind(NetworkSetting path, PathWork work) throws IOException, InterruptedException {
        try (DelayProxy proxy = DelayProxy.start(path.model(), server.port())) {
            work.measure(url(proxy.port()));
        }
    }

    /** Returns the address of the objects at a port. */
    static String url(int port) {
        return "http://127.0.0.1:" + port + "/" + DataFolder.SET;
    }

    /** Runs a job, and logs its time. */
    JobTime run(String what, JobCommands.Order order, StrategyWish strategy) throws IOException, InterruptedException {
        JobTime time = commands.run(order, strategy);
        log(what + ", " + strategy.label(), time.processSeconds());
        return time;
    }

    /** Logs a time. */
    void log(String what, double seconds) {
        bench.log().accept(String.format(Locale.ROOT, "%s: %.2f s", what, seconds));
    }
}
