package io.chimera.node.archive.recorder;

import static io.chimera.common.agent.Waits.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.RecordedVolume;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.access.HttpRoute;
import io.chimera.common.agent.Clock;
import io.chimera.common.agent.SystemClock;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.channel.MemoryExchange;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecorderProcessTest {
    private static final int AT_A_TIME = 2;

    private final Clock clock = new SystemClock();
    private final Counters<ArchiveCounter> counters = new Counters<>(ArchiveCounter.class);

    @TempDir
    private Path folder;

    @Test
    void everyRouteOfTheOnlyPortNeedsAToken() throws Exception {
        String token = "ab".repeat(32);
        String sha256 = HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        Path tokens = Files.writeString(
                folder.resolve("tokens.yaml"), "tokens: { analyst: { sha256: %s, roles: [tap] } }".formatted(sha256));
        try (Volume volume = RecordedVolume.in(folder, clock, counters);
                RecorderProcess process = new RecorderProcess(
                        new RecorderPort(new Endpoint("127.0.0.1", 0), tokens),
                        Optional.empty(),
                        volume,
                        new QueryService(volume, QueryService.TIME_MAX_DEFAULT, clock, counters),
                        clock,
                        counters)) {
            HttpClient client = HttpClient.newHttpClient();
            for (HttpRoute route : HttpRoute.values()) {
                if (route.surface() == HttpRoute.Surface.NODE && route.role().isPresent()) {
                    URI uri = URI.create("http://" + process.address() + route.path());
                    for (String method : List.of("GET", "POST")) {
                        HttpRequest request = HttpRequest.newBuilder(uri)
                                .method(method, BodyPublishers.noBody())
                                .build();
                        assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                                .as(method + " " + route)
                                .isEqualTo(401);
                    }
                }
            }
            HttpRequest question = HttpRequest.newBuilder(URI.create("http://" + process.address() + QueryService.PATH))
                    .header("Authorization", "Bearer " + token)
                    .POST(BodyPublishers.ofString("udp"))
                    .build();
            assertThat(client.send(question, BodyHandlers.ofByteArray()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void whoAsksWhenItStopsIsToldSo() throws InterruptedException {
        try (Volume volume = RecordedVolume.in(folder, clock, counters)) {
            CountDownLatch begun = new CountDownLatch(AT_A_TIME);
            CountDownLatch stopped = new CountDownLatch(1);
            QueryService service = new QueryService(
                    question -> {
                        begun.countDown();
                        await().until(() -> stopped.getCount() == 0);
                        return volume.ask(question);
                    },
                    QueryService.TIME_MAX_DEFAULT,
                    clock,
                    counters);
            RecorderProcess process = new RecorderProcess(
                    new RecorderPort(new Endpoint("127.0.0.1", 0), null),
                    Optional.empty(),
                    volume,
                    service,
                    clock,
                    counters);
            HttpClient client = HttpClient.newHttpClient();
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + process.address() + QueryService.PATH))
                    .POST(BodyPublishers.ofString("udp"))
                    .build();
            List<CompletableFuture<HttpResponse<String>>> answers = Stream.generate(
                            () -> client.sendAsync(request, BodyHandlers.ofString()))
                    .limit(AT_A_TIME + 1)
                    .toList();
            begun.await();
            await().until(() -> counters.get(ArchiveCounter.QUERY_ASKED) == AT_A_TIME + 1);
            Thread closer = new Thread(process::close, "closer");
            closer.start();
            await().until(() -> {
                MemoryExchange late = new MemoryExchange("POST", QueryService.PATH).body("udp");
                service.handle(late);
                return late.status() == 503 && late.answer().contains("is stopping");
            });
            stopped.countDown();
            closer.join();
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.join().statusCode()).isEqualTo(503);
                assertThat(answer.join().body()).contains("The archive is stopping.");
            });
        }
    }
}
