package io.chimera.node.archive.recorder;

import static io.chimera.common.agent.Waits.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.cluster.archive.ArchiveMember;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.coordinator.zookeeper.server.EmbeddedZooKeeper;
import io.chimera.node.cluster.ClusterLink;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recorder that stops while it waits for another recorder. */
final class ClusterStopTest {
    private final SystemClock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    @Test
    void whoAsksTheClusterWhenItStopsIsToldSoAndNoOtherReason() throws Exception {
        try (EmbeddedZooKeeper zooKeeper =
                        new EmbeddedZooKeeper(folder.resolve("zookeeper"), new Endpoint("127.0.0.1", 0));
                ServerSocket silent = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
                Volume volume = RecordedVolume.in(folder, clock, counters)) {
            ClusterAddress cluster = ClusterAddress.parse(zooKeeper.address() + "/chimera/archives");
            try (ClusterLink link = ClusterLink.open(cluster.config(), "silent")) {
                link.session()
                        .cluster()
                        .announce(new ArchiveMember(
                                "silent",
                                1,
                                "127.0.0.1:" + silent.getLocalPort(),
                                new ArchiveMember.IndexFormat(1_000_000_000L, 0),
                                0));
                RecorderProcess process = new RecorderProcess(
                        new RecorderPort(new Endpoint("127.0.0.1", 0), null),
                        Optional.of(new ArchiveNodeSettings(cluster, "a", Duration.ofSeconds(60), 1 << 20)),
                        volume,
                        new QueryService(volume, QueryService.TIME_MAX_DEFAULT, clock, counters),
                        clock,
                        counters);
                try {
                    await().until(() -> nodes(process).equals(List.of("a", "silent")));
                    CompletableFuture<HttpResponse<String>> answer = ask(process);
                    awaitQuestion(silent);
                    Thread closer = new Thread(process::close, "closer");
                    closer.start();
                    link.await(view -> view.archives().live().size() == 1);
                    assertThat(counters.get(ArchiveCounter.QUERY_FAILED))
                            .as("ended before the recorder leaves the cluster")
                            .isOne();
                    closer.join();
                    assertThat(answer.join().statusCode()).isEqualTo(503);
                    assertThat(answer.join().body()).contains("The archive is stopping.");
                } finally {
                    process.close();
                }
            }
        }
    }

    /** Returns the nodes in the recorder's own view. */
    private static Object nodes(RecorderProcess process) {
        return ((Map<?, ?>) ((Map<?, ?>) process.status()).get("cluster")).get("nodes");
    }

    private static CompletableFuture<HttpResponse<String>> ask(RecorderProcess process) {
        URI address = URI.create("http://" + process.address() + QueryService.PATH + "?scope=cluster&format=json");
        return HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(address)
                                .POST(BodyPublishers.ofString("udp and before 1971-01-01"))
                                .build(),
                        BodyHandlers.ofString());
    }

    /** Accepts the query, stays silent and keeps the connection open. */
    private static void awaitQuestion(ServerSocket silent) throws IOException {
        String request = "";
        while (!request.startsWith("POST " + QueryService.PATH)) {
            Socket client = silent.accept();
            byte[] bytes = new byte[4096];
            request = new String(bytes, 0, client.getInputStream().read(bytes), US_ASCII);
        }
    }
}
