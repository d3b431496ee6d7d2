package io.chimera.archive.server.client;

import io.chimera.archive.distributed.NodeBusyException;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.answer.AskedNode;
import io.chimera.common.cluster.archive.ArchiveMember;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/**
 * Streams the answer of an archive node, and gives up if the node sends no bytes for too long. One thread, except
 * {@link #close}.
 */
public final class PeerAnswer implements RemoteItems.Source {
    private final ArchiveMember from;
    private final CompletableFuture<HttpResponse<InputStream>> answer;
    private final ScheduledExecutorService watch;
    private final Duration silenceMax;

    /**
     * Creates an answer for a request under way.
     *
     * @param answer completes exceptionally by its own timeout when no response begins
     * @param watch closes reads after the timeout
     * @param silenceMax maximum wait of a read
     */
    public PeerAnswer(
            ArchiveMember from,
            CompletableFuture<HttpResponse<InputStream>> answer,
            ScheduledExecutorService watch,
            Duration silenceMax) {
        this.from = from;
        this.answer = answer;
        this.watch = watch;
        this.silenceMax = silenceMax;
    }

    @Override
    public InputStream open() throws IOException {
        try {
            HttpResponse<InputStream> response = answer.get();
            if (response.statusCode() == 200) {
                return new Watched(response.body());
            }
            response.body().close();
            if (response.statusCode() == QueryService.BUSY) {
                throw new NodeBusyException();
            }
            throw new IOException(
                    response.statusCode() == AskedNode.REFUSED
                            ? "another process answers at " + from.http()
                            : "HTTP status " + response.statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + from.id());
        } catch (ExecutionException | CancellationException e) {
            throw new IOException("no answer from " + from.http(), e);
        }
    }

    @Override
    public void close() {
        answer.cancel(true);
        CompletableFuture<Void> unused = answer.thenAccept(response -> CloseHelper.quietClose(response.body()));
    }

    /** Closes the body when a read waits too long. */
    private final class Watched extends InputStream {
        private final InputStream body;

        private Watched(InputStream body) {
            this.body = body;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            Future<?> end;
            try {
                end = watch.schedule(() -> CloseHelper.quietClose(body), silenceMax.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RejectedExecutionException e) {
                throw new IOException("this process is stopping", e);
            }
            try {
                return body.read(bytes, offset, length);
            } finally {
                end.cancel(false);
            }
        }

        @Override
        public void close() throws IOException {
            body.close();
        }
    }
}
