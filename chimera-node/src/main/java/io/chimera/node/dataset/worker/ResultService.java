package io.chimera.node.dataset.worker;

import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.metrics.Counters;
import io.chimera.common.metrics.DatasetCounter;
import io.chimera.dataset.cluster.WorkerFolder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends parts of results to other nodes and commands, over the HTTP port of the node. The path of a file is made of
 * checked names and numbers only. Few threads read the disk; further requests are asked to come again.
 */
final class ResultService implements HttpHandler, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ResultService.class);
    private static final int THREADS = 2;

    /** Maximum number of waiting requests; each becomes an answer of up to 1 MiB. */
    private static final int WAITING_MAX = 32;

    private static final Map<String, String> RETRY = Map.of("Content-Type", "text/plain", "Retry-After", "1");

    private final WorkerFolder folder;
    private final Counters<DatasetCounter> counters;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread thread = new Thread(task, "dataset-results");
                thread.setDaemon(true);
                return thread;
            });

    ResultService(WorkerFolder folder, Counters<DatasetCounter> counters) {
        this.folder = folder;
        this.counters = counters;
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        Optional<ResultRequest> request = ResultRequest.of(exchange);
        if (request.isEmpty()) {
            refuse(exchange, 400, "The parameters job, run, kind, number, offset and length name no part of a result.");
            return true;
        }
        try {
            threads.execute(() -> answer(exchange, request.get()));
        } catch (RejectedExecutionException e) {
            counters.increment(DatasetCounter.REQUESTS_REFUSED);
            exchange.respond(
                    503, RETRY, "Too many requests for results; retry later.\n".getBytes(StandardCharsets.UTF_8));
        }
        return true;
    }

    private void answer(HttpExchange exchange, ResultRequest request) {
        try (FileChannel file =
                FileChannel.open(folder.result(request.job(), request.task()), StandardOpenOption.READ)) {
            long size = file.size();
            if (request.offset() + request.length() > size) {
                refuse(exchange, 416, "The result has " + size + " bytes.");
                return;
            }
            ByteBuffer part = ByteBuffer.allocate(request.length());
            while (part.hasRemaining()) {
                if (file.read(part, request.offset() + part.position()) < 0) {
                    throw new IOException("the file has become shorter");
                }
            }
            counters.increment(DatasetCounter.PARTS_SENT);
            counters.add(DatasetCounter.BYTES_SENT, request.length());
            exchange.respond(
                    200,
                    Map.of(
                            "Content-Type",
                            "application/octet-stream",
                            ResultRequest.LENGTH_HEADER,
                            Long.toString(size)),
                    part.array());
        } catch (NoSuchFileException e) {
            refuse(exchange, 404, "This node does not have the result.");
        } catch (IOException e) {
            LOG.warn("A result cannot be read: job={} task={} cause={}", request.job(), request.task(), e.toString());
            refuse(exchange, 500, "The result cannot be read; see the log of the node.");
        }
    }

    private void refuse(HttpExchange exchange, int status, String reason) {
        counters.increment(DatasetCounter.REQUESTS_REFUSED);
        exchange.respond(status, "text/plain", reason + "\n");
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
