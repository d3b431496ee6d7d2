package io.chimera.faults.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import io.chimera.faults.chaos.cluster.ChaosCluster;
import io.chimera.faults.chaos.cluster.Role;
import io.chimera.faults.chaos.load.ArchivedRows;
import io.chimera.faults.chaos.load.StoredRows;
import io.chimera.node.Json;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Final checks of a cluster with archives after all cycles are committed: queries all processors, restores and replays
 * the archived journal files, and queries the volumes after a kill -9 of all processors. One thread.
 */
final class ArchivesAtTheEnd {
    private final ChaosCluster cluster;

    ArchivesAtTheEnd(ChaosCluster cluster) {
        this.cluster = cluster;
    }

    /** Queries the running processors. */
    ArchivedRows askProcessors() throws InterruptedException {
        ArchivedRows rows = new ArchivedRows();
        for (String host : cluster.hosts(Role.PROCESSOR)) {
            rows.askProcessor(cluster.http(host), cluster.credentials().operator());
        }
        return rows;
    }

    /**
     * Restores the journal files moved to the archive, and replays all cycles held completely by the journals.
     *
     * @param sinceMs start of the first cycle, ms since 1970
     * @return number of replayed cycles
     */
    long replay(long sinceMs) throws InterruptedException {
        for (String host : cluster.hosts(Role.QUEUE)) {
            cluster.process(host).kill();
            for (Path lane : cluster.laneFolders(host)) {
                cluster.run(
                        host,
                        List.of(
                                "journal",
                                "restore",
                                lane.toString(),
                                "--in",
                                ChaosCluster.journalVolume(lane).toString(),
                                "--after",
                                Instant.ofEpochMilli(sinceMs).toString()));
            }
            cluster.start(host, Map.of("queue.journal.retain_for", "1h"));
        }
        cluster.awaitAllReady();
        String figures = cluster.run(
                cluster.hosts(Role.COORDINATOR).get(0),
                List.of(
                        "replay",
                        "--config",
                        cluster.configurationFile().toString(),
                        "--from",
                        "1",
                        "--partial",
                        "--wait",
                        "--json"));
        JsonNode done = Json.read("replay", figures.substring(figures.lastIndexOf('\n') + 1));
        return done.path("replayed").asLong();
    }

    /** Kills all processors, and queries their volumes. */
    StoredRows askVolumes() throws InterruptedException {
        ArchivedRows rows = new ArchivedRows();
        for (String host : cluster.hosts(Role.PROCESSOR)) {
            cluster.process(host).kill();
        }
        for (String host : cluster.hosts(Role.PROCESSOR)) {
            rows.askVolume(cluster.volume(host));
        }
        return rows.merged();
    }
}
