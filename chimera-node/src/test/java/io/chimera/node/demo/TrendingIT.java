package io.chimera.node.demo;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.apps.trending.TweetText;
import io.chimera.common.channel.Endpoint;
import io.chimera.node.ChimeraHome;
import io.chimera.node.Invocation;
import io.chimera.node.child.KairosReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tweets pass through a cluster of real processes, and KairosDB has the exact count of each hashtag. */
@Tag("it")
class TrendingIT {
    private static final int TWEETS = 3_000;
    private static final long START_MS = 1_409_318_650_332L;

    @TempDir
    private static Path folder;

    @Test
    void everyHashtagIsCountedAsOftenAsItWasWritten() throws Exception {
        Map<String, Double> wanted = new HashMap<>();
        for (int seed = 1; seed <= 2; seed++) {
            TweetText tweets = new TweetText(seed, 100_000, START_MS);
            for (int tweet = 0; tweet < TWEETS; tweet++) {
                tweets.counted(tweet).forEach(tag -> wanted.merge(tag, 1.0, Double::sum));
            }
        }
        try (DemoCluster cluster =
                new DemoCluster(ChimeraHome.find(), folder, "1s", DemoCluster.QUEUES, Optional.empty())) {
            cluster.start();
            Endpoint broken = Endpoint.parse(cluster.address("q1", "inputs.tweets.tcp"));
            try (Socket socket = new Socket(broken.host(), broken.port())) {
                String cut =
                        "{\"entities\":{\"hashtags\":[{\"text\":\"cut\"\n{\"entities\":{\"hashtags\":[{\"text\":\"op";
                socket.getOutputStream().write(cut.getBytes(StandardCharsets.UTF_8));
            }
            for (int seed = 1; seed <= 2; seed++) {
                Invocation gen = Invocation.of(
                        "gen",
                        "tweets",
                        "--seed=" + seed,
                        "--count=" + TWEETS,
                        "--rate=100000",
                        "--crlf",
                        "--to=" + cluster.address("q" + seed, "inputs.tweets.tcp"));
                assertThat(gen.exitCode()).as(gen.err()).isZero();
            }

            await().pollInterval(Duration.ofSeconds(1))
                    .untilAsserted(() -> assertThat(stored(cluster)).isEqualTo(wanted));
        }
    }

    private static Map<String, Double> stored(DemoCluster cluster) throws InterruptedException {
        long now = System.currentTimeMillis();
        Map<String, Double> counts = new HashMap<>();
        new KairosReader(cluster.kairos())
                .byTag("hashtag.count.sum", "tag", now - 600_000, now + 600_000)
                .forEach((tag, rows) -> counts.put(
                        tag,
                        rows.values().stream().mapToDouble(Double::doubleValue).sum()));
        return counts;
    }
}
