package io.chimera.archive.server;

import io.chimera.archive.query.Question;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.common.channel.HttpExchange;
import io.chimera.common.cluster.archive.ArchiveKind;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.jni.capture.PcapWriter.Resolution;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Parses questions from HTTP requests, in the formats of Chimera and of stenographer. */
final class QuestionRequest {
    private static final String TIMEOUT = "timeout";
    private static final String TIMEOUT_HEADER = "Query-Timeout";
    private static final int TEXT_SHOWN_MAX = 64;

    private QuestionRequest() {}

    /**
     * Parses a question.
     *
     * @param nowNs reference time for relative times such as "5m ago", ns since 1970
     * @param timeMax maximum time limit of an answer
     * @throws ChimeraException with a description of the invalid part
     */
    static AskedQuestion read(HttpExchange exchange, long nowNs, Duration timeMax) {
        String text = new String(exchange.body(), 0, exchange.bodyLength(), StandardCharsets.UTF_8);
        Duration time = time(exchange, timeMax);
        return exchange.path().equals(QueryService.STENOGRAPHER_PATH)
                ? stenographer(exchange, Question.parse(text, nowNs), time)
                : own(exchange, Question.parse(text, nowNs), time);
    }

    private static AskedQuestion own(HttpExchange exchange, Question question, Duration time) {
        boolean isExplained = isYes(exchange, "explain");
        String name = exchange.parameter("format");
        AnswerFormat format = name == null
                ? null
                : AnswerFormat.of(name)
                        .orElseThrow(() -> refusal("Unknown format " + shown(name)
                                + "; expected pcap, json, connections, text or count."));
        boolean isOfCluster = isOfCluster(exchange.parameter("scope"));
        if (isExplained && isOfCluster) {
            throw refusal("explain works on a single recorder only; query without scope=cluster.");
        }
        if (isOfCluster && (format == AnswerFormat.PACKETS || format == AnswerFormat.POINTS)) {
            throw refusal("The format " + format + " is for transfers between nodes only; use another format.");
        }
        return new AskedQuestion(
                question,
                format,
                Resolution.NANOSECONDS,
                Long.MAX_VALUE,
                time,
                isExplained,
                isOfCluster,
                kind(exchange, format, isOfCluster));
    }

    private static Optional<ArchiveKind> kind(
            HttpExchange exchange, @Nullable AnswerFormat format, boolean isOfCluster) {
        String name = exchange.parameter("kind");
        if (name != null && !isOfCluster) {
            throw refusal("The parameter kind requires scope=cluster; on a single node, name a stream.");
        }
        if (name != null && ArchiveKind.of(name).isEmpty()) {
            throw refusal("Unknown kind " + shown(name) + "; expected packets or points.");
        }
        return name == null ? kindOf(format) : ArchiveKind.of(name);
    }

    private static Optional<ArchiveKind> kindOf(@Nullable AnswerFormat format) {
        if (format == AnswerFormat.POINTS) {
            return Optional.of(ArchiveKind.POINTS);
        }
        return format != null && format.isOfPackets() ? Optional.of(ArchiveKind.PACKETS) : Optional.empty();
    }

    private static boolean isOfCluster(String scope) {
        if (scope == null || scope.equals("node") || scope.equals("cluster")) {
            return "cluster".equals(scope);
        }
        throw refusal("Unknown scope " + shown(scope) + "; expected node or cluster.");
    }

    private static boolean isYes(HttpExchange exchange, String parameter) {
        String text = exchange.parameter(parameter);
        return switch (text == null ? "0" : text) {
            case "1", "true", "" -> true;
            case "0", "false" -> false;
            default -> throw refusal("The parameter " + parameter + " must be 1 or 0, not '" + shown(text) + "'.");
        };
    }

    /** Parses a request of a stenographer client, with its limits in headers. */
    private static AskedQuestion stenographer(HttpExchange exchange, Question question, Duration time) {
        long packetsMax = number(exchange, "Steno-Limit-Packets");
        long bytesMax = number(exchange, "Steno-Limit-Bytes");
        return new AskedQuestion(
                new Question(
                        question.filter(),
                        question.stream(),
                        question.afterNs(),
                        question.beforeNs(),
                        Math.min(packetsMax, question.limit())),
                AnswerFormat.PCAP,
                Resolution.MICROSECONDS,
                bytesMax,
                time,
                false,
                false,
                Optional.of(ArchiveKind.PACKETS));
    }

    private static long number(HttpExchange exchange, String header) {
        String text = exchange.header(header);
        if (text == null) {
            return Long.MAX_VALUE;
        }
        if (!text.matches("[0-9]{1,18}")) {
            throw refusal("The header " + header + " must be a whole number, not '" + shown(text) + "'.");
        }
        return Long.parseLong(text);
    }

    private static Duration time(HttpExchange exchange, Duration timeMax) {
        String parameter = exchange.parameter(TIMEOUT);
        String text = parameter == null ? exchange.header(TIMEOUT_HEADER) : parameter;
        if (text == null) {
            return timeMax;
        }
        try {
            Duration time = Durations.parse(text);
            if (!time.isZero() && time.compareTo(timeMax) <= 0) {
                return time;
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            // refused like a time over the limit
        }
        throw refusal("The timeout must be a duration such as 30s, at most " + Durations.format(timeMax) + ", not '"
                + shown(text) + "'.");
    }

    /** Truncates foreign text for a message. */
    private static String shown(String text) {
        return text.length() <= TEXT_SHOWN_MAX ? text : text.substring(0, TEXT_SHOWN_MAX) + "...";
    }

    private static ChimeraException refusal(String message) {
        return new ChimeraException(Category.WARN, message);
    }
}
