package io.chimera.apps.archive;

import io.chimera.archive.distributed.NodeBusyException;
import io.chimera.common.cluster.ArchiveMember;
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

/** What an archive node answers, as it comes; one that stays silent for too long in the middle of it is given up. One thread, but for {@link #close}. */
final class PeerAnswer implements RemoteItems.Source {
    private final ArchiveMember from;
    private final CompletableFuture<HttpResponse<InputStream>> answer;
    private final ScheduledExecutorService watch;
    private final Duration silenceMax;

    /**
     * An answer on its way.
     *
     * @param answer ends by itself where none begins
     * @param watch ends reads
     * @param silenceMax that a read may wait
     */
    PeerAnswer(
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
                            : "it answers " + response.statusCode());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for " + from.id());
        } catch (ExecutionException | CancellationException e) {
            throw new IOException("nobody answers at " + from.http(), e);
        }
    }

    @Override
    public void close() {
        answer.cancel(true);
        CompletableFuture<Void> unused = answer.thenAccept(response -> CloseHelper.quietClose(response.body()));
    }

    /** Ends reads that wait for too long. */
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
                throw new IOException("this process stops", e);
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
