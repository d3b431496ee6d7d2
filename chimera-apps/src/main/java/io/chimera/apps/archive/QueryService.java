package io.chimera.apps.archive;

import io.chimera.archive.query.FoundItems;
import io.chimera.archive.query.Question;
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
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
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

    private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
    private static final int THREADS = 2;
    private static final int PEER_THREADS = 8;
    private static final int WAITING_MAX = 16;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final long LOOK_MS = 50;
    private static final String STOPS = "The archive stops.";

    private final Function<Question, ? extends FoundItems> archive;
    private final Function<Question, ? extends FoundItems> forPeers;
    private final Duration timeMax;
    private final String moreTime;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final ThreadPoolExecutor threads = threads("query", THREADS);

    /** An answer to another node may wait long for others that are merged with it: it keeps nobody else waiting. */
    private final ThreadPoolExecutor peerThreads = threads("peer-query", PEER_THREADS);

    /** Others than those that answer for this node: who waits for other nodes must not keep them waiting. */
    private final ThreadPoolExecutor clusterThreads = threads("cluster-query", THREADS);

    private volatile Function<Question, ? extends FoundItems> cluster = question -> {
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
        this(volume::ask, volume::askForPeer, timeMax, "and --query-timeout of the recorder", clock, counters);
    }

    /**
     * Answers with what a function finds.
     *
     * @param timeMax that an answer may take, which nobody can set
     */
    public QueryService(
            Function<Question, ? extends FoundItems> archive,
            Duration timeMax,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this(archive, archive, timeMax, "up to " + Durations.format(timeMax), clock, counters);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // looks until it is closed
    private QueryService(
            Function<Question, ? extends FoundItems> archive,
            Function<Question, ? extends FoundItems> forPeers,
            Duration timeMax,
            String moreTime,
            Clock clock,
            Counters<ArchiveCounter> counters) {
        this.archive = archive;
        this.forPeers = forPeers;
        this.timeMax = timeMax;
        this.moreTime = moreTime;
        this.clock = clock;
        this.counters = counters;
        watch.scheduleWithFixedDelay(this::look, LOOK_MS, LOOK_MS, TimeUnit.MILLISECONDS);
    }

    private static ThreadPoolExecutor threads(String name, int size) {
        return new ThreadPoolExecutor(
                size, size, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> thread(name, task));
    }

    /**
     * Answers for the cluster, too, from now on.
     *
     * @param id of the archive node that this one is
     */
    public void serve(ClusterArchive archives, String id) {
        node = id;
        cluster = archives::ask;
    }

    private static Thread thread(String name, Runnable task) {
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
            AskedQuestion asked = QuestionRequest.read(exchange, clock.epochNs(), timeMax);
            Answering answering = new Answering(exchange, asked, askedBy(asked), moreTime, counters, clock.nanoTime());
            take(answering, threadsFor(asked));
            exchange.watch();
        } catch (ChimeraException e) {
            refuse(exchange, 400, e.getMessage());
        } catch (RejectedExecutionException e) {
            refuse(exchange, 503, isClosed ? STOPS : "Too many questions wait; ask again later.");
        }
        return true;
    }

    private Function<Question, ? extends FoundItems> askedBy(AskedQuestion asked) {
        if (asked.isOfCluster()) {
            return question -> cluster.apply(question);
        }
        return asked.format() == AnswerFormat.PACKETS ? forPeers : archive;
    }

    private ThreadPoolExecutor threadsFor(AskedQuestion asked) {
        if (asked.isOfCluster()) {
            return clusterThreads;
        }
        return asked.format() == AnswerFormat.PACKETS ? peerThreads : threads;
    }

    private void take(Answering answering, ThreadPoolExecutor by) {
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

    /** Takes no more questions, and waits until nobody reads the volume any more. */
    @Override
    public void close() {
        isClosed = true;
        all.forEach(answering -> answering.stop(STOPS, clock.nanoTime()));
        threads.shutdown();
        peerThreads.shutdown();
        clusterThreads.shutdownNow().forEach(Runnable::run); // those wait for others; who waits for them is refused
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)
                    || !peerThreads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)
                    || !clusterThreads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("A question is still being answered after {} s.", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        watch.shutdownNow();
    }
}
