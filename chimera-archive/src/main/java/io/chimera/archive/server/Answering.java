package io.chimera.archive.server;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.answer.ArchiveQuery;
import io.chimera.archive.query.answer.FoundItems;
import io.chimera.archive.query.answer.FoundPackets;
import io.chimera.archive.query.answer.FoundPoints;
import io.chimera.archive.query.answer.NodeReport.Absent;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.ExplanationAnswer;
import io.chimera.archive.server.answer.PeerParts;
import io.chimera.archive.server.answer.QueryAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers one question. It runs on a thread of the pool; the watch thread ends it when its time is over, its client has
 * disconnected, or the service stops. If the answering thread is blocked by a device or a client, the watch thread ends
 * the answer in its place.
 */
final class Answering implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Answering.class);

    /** Grace period after a cut; an answering thread that runs longer counts as blocked. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final int BAD_REQUEST = 400;
    private static final int FAILED = 500;
    private static final int UNAVAILABLE = 503;
    private static final int OUT_OF_TIME = 504;
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final Map<String, String> JSON_RETRY =
            Map.of("Content-Type", "application/json", "Retry-After", "1");

    private final HttpExchange exchange;
    private final AskedQuestion asked;
    private final Function<AskedQuestion, FoundItems> archive;
    private final String moreTime;
    private final Semaphore turns;
    private final Counters<ArchiveCounter> counters;
    private final AnswerStream out;
    private final long askedNs;
    private final long timeMaxNs;
    private final AtomicReference<Cut> cut = new AtomicReference<>();
    private volatile @Nullable FoundItems query;

    /** Reason for the early end of an answer, its HTTP status if nothing was sent yet, and its time. */
    private record Cut(int status, String why, long sinceNs) {}

    /**
     * Creates an answer that waits for its thread.
     *
     * @param moreTime where the user can raise the time limit, as part of an error message
     * @param turns the permits of the pool
     * @param askedNs arrival time of the question, by the clock's nanoTime
     */
    Answering(
            HttpExchange exchange,
            AskedQuestion asked,
            Function<AskedQuestion, FoundItems> archive,
            String moreTime,
            Semaphore turns,
            Counters<ArchiveCounter> counters,
            long askedNs) {
        this.exchange = exchange;
        this.asked = asked;
        this.archive = archive;
        this.moreTime = moreTime;
        this.turns = turns;
        this.counters = counters;
        this.askedNs = askedNs;
        timeMaxNs = TimeUnit.NANOSECONDS.convert(asked.timeMax());
        out = new AnswerStream(exchange, turns);
    }

    /** Checks the client and the time limit. Watch thread only. */
    void look(long nowNs) {
        if (cut.get() == null) {
            if (exchange.isGone()) {
                cut(UNAVAILABLE, "The client disconnected.", nowNs);
            } else if (nowNs - askedNs >= timeMaxNs) {
                cut(OUT_OF_TIME, outOfTime(asked.timeMax()), nowNs);
            }
        }
        Cut now = cut.get();
        boolean isWaiting = query == null && !out.isBegun();
        if (now != null && (isWaiting || nowNs - now.sinceNs >= GRACE_NS)) {
            out.giveUp(now.status, headers(now.status), QueryAnswer.error(now.why));
        }
    }

    private String outOfTime(Duration timeMax) {
        return "The answer exceeded its time limit of " + Durations.format(timeMax)
                + ". Query a shorter time range (after, before) or fewer packets (limit), or raise the limit"
                + " (timeout, " + moreTime + ").";
    }

    /** Ends the answer because the service stops. Any thread. */
    void stop(String why, long nowNs) {
        cut(UNAVAILABLE, why, nowNs);
    }

    private void cut(int status, String why, long nowNs) {
        if (cut.compareAndSet(null, new Cut(status, why, nowNs))) {
            if (status == OUT_OF_TIME) {
                counters.increment(ArchiveCounter.QUERY_OUT_OF_TIME);
            }
            FoundItems running = query;
            if (running != null) {
                running.cancel();
            }
        }
    }

    /**
     * Answers the question. A peer receives the begin of its answer at once, before the permit: so the peer knows early
     * whether all nodes have accepted its question.
     */
    @Override
    public void run() {
        if (asked.isForPeer() ? !out.begin() : isRefused()) {
            return;
        }
        turns.acquireUninterruptibly();
        try {
            answer();
        } finally {
            turns.release();
        }
    }

    private void answer() {
        if (isRefused()) {
            return;
        }
        FoundItems made;
        try {
            made = archive.apply(asked);
        } catch (ChimeraException e) {
            refuse(BAD_REQUEST, String.valueOf(e.getMessage()));
            return;
        } catch (Throwable e) {
            failed(e);
            end(FAILED, "Internal error: " + e + ". See the log for details.");
            return;
        }
        out.contentType(asked.contentType(made));
        if (asked.isOfCluster()) {
            out.trailers(QueryService.ABSENT_TRAILER);
        }
        query = made;
        try (made) {
            // checked after query is set: a later cut cancels the query, an earlier cut is seen here
            if (!isRefused() && isPossible(made) && isPrepared(made)) {
                send(made);
            }
        } catch (Throwable e) {
            failed(e);
        } finally {
            out.close();
        }
    }

    private boolean isPossible(FoundItems made) {
        AnswerFormat format = asked.formatOf(made);
        if (!asked.isExplained() && format.isOfPackets() && !(made instanceof FoundPackets)) {
            refuse(BAD_REQUEST, String.valueOf(QueryAnswer.noPackets().getMessage()));
            return false;
        }
        if (!asked.isExplained() && format == AnswerFormat.POINTS && !(made instanceof FoundPoints)) {
            refuse(BAD_REQUEST, String.valueOf(QueryAnswer.noPoints().getMessage()));
            return false;
        }
        return true;
    }

    /** A refusal with a status is possible only before the first part is sent. */
    private boolean isPrepared(FoundItems made) {
        try {
            made.prepare();
            return true;
        } catch (ChimeraException e) {
            refuse(BAD_REQUEST, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private boolean isRefused() {
        Cut now = cut.get();
        if (now != null) {
            refuse(now.status, now.why);
        }
        return now != null;
    }

    /** Once an answer has begun, only a cut connection can report a failure. */
    private void send(FoundItems from) {
        try {
            QueryProgress progress = write(from);
            count(from, progress);
            Cut now = cut.get();
            if (now != null) {
                throw new ChimeraException(Category.WARN, now.why);
            }
            if (progress.damaged() > 0 && !asked.isForPeer()) {
                throw new ChimeraException(
                        Category.ERROR,
                        progress.damaged() + " intervals cannot be read, the first in " + progress.damage());
            }
            out.end(trailers(from));
        } catch (ChimeraException e) {
            counters.increment(ArchiveCounter.QUERY_FAILED);
            Cut now = cut.get();
            String why = now == null ? String.valueOf(e.getMessage()) : now.why;
            LOG.warn(
                    "Answer ended early: filter='{}' reason={}",
                    asked.question().filter(),
                    why);
            cutOff(from, why);
        }
    }

    /** Names the nodes that did not answer. */
    private Map<String, String> trailers(FoundItems from) {
        if (from.nodes().isEmpty()) {
            return Map.of();
        }
        List<Absent> absent = from.nodes().get().absent();
        counters.add(ArchiveCounter.SHARED_NODES_ABSENT, absent.size());
        return Map.of(
                QueryService.ABSENT_TRAILER,
                absent.isEmpty() ? "none" : absent.stream().map(Absent::id).collect(Collectors.joining(", ")));
    }

    private QueryProgress write(FoundItems from) {
        if (asked.isExplained() && from instanceof ArchiveQuery<?> archived) {
            return new ExplanationAnswer(archived, out).write(asked.formatOf(from));
        }
        return new QueryAnswer(from, out, ignored -> {})
                .write(asked.formatOf(from), asked.resolution(), asked.bytesMax());
    }

    /**
     * Without a match, answers with the reason for the cut; otherwise sends the matches so far, and the reason where
     * the format allows it.
     */
    private void cutOff(FoundItems from, String why) {
        Cut now = cut.get();
        if (now != null
                && from.progress().found() == 0
                && out.respond(now.status, headers(now.status), QueryAnswer.error(why))) {
            return;
        }
        tell(asked.formatOf(from), why);
        out.cutOff();
    }

    private void tell(AnswerFormat format, String why) {
        try {
            switch (format) {
                case JSON, CONNECTIONS -> out.write(QueryAnswer.error(why));
                case TEXT -> out.write(("Incomplete: " + why + "\n").getBytes(StandardCharsets.UTF_8));
                case PACKETS, POINTS -> PeerParts.fail(out, why);
                default -> {} // a broken transfer is the only signal
            }
        } catch (IOException | ChimeraException e) {
            LOG.debug("The client disconnected before the error was sent.", e);
        }
    }

    private void failed(Throwable e) {
        counters.increment(ArchiveCounter.QUERY_FAILED);
        LOG.error("Internal error in an answer: filter='{}'", asked.question().filter(), e);
    }

    private void count(FoundItems from, QueryProgress progress) {
        counters.add(
                from instanceof FoundPackets ? ArchiveCounter.QUERY_PACKETS : ArchiveCounter.QUERY_POINTS,
                progress.found());
        counters.add(ArchiveCounter.QUERY_INTERVALS_READ, progress.intervals());
        counters.add(ArchiveCounter.QUERY_INTERVALS_SKIPPED, progress.skipped());
        counters.add(ArchiveCounter.QUERY_INTERVALS_DAMAGED, progress.damaged());
    }

    private void refuse(int status, String why) {
        counters.increment(ArchiveCounter.QUERY_REFUSED);
        end(status, why);
    }

    /** An answer to a peer has already begun, so the reason goes into the answer instead of a status. */
    private void end(int status, String why) {
        AnswerFormat format = asked.format();
        boolean isSent = out.respond(status, headers(status), QueryAnswer.error(why));
        if (!isSent && format != null && format.isForPeer()) {
            tell(format, why);
            out.cutOff();
        }
    }

    private static Map<String, String> headers(int status) {
        return status == UNAVAILABLE ? JSON_RETRY : JSON;
    }
}
