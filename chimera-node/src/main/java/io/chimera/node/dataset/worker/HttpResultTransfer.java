package io.chimera.node.dataset.worker;

import io.chimera.archive.server.client.ClientToken;
import io.chimera.common.channel.netty.NodeTls;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.ResultGoneException;
import io.chimera.dataset.cluster.ResultTransfer;
import io.chimera.dataset.cluster.TaskId;
import io.chimera.dataset.cluster.WorkerSession;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads results of other workers over their HTTP ports, with the certificates and the token of this node. Any thread.
 */
public final class HttpResultTransfer implements ResultTransfer, AutoCloseable {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(3);

    /** Time limit for a part of up to 1 MiB. */
    private static final Duration PART_MAX = Duration.ofSeconds(30);

    /** Attempts at a part; afterwards the result counts as lost, and its split is computed again. */
    private static final int ATTEMPTS_MAX = 4;

    private static final long PAUSE_MS = 200;
    private static final int OK = 200;
    private static final int UNAUTHENTICATED = 401;
    private static final int FORBIDDEN = 403;
    private static final int GONE = 404;
    private static final byte[] NOTHING = {};

    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "dataset-transfer");
        thread.setDaemon(true);
        return thread;
    });
    private final String scheme;
    private final String token;
    private final HttpClient client;

    /**
     * Creates a client without connections.
     *
     * @param tls certificates of connections between nodes; empty for plain HTTP
     * @param token token of this node or command; empty without one
     */
    public HttpResultTransfer(Optional<NodeTls> tls, String token) {
        this.token = token;
        scheme = tls.isPresent() ? "https://" : "http://";
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_MAX)
                .executor(threads);
        tls.ifPresent(node -> builder.sslContext(node.tls().clusterContext(node.cluster()))
                .sslParameters(node.tls().clientParameters()));
        client = builder.build();
    }

    @Override
    public long length(WorkerSession worker, JobId job, TaskId task) throws IOException {
        return part(worker, new ResultRequest(job, task, 0, 0), ByteBuffer.allocate(0));
    }

    @Override
    public void read(WorkerSession worker, JobId job, TaskId task, long offset, ByteBuffer into) throws IOException {
        long next = offset;
        int end = into.limit();
        while (into.position() < end) {
            int length = Math.min(end - into.position(), ResultRequest.LENGTH_MAX);
            into.limit(into.position() + length);
            part(worker, new ResultRequest(job, task, next, length), into);
            next += length;
            into.limit(end);
        }
    }

    /** Reads a part, and returns the length of the whole file. */
    private long part(WorkerSession worker, ResultRequest request, ByteBuffer into) throws IOException {
        int from = into.position();
        for (int attempt = 1; ; attempt++) {
            try {
                return once(worker, request, into.position(from));
            } catch (ResultGoneException | AccessDeniedException | InterruptedIOException e) {
                throw e; // a node that gets a wrong token again and again refuses its sender
            } catch (IOException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw e;
                }
                pause(attempt);
            }
        }
    }

    private static void pause(int attempt) throws InterruptedIOException {
        try {
            Thread.sleep(PAUSE_MS << attempt);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private long once(WorkerSession worker, ResultRequest request, ByteBuffer into) throws IOException {
        HttpResponse<byte[]> response = send(worker, request);
        if (response.statusCode() == GONE) {
            throw new ResultGoneException(
                    "the node " + worker.node() + " does not have " + request.task() + " of the job " + request.job());
        }
        if (response.statusCode() == UNAUTHENTICATED || response.statusCode() == FORBIDDEN) {
            throw new AccessDeniedException(
                    worker.address(),
                    null,
                    "the node " + worker.node() + " answered " + response.statusCode()
                            + "; the token of this node or command (node.token, CHIMERA_TOKEN) needs the role tap there");
        }
        OptionalLong whole = response.headers().firstValueAsLong(ResultRequest.LENGTH_HEADER);
        if (response.statusCode() != OK
                || whole.isEmpty()
                || whole.getAsLong() < 0
                || response.body().length != request.length()) {
            throw new IOException("the node " + worker.node() + " at " + worker.address() + " answered "
                    + response.statusCode() + " to a request for " + request.task() + " of the job " + request.job());
        }
        into.put(response.body());
        return whole.getAsLong();
    }

    private HttpResponse<byte[]> send(WorkerSession worker, ResultRequest request) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> answer;
        try {
            HttpRequest sent = ClientToken.show(
                            token, HttpRequest.newBuilder(URI.create(scheme + worker.address() + request.query())))
                    .timeout(PART_MAX)
                    .POST(BodyPublishers.noBody())
                    .build();
            answer = client.sendAsync(sent, info -> body(info, request.length()));
        } catch (IllegalArgumentException e) {
            throw new IOException("the node " + worker.node() + " announces a malformed address", e);
        }
        try {
            return answer.get(PART_MAX.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("no answer from the node " + worker.node() + " at " + worker.address(), e);
        } finally {
            answer.cancel(true);
        }
    }

    /** Reads a body of the expected length only: the memory for it is limited. */
    private static BodySubscriber<byte[]> body(HttpResponse.ResponseInfo info, int length) {
        long announced = info.headers().firstValueAsLong("Content-Length").orElse(-1);
        return info.statusCode() == OK && announced == length
                ? BodySubscribers.ofByteArray()
                : BodySubscribers.replacing(NOTHING);
    }

    private static InterruptedIOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while waiting for a result of another node");
    }

    /** Aborts requests under way. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
