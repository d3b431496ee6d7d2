package io.chimera.archive.server;

import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.server.answer.AskedNode;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.archive.server.volume.Askable;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions over HTTP while the writer records. A few questions run at a time, each on its own thread. The
 * question is the body of a POST. {@link #PATH} answers in the format of the parameter {@code format}. {@link
 * #STENOGRAPHER_PATH} answers like stenographer: with a capture file, within the limits of the request headers. Matches
 * are sent as they are found; a failed answer is cut off without a regular end. The parameter {@code scope=cluster}
 * asks all archive nodes. Every answer has a time limit, and ends when its client disconnects.
 */
public final class QueryService implements HttpHandler, AutoCloseable {
    /** Path for questions in the format of Chimera. */
    public static final String PATH = "/query";

    /** Path for questions in the format of stenographer. */
    public static final String STENOGRAPHER_PATH = "/stenographer/query";

    /** Default time limit of an answer. */
    public static final Duration TIME_MAX_DEFAULT = Duration.ofMinutes(5);

    /** Header or trailer of a cluster answer with the ids of the absent nodes; "none" if all nodes answered. */
    public static final String ABSENT_TRAILER = "Chimera-Nodes-Absent";

    /** HTTP status for an archive node that must retry later: too many answers to peers are under way. */
    public static final int BUSY = 429;

    private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
    private static final int AT_A_TIME = 2;
    private static final int WAITING_MAX = 16;

    /** Maximum number of answers to peers. Each needs memory: 24 x 5 MiB per stream. */
    private static final int PEERS_MAX = 24;

    private static final int PEERS_AT_A_TIME = 8;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final long LOOK_MS = 50;
    private static final String STOPS = "The archive is stopping.";

    private final Askable archive;
    private final Duration timeMax;
    private final String moreTime;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final AnswerThreads threads = new AnswerThreads("query", AT_A_TIME, AT_A_TIME, WAITING_MAX);

    /**
     * Threads for answers to other nodes. Such an answer may wait long for the other answers of its merge, and releases
     * its permit meanwhile. The pool has no queue: the asking node holds answers of other nodes that wait for this
     * answer, and must give them up instead.
     */
    private final AnswerThreads peerThreads = new AnswerThreads("peer-query", PEERS_MAX, PEERS_AT_A_TIME, 0);

    /**
     * Separate threads for questions to the cluster: waits for other nodes must not block the questions to this node.
     */
    private final AnswerThreads clusterThreads = new AnswerThreads("cluster-query", AT_A_TIME, AT_A_TIME, WAITING_MAX);

    private volatile Function<AskedQuestion, FoundItems> cluster = asked -> {
        throw new ChimeraException(
                Category.WARN,
                "This archive is not in a cluster. Start its recorder with --cluster, or query without scope=cluster.");
    };
    /** Id of this archive node; empty outside a cluster. */
    private volatile String node = "";

    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(task -> thread("query-watch", task));
    private final Set<Answering> all = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /**
     * Creates a service for the volume of a recorder.
     *
     * @param timeMax time limit of an answer
     */
    public QueryService(Volume volume, Duration timeMax, Clock clock, Counters<ArchiveCounter> counters) {
        this(volume, timeMax, "and --query-timeout of the recorder", clock, counters);
    }

    /**
     * Creates a service for another source of matches.
     *
     * @param timeMax time limit of an answer; not configurable
     */
    public QueryService(Askable archive, Duration timeMax, Clock clock, Counters<ArchiveCounter> counters) {
        this(archive, timeMax, "up to " + Durations.format(timeMax), clock, counters);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the watch runs until close
    private QueryService(
            Askable archive, Duration timeMax, String moreTime, Clock clock, Counters<ArchiveCounter> counters) {
        this.archive = archive;
        this.timeMax = timeMax;
        this.moreTime = moreTime;
        this.clock = clock;
        this.counters = counters;
        watch.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Enables questions to the whole cluster.
     *
     * @param id id of this archive node
     */
    public void serve(ClusterArchive archives, String id) {
        node = id;
        cluster = asked -> archives.ask(asked.question(), asked.kind());
    }

    static Thread thread(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        counters.increment(ArchiveCounter.QUERY_ASKED);
        if (AskedNode.isNamed(exchange) && AskedNode.refuse(exchange, node)) {
            counters.increment(ArchiveCounter.QUERY_REFUSED);
            return true;
        }
        try {
            take(exchange, QuestionRequest.read(exchange, clock.epochNs(), timeMax));
        } catch (ChimeraException e) {
            refuse(exchange, 400, String.valueOf(e.getMessage()));
        }
        return true;
    }

    private void take(HttpExchange exchange, AskedQuestion asked) {
        AnswerThreads by = threadsFor(asked);
        Answering answering =
                new Answering(exchange, asked, this::ask, moreTime, by.turns(), counters, clock.nanoTime());
        try {
            take(answering, by);
            exchange.watch();
        } catch (RejectedExecutionException e) {
            if (isClosed) {
                refuse(exchange, 503, STOPS);
            } else if (asked.isForPeer()) {
                counters.increment(ArchiveCounter.QUERY_TURNED_AWAY);
                refuse(exchange, BUSY, "Too many running queries of other archive nodes; retry later.");
            } else {
                refuse(exchange, 503, "Too many queued queries; retry later.");
            }
        }
    }

    private FoundItems ask(AskedQuestion asked) {
        if (asked.isOfCluster()) {
            return cluster.apply(asked);
        }
        return asked.isForPeer()
                ? archive.askForPeer(asked.question(), asked.kind().orElseThrow())
                : archive.ask(asked.question());
    }

    private AnswerThreads threadsFor(AskedQuestion asked) {
        if (asked.isOfCluster()) {
            return clusterThreads;
        }
        return asked.isForPeer() ? peerThreads : threads;
    }

    private void take(Answering answering, AnswerThreads by) {
        all.add(answering);
        try {
            by.execute(() -> {
                try {
                    answering.run();
                } finally {
                    all.remove(answering);
                }
            });
        } catch (RejectedExecutionException e) {
            all.remove(answering);
            throw e;
        }
        if (isClosed) {
            answering.stop(STOPS, clock.nanoTime());
        }
    }

    private void look() {
        long nowNs = clock.nanoTime();
        for (Answering answering : all) {
            try {
                answering.look(nowNs);
            } catch (Throwable e) { // includes Error: an exception would end the watch and all time limits
                LOG.error("Internal error in the watch of a query.", e);
            }
        }
    }

    private void refuse(HttpExchange exchange, int status, String why) {
        counters.increment(ArchiveCounter.QUERY_REFUSED);
        exchange.respond(
                status,
                status == 503
                        ? Map.of("Content-Type", "application/json", "Retry-After", "1")
                        : Map.of("Content-Type", "application/json"),
                QueryAnswer.error(why));
    }

    /**
     * Rejects further questions, ends running answers, and waits until no answer reads the volume or asks other nodes.
     */
    @Override
    public void close() {
        isClosed = true;
        all.forEach(answering -> answering.stop(STOPS, clock.nanoTime()));
        threads.shutdown();
        peerThreads.shutdown();
        // cluster answers wait for other nodes, so they are interrupted; queued ones are refused
        clusterThreads.interrupt();
        try {
            boolean isOver = threads.awaitEnd(CLOSE_SECONDS_MAX);
            isOver &= peerThreads.awaitEnd(
                    CLOSE_SECONDS_MAX); // awaited even after a timeout above: all pools read the volume
            isOver &= clusterThreads.awaitEnd(CLOSE_SECONDS_MAX);
            if (!isOver) {
                LOG.warn("Query still running after the close timeout: seconds={}", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watch.shutdownNow();
    }
}
