package io.chimera.apps.archive;

import io.chimera.archive.query.ArchiveQuery;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.agent.Clock;
import io.chimera.common.channel.HttpAnswer;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.channel.HttpHandler;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.common.metrics.ArchiveCounter;
import io.chimera.common.metrics.Counters;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers questions over HTTP beside the writer, a few at a time, each on a thread of its own. The question is the body of a POST;
 * {@link #PATH} answers in the format that the parameter {@code format} names, {@link #STENOGRAPHER_PATH} as stenographer does: with a
 * capture file, and within what its headers allow. Answers are sent as they are found, so one that fails is cut off, not ended.
 */
public final class QueryService implements HttpHandler, AutoCloseable {
    /** Questions in our own terms. */
    public static final String PATH = "/query";

    /** Questions as stenographer is asked. */
    public static final String STENOGRAPHER_PATH = "/stenographer/query";

    private static final Logger LOG = LoggerFactory.getLogger(QueryService.class);
    private static final int THREADS = 2;
    private static final int WAITING_MAX = 16;
    private static final long CLOSE_SECONDS_MAX = 10;
    private static final int PART_BYTES = 256 << 10;
    private static final String JSON = "application/json";
    private static final String STOPS = "The archive stops.";

    private final Function<Question, ArchiveQuery<?>> archive;
    private final Clock clock;
    private final Counters<ArchiveCounter> counters;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING_MAX), task -> {
                Thread thread = new Thread(task, "query");
                thread.setDaemon(true);
                return thread;
            });
    private final Set<ArchiveQuery<?>> running = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    /** Answers out of a volume. */
    public QueryService(Volume volume, Clock clock, Counters<ArchiveCounter> counters) {
        this(volume::ask, clock, counters);
    }

    /** Answers with what a function finds. */
    public QueryService(Function<Question, ArchiveQuery<?>> archive, Clock clock, Counters<ArchiveCounter> counters) {
        this.archive = archive;
        this.clock = clock;
        this.counters = counters;
    }

    @Override
    public boolean handle(HttpExchange exchange) {
        String text = new String(exchange.body(), 0, exchange.bodyLength(), StandardCharsets.UTF_8);
        boolean isStenographer = exchange.path().equals(STENOGRAPHER_PATH);
        counters.increment(ArchiveCounter.QUERY_ASKED);
        try {
            Answer answer = isStenographer ? stenographer(exchange, text) : own(exchange, text);
            threads.execute(() -> answer(exchange, answer));
        } catch (ChimeraException e) {
            refuse(exchange, 400, e.getMessage());
        } catch (RejectedExecutionException e) {
            refuse(exchange, 503, isClosed ? STOPS : "Too many questions wait; ask again later.");
        }
        return true;
    }

    /** The format is null where none was named. */
    private record Answer(Question question, AnswerFormat format, Resolution resolution, long bytesMax) {
        AnswerFormat formatOf(ArchiveQuery<?> query) {
            if (format != null) {
                return format;
            }
            return query instanceof PacketQuery ? AnswerFormat.PCAP : AnswerFormat.JSON;
        }
    }

    private Answer own(HttpExchange exchange, String text) {
        String name = exchange.parameter("format");
        AnswerFormat format = name == null
                ? null
                : AnswerFormat.of(name)
                        .orElseThrow(() ->
                                refusal("There is no format " + name + "; there are pcap, json, text and count."));
        return new Answer(Question.parse(text, clock.epochNs()), format, Resolution.NANOSECONDS, Long.MAX_VALUE);
    }

    /** Its clients say in headers how much they take. */
    private Answer stenographer(HttpExchange exchange, String text) {
        Question question = Question.parse(text, clock.epochNs());
        long packetsMax = number(exchange, "Steno-Limit-Packets");
        long bytesMax = number(exchange, "Steno-Limit-Bytes");
        return new Answer(
                new Question(
                        question.filter(),
                        question.stream(),
                        question.afterNs(),
                        question.beforeNs(),
                        Math.min(packetsMax, question.limit())),
                AnswerFormat.PCAP,
                Resolution.MICROSECONDS,
                bytesMax);
    }

    private static long number(HttpExchange exchange, String header) {
        String text = exchange.header(header);
        if (text == null) {
            return Long.MAX_VALUE;
        }
        if (!text.matches("\\d{1,18}")) {
            throw refusal("The header " + header + " is a whole number, not '" + text + "'.");
        }
        return Long.parseLong(text);
    }

    private static ChimeraException refusal(String message) {
        return new ChimeraException(Category.WARN, message);
    }

    private void answer(HttpExchange exchange, Answer wanted) {
        if (isClosed) {
            refuse(exchange, 503, STOPS);
            return;
        }
        ArchiveQuery<?> query;
        try {
            query = archive.apply(wanted.question);
        } catch (ChimeraException e) {
            refuse(exchange, 400, e.getMessage());
            return;
        } catch (Throwable e) {
            failed(wanted, e);
            exchange.respond(
                    500,
                    Map.of("Content-Type", JSON),
                    QueryAnswer.error("The question failed by a defect: " + e + "; the log says where."));
            return;
        }
        running.add(query);
        try (query) {
            // only now: whoever closes cancels those that run, and sees this one or was seen by it
            if (isClosed) {
                refuse(exchange, 503, STOPS);
                return;
            }
            AnswerFormat format = wanted.formatOf(query);
            if (format == AnswerFormat.PCAP && !(query instanceof PacketQuery)) {
                refuse(exchange, 400, QueryAnswer.noCapture().getMessage());
                return;
            }
            try {
                query.prepare();
            } catch (ChimeraException e) {
                refuse(exchange, 400, e.getMessage());
                return;
            }
            try (HttpAnswer answer = exchange.respondInParts(200, Map.of("Content-Type", format.contentType()))) {
                send(query, wanted, format, answer);
            }
        } catch (Throwable e) {
            failed(wanted, e);
        } finally {
            running.remove(query);
        }
    }

    private void failed(Answer wanted, Throwable e) {
        counters.increment(ArchiveCounter.QUERY_FAILED);
        LOG.error("A defect: the answer to '{}' failed.", wanted.question.filter(), e);
    }

    /** Once an answer has begun, its connection is all there is to say that it failed. */
    private void send(ArchiveQuery<?> query, Answer wanted, AnswerFormat format, HttpAnswer answer) {
        try {
            OutputStream out = new BufferedOutputStream(new AnswerStream(answer), PART_BYTES);
            QueryProgress progress =
                    new QueryAnswer(query, out, ignored -> {}).write(format, wanted.resolution, wanted.bytesMax);
            counters.add(
                    query instanceof PacketQuery ? ArchiveCounter.QUERY_PACKETS : ArchiveCounter.QUERY_POINTS,
                    progress.found());
            count(progress);
            if (progress.damaged() > 0) {
                throw new ChimeraException(
                        Category.ERROR,
                        progress.damaged() + " intervals could not be read, the first in " + progress.damage());
            }
            if (isClosed) {
                throw new ChimeraException(Category.WARN, STOPS);
            }
            answer.end();
        } catch (ChimeraException e) {
            counters.increment(ArchiveCounter.QUERY_FAILED);
            LOG.warn("The answer to '{}' ended early: {}", wanted.question.filter(), e.getMessage());
        }
    }

    private void count(QueryProgress progress) {
        counters.add(ArchiveCounter.QUERY_INTERVALS_READ, progress.intervals());
        counters.add(ArchiveCounter.QUERY_INTERVALS_SKIPPED, progress.skipped());
        counters.add(ArchiveCounter.QUERY_INTERVALS_DAMAGED, progress.damaged());
    }

    private void refuse(HttpExchange exchange, int status, String why) {
        counters.increment(ArchiveCounter.QUERY_REFUSED);
        byte[] body = QueryAnswer.error(why);
        exchange.respond(
                status,
                status == 503 ? Map.of("Content-Type", JSON, "Retry-After", "1") : Map.of("Content-Type", JSON),
                body);
    }

    /** Takes no more questions, and waits until nobody reads the volume any more. */
    @Override
    public void close() {
        isClosed = true;
        running.forEach(ArchiveQuery::cancel);
        threads.shutdown();
        try {
            if (!threads.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("A question is still being answered after {} s.", CLOSE_SECONDS_MAX);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
