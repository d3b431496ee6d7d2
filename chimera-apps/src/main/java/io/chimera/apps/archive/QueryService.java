package io.chimera.apps.archive;

import io.chimera.archive.query.FoundItems;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.config.Durations;
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
 * Answers questions over HTTP beside the writer, a few at a time, each on a thread of its own. The question is the body of a POST;
 * {@link #PATH} answers in the format that the parameter {@code format} names, {@link #STENOGRAPHER_PATH} as stenographer does: with a
 * capture file, and within what its headers allow. Answers are sent as they are found, so one that fails is cut off, not ended. With the parameter {@code scope=cluster} all archive
 * nodes are asked. None takes
 * longer than it may, and none goes on for a client that has gone away.
 */
public final class QueryService implements HttpHandler, AutoCloseable {
    /** Questions in our own terms. */
    public static final String PATH = "/query";

    /** Questions as stenographer is asked. */
    public static final String STENOGRAPHER_PATH = "/stenographer/query";

    /** That an answer may take, unless something else is set. */
    public static final Duration TIME_MAX_DEFAULT = Duration.ofMinutes(5);

    /** Names, ahead of or behind the answer of a cluster, the nodes that could not be asked; "none" where all were. */
    public static final String ABSENT_TRAILER = "Chimera-Nodes-Absent";

    /** The status of a refusal to another archive node, which is to ask again: too many others are answered. */
    static final int BUSY = 429;

    private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
    private static final int AT_A_TIME = 2;
    private static final int WAITING_MAX = 16;

    /** Of which each has memory for an answer: 24 x 5 MiB for each stream. */
    private static final int PEERS_MAX = 24;

    private static final int PEERS_AT_A_TIME = 8;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final long LOOK_MS = 50;
    private static final String STOPS = "The archive stops.";

    private final Askable archive;
    private final Duration timeMax;
    private final String moreTime;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final AnswerThreads threads = new AnswerThreads("query", AT_A_TIME, AT_A_TIME, WAITING_MAX);

    /**
     * An answer to another node may wait long for others that are merged with it, and meanwhile lets others work. None waits to begin: who
     * asks has others that wait for this one, and gives them up instead.
     */
    private final AnswerThreads peerThreads = new AnswerThreads("peer-query", PEERS_MAX, PEERS_AT_A_TIME, 0);

    /** Others than those that answer for this node: who waits for other nodes must not keep them waiting. */
    private final AnswerThreads clusterThreads = new AnswerThreads("cluster-query", AT_A_TIME, AT_A_TIME, WAITING_MAX);

    private volatile Function<AskedQuestion, FoundItems> cluster = asked -> {
        throw new ChimeraException(
                Category.WARN,
                "This archive belongs to no cluster; start its recorder with --cluster, or ask without scope=cluster.");
    };
    /** Empty: none of a cluster. */
    private volatile String node = "";

    private final ScheduledExecutorService watch =
            Executors.newSingleThreadScheduledExecutor(task -> thread("query-watch", task));
    private final Set<Answering> all = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /**
     * Answers out of the volume of a recorder.
     *
     * @param timeMax that an answer may take
     */
    public QueryService(Volume volume, Duration timeMax, Clock clock, Counters<ArchiveCounter> counters) {
        this(volume, timeMax, "and --query-timeout of the recorder", clock, counters);
    }

    /**
     * Answers with what something else finds.
     *
     * @param timeMax that an answer may take, which nobody can set
     */
    public QueryService(Askable archive, Duration timeMax, Clock clock, Counters<ArchiveCounter> counters) {
        this(archive, timeMax, "up to " + Durations.format(timeMax), clock, counters);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // looks until it is closed
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
     * Answers for the cluster, too, from now on.
     *
     * @param id of the archive node that this one is
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
            refuse(exchange, 400, e.getMessage());
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
                refuse(exchange, BUSY, "Too many questions of other archive nodes are being answered.");
            } else {
                refuse(exchange, 503, "Too many questions wait; ask again later.");
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
            } catch (Throwable e) { // an Error too: it would end the watch, and with it the time of all
                LOG.error("A defect: a question cannot be looked after.", e);
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

    /** Takes no more questions, ends those under way, and waits until nobody reads the volume or asks other nodes any more. */
    @Override
    public void close() {
        isClosed = true;
        all.forEach(answering -> answering.stop(STOPS, clock.nanoTime()));
        threads.shutdown();
        peerThreads.shutdown();
        clusterThreads.interrupt(); // those wait for others; who waits for them is refused
        try {
            boolean isOver = threads.awaitEnd(CLOSE_SECONDS_MAX);
            isOver &= peerThreads.awaitEnd(
                    CLOSE_SECONDS_MAX); // also where others are held up: all of them read the volume
            isOver &= clusterThreads.awaitEnd(CLOSE_SECONDS_MAX);
            if (!isOver) {
                LOG.warn("A question is still being answered after {} s.", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watch.shutdownNow();
    }
}
