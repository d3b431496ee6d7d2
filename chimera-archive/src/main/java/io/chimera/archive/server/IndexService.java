package io.chimera.archive.server;

import io.chimera.archive.distributed.IndexNode;
import io.chimera.archive.index.record.DamagedRecordException;
import io.chimera.archive.server.answer.AskedNode;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP endpoint of an index node for other archive nodes: accepts parcels of index entries, and answers which nodes may
 * hold matches.
 */
public final class IndexService implements HttpHandler, AutoCloseable {
    /** Path for parcels. */
    public static final String PARCEL_PATH = "/archive/parcel";

    /** Path for index lookups. */
    public static final String QUESTION_PATH = "/archive/probe";

    private static final Logger LOG = LoggerFactory.getLogger(IndexService.class);
    private static final int WAITING_MAX = 64;
    private static final Map<String, String> BINARY = Map.of("Content-Type", "application/octet-stream");
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");

    private final IndexNode node;
    private final String id;
    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread made = new Thread(task, "index-node");
                made.setDaemon(true);
                return made;
            });

    /**
     * Creates the endpoint.
     *
     * @param id id of the archive node; requests for other nodes are refused
     */
    public IndexService(IndexNode node, String id) {
        this.node = node;
        this.id = id;
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        if (AskedNode.refuse(exchange, id)) {
            return true;
        }
        byte[] message = Arrays.copyOf(exchange.body(), exchange.bodyLength());
        try {
            thread.execute(() -> answer(exchange, message));
        } catch (RejectedExecutionException e) {
            exchange.respond(503, JSON, QueryAnswer.error("Too many queued messages; retry later."));
        }
        return true;
    }

    private void answer(HttpExchange exchange, byte[] message) {
        try {
            boolean isParcel = exchange.path().equals(PARCEL_PATH);
            exchange.respond(200, BINARY, isParcel ? node.take(message) : node.answer(message));
        } catch (DamagedRecordException e) {
            exchange.respond(
                    400, JSON, QueryAnswer.error("Invalid message for this index node: " + e.getMessage() + "."));
        } catch (RuntimeException e) {
            LOG.error("Internal error in a message to the index node.", e);
            exchange.respond(500, JSON, QueryAnswer.error("Internal error; see the recorder's log."));
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
