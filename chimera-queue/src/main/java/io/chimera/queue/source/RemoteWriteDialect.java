package io.chimera.queue.source;

import io.chimera.common.channel.HttpExchange;
import io.chimera.queue.source.reject.RejectList;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Answers to remote write: text, and in version 2.0 the number of written elements in headers. */
enum RemoteWriteDialect implements HttpDialect {
    /** Remote write 1.0, without counts. */
    V1 {
        @Override
        Map<String, String> counts(Written written) {
            return Map.of();
        }
    },

    /** Remote write 2.0. Senders take an answer without counts as nothing written. */
    V2 {
        @Override
        Map<String, String> counts(Written written) {
            return Map.of(
                    PREFIX + "Samples-Written", String.valueOf(written.samples()),
                    PREFIX + "Histograms-Written", String.valueOf(written.histograms()),
                    PREFIX + "Exemplars-Written", String.valueOf(written.exemplars()));
        }
    };

    private static final String PREFIX = "X-Prometheus-Remote-Write-";
    private static final Map<String, String> TEXT = Map.of("Content-Type", "text/plain; charset=utf-8");

    /** Reasons in an answer; senders log the first 256 to 1,024 bytes of an answer. */
    private static final int REASONS_MAX = 5;

    /** Builds the headers with counts. */
    abstract Map<String, String> counts(Written written);

    @Override
    public void accepted(HttpExchange exchange, Written written) {
        exchange.respond(204, counts(written), new byte[0]);
    }

    @Override
    public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
        StringBuilder text = new StringBuilder()
                .append(rejects.count())
                .append(" rejected, ")
                .append(written.samples())
                .append(" samples written");
        String separator = ": ";
        for (RejectList.Reject reject :
                rejects.kept().subList(0, Math.min(REASONS_MAX, rejects.kept().size()))) {
            text.append(separator)
                    .append("series ")
                    .append(reject.line())
                    .append(": ")
                    .append(reject.reason());
            separator = "; ";
        }
        respond(exchange, 400, counts(written), text.toString());
    }

    @Override
    public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
        respond(exchange, status, HttpDialect.retryAfter(retrySeconds), reason);
    }

    /** Sends a text. */
    static void respond(HttpExchange exchange, int status, Map<String, String> headers, String text) {
        exchange.respond(status, headers(headers), bytes(text));
    }

    /** Builds the headers of a text. */
    static Map<String, String> headers(Map<String, String> more) {
        Map<String, String> all = new HashMap<>(TEXT);
        all.putAll(more);
        return all;
    }

    /** Encodes a text. */
    static byte[] bytes(String text) {
        return (text + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
