package io.chimera.apps.archive;

import io.chimera.archive.distributed.Peers;
import io.chimera.archive.query.FoundPackets;
import io.chimera.archive.query.Question;
import io.chimera.common.cluster.ArchiveMember;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;

/** Archive nodes by their HTTP ports. Any thread. */
public final class HttpPeers implements Peers {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
    private static final Duration REPLY_MAX = Duration.ofSeconds(10);

    /** Until an answer begins: before it, a node looks for its first packet, and may have others to answer first. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();

    /** Connected to nobody yet. */
    public HttpPeers() {}

    @Override
    public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
        CompletableFuture<Void> unused =
                post(to, IndexService.PARCEL_PATH, parcel).thenAccept(reply); // which never fails before it
    }

    /** Null where it failed. */
    private CompletableFuture<byte[]> post(ArchiveMember to, String path, byte[] body) {
        return send(to, path, body, REPLY_MAX, BodyHandlers.ofByteArray())
                .handle((answer, failure) -> failure == null && answer.statusCode() == 200 ? answer.body() : null);
    }

    private <T> CompletableFuture<HttpResponse<T>> send(
            ArchiveMember to, String path, byte[] body, Duration within, HttpResponse.BodyHandler<T> handler) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + to.http() + path))
                    .timeout(within)
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();
            return client.sendAsync(request, handler);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public List<byte[]> ask(List<ArchiveMember> nodes, List<byte[]> questions) {
        List<CompletableFuture<byte[]>> asked = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            asked.add(post(nodes.get(i), IndexService.QUESTION_PATH, questions.get(i)));
        }
        List<byte[]> answers = new ArrayList<>();
        asked.forEach(answer -> answers.add(answer.join()));
        return answers;
    }

    @Override
    public FoundPackets packets(ArchiveMember from, Question question) {
        CompletableFuture<HttpResponse<InputStream>> answer = send(
                from,
                QueryService.PATH + "?format=" + AnswerFormat.PACKETS,
                question.text().getBytes(StandardCharsets.UTF_8),
                ANSWER_MAX,
                BodyHandlers.ofInputStream());
        return new RemotePackets(() -> body(from, answer));
    }

    private static InputStream body(ArchiveMember from, CompletableFuture<HttpResponse<InputStream>> answer)
            throws IOException {
        try {
            HttpResponse<InputStream> response = answer.get();
            if (response.statusCode() == 200) {
                return response.body();
            }
            response.body().close();
            throw new IOException("it answers " + response.statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + from.id());
        } catch (ExecutionException e) {
            throw new IOException("nobody answers at " + from.http(), e);
        }
    }
}
