package io.chimera.archive.server.client;

import io.chimera.archive.distributed.Peers;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.filter.PointFilter;
import io.chimera.archive.server.IndexService;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.AskedNode;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.io.InputStream;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Sends requests to archive nodes over HTTP. Any thread. */
public final class HttpPeers implements Peers, AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);
    private static final Duration REPLY_MAX = Duration.ofSeconds(10);
    private static final Duration SILENCE_MAX = Duration.ofSeconds(60);

    private final Duration replyMax;

    /**
     * Maximum wait for the next bytes of an answer. A node may search long for its first match, may answer other nodes
     * first, and sends many items at once. The timeout does not run while the asking node does not read.
     */
    private final Duration silenceMax;

    private final Backoff patience;
    private volatile String token = ClientToken.ofEnvironment();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> thread("peers", task));
    private final ScheduledThreadPoolExecutor watch =
            new ScheduledThreadPoolExecutor(1, task -> thread("peers-watch", task));
    private final String scheme;
    private final HttpClient client;

    /**
     * Creates a client without connections.
     *
     * @param random draws the jitter of the back-off; safe for any thread
     */
    public HttpPeers(RandomGenerator random) {
        this(random, SILENCE_MAX);
    }

    /** Sets the token of all requests; null selects the token of the environment. Call before the first request. */
    public HttpPeers showing(@Nullable String newToken) {
        token = newToken == null ? ClientToken.ofEnvironment() : newToken;
        return this;
    }

    /**
     * Creates a client without connections.
     *
     * @param random draws the jitter of the back-off; safe for any thread
     * @param tls certificates of connections between nodes; null for plain HTTP
     */
    public HttpPeers(RandomGenerator random, @Nullable NodeTls tls) {
        this(random, REPLY_MAX, SILENCE_MAX, tls);
    }

    /**
     * Creates a client without connections.
     *
     * @param random draws the jitter of the back-off; safe for any thread
     * @param silenceMax maximum wait for the first and for each further part of an answer
     */
    public HttpPeers(RandomGenerator random, Duration silenceMax) {
        this(random, REPLY_MAX, silenceMax);
    }

    /**
     * Creates a client without connections.
     *
     * @param replyMax time limit for the answer of an index node
     * @param silenceMax maximum wait for the first and for each further part of an answer
     */
    HttpPeers(RandomGenerator random, Duration replyMax, Duration silenceMax) {
        this(random, replyMax, silenceMax, null);
    }

    private HttpPeers(RandomGenerator random, Duration replyMax, Duration silenceMax, @Nullable NodeTls tls) {
        this.replyMax = replyMax;
        this.silenceMax = silenceMax;
        patience = new Backoff(random);
        scheme = tls == null ? "http" : "https";
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_MAX)
                .executor(threads);
        if (tls != null) {
            builder.sslContext(tls.tls().clusterContext(tls.cluster()))
                    .sslParameters(tls.tls().clientParameters());
        }
        client = builder.build();
        watch.setRemoveOnCancelPolicy(true);
    }

    private static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void bring(ArchiveMember to, byte[] parcel, Consumer<byte[]> reply) {
        CompletableFuture<Void> unused =
                post(to, IndexService.PARCEL_PATH, parcel).thenAccept(reply); // post maps failures to null
    }

    /** Completes with null on failure. */
    private CompletableFuture<byte[]> post(ArchiveMember to, String path, byte[] body) {
        CompletableFuture<HttpResponse<byte[]>> sent =
                // the request timeout covers only the headers
                send(to, path, body, replyMax, BodyHandlers.ofByteArray());
        return sent.copy().orTimeout(replyMax.toMillis(), TimeUnit.MILLISECONDS).handle((answer, failure) -> {
            if (failure != null) {
                sent.cancel(true);
            }
            return failure == null && answer.statusCode() == 200 ? answer.body() : null;
        });
    }

    private <T> CompletableFuture<HttpResponse<T>> send(
            ArchiveMember to, String path, byte[] body, Duration within, HttpResponse.BodyHandler<T> handler) {
        try {
            HttpRequest request = ClientToken.show(token, HttpRequest.newBuilder(AskedNode.uri(scheme, to, path)))
                    .timeout(within)
                    .POST(BodyPublishers.ofByteArray(body))
                    .build();
            return client.sendAsync(request, handler);
        } catch (IllegalArgumentException | RejectedExecutionException e) {
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
        asked.forEach(answer -> answers.add(await(answer)));
        return answers;
    }

    /** An interrupt ends this wait and, through the interrupt flag, the waits for the remaining answers. */
    private static byte @Nullable [] await(CompletableFuture<byte[]> answer) {
        try {
            return answer.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (ExecutionException e) {
            throw new IllegalStateException("Failures complete with null.", e);
        }
    }

    @Override
    public void awaitRoom(int refusals) {
        try {
            boolean unused = closed.await(patience.before(refusals).toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public FoundPackets packets(ArchiveMember from, Question question) {
        return new RemotePackets(answer(from, question, AnswerFormat.PACKETS));
    }

    @Override
    public FoundPoints points(ArchiveMember from, Question question) {
        return new RemotePoints(answer(from, question, AnswerFormat.POINTS), PointFilter.compile(question.filter()));
    }

    private PeerAnswer answer(ArchiveMember from, Question question, AnswerFormat format) {
        CompletableFuture<HttpResponse<InputStream>> answer = send(
                from,
                QueryService.PATH + "?format=" + format,
                question.text().getBytes(StandardCharsets.UTF_8),
                silenceMax,
                BodyHandlers.ofInputStream());
        return new PeerAnswer(from, answer, watch, silenceMax);
    }

    /** Aborts requests under way. */
    @Override
    public void close() {
        closed.countDown();
        threads.shutdownNow();
        watch.shutdownNow();
    }
}
