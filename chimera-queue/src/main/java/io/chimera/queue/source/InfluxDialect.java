package io.chimera.queue.source;

import io.chimera.common.channel.HttpExchange;
import io.chimera.queue.source.reject.RejectList;
import java.util.Map;

/** Answers of InfluxDB 1.x and 2.x to a write. */
enum InfluxDialect implements HttpDialect {
    /** {@code POST /write}: the wording of InfluxDB 1.x, which clients parse. */
    V1 {
        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            StringBuilder message = new StringBuilder(written.samples() > 0 ? "partial write: " : "");
            String separator = "";
            for (RejectList.Reject reject : rejects.kept()) {
                message.append(separator)
                        .append("unable to parse '")
                        .append(reject.text())
                        .append("': ")
                        .append(reject.reason())
                        .append(" (line ")
                        .append(reject.line())
                        .append(')');
                separator = "\n";
            }
            message.append(" dropped=").append(rejects.count());
            if (!rejects.hint().isEmpty()) {
                message.append(". ").append(rejects.hint());
            }
            error(exchange, 400, Map.of(), message.toString());
        }

        @Override
        public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
            error(exchange, status, HttpDialect.retryAfter(retrySeconds), reason);
        }
    },

    /** {@code POST /api/v2/write}: a code and a message. */
    V2 {
        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            StringBuilder message = new StringBuilder()
                    .append(rejects.count())
                    .append(" of ")
                    .append(rejects.count() + written.samples())
                    .append(" points rejected, ")
                    .append(written.samples() == 0 ? "none" : "the others")
                    .append(" written");
            String separator = ": ";
            for (RejectList.Reject reject : rejects.kept()) {
                message.append(separator)
                        .append("line ")
                        .append(reject.line())
                        .append(": ")
                        .append(reject.reason());
                separator = "; ";
            }
            if (rejects.count() > rejects.kept().size()) {
                message.append("; and more");
            }
            if (!rejects.hint().isEmpty()) {
                message.append(". ").append(rejects.hint());
            }
            long line = rejects.kept().get(0).line();
            JsonAnswer.respond(exchange, 400, Map.of(), json -> {
                json.writeStringField("code", "invalid");
                json.writeStringField("message", message.toString());
                json.writeNumberField("line", line);
            });
        }

        @Override
        public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
            String code = status == 429 ? "too many requests" : "unavailable";
            coded(exchange, status, HttpDialect.retryAfter(retrySeconds), code, reason);
        }
    };

    @Override
    public void accepted(HttpExchange exchange, Written written) {
        exchange.respond(204, InfluxHttpSource.VERSION_HEADERS, new byte[0]);
    }

    /** Sends an error in the format of InfluxDB 1.x. */
    static void error(HttpExchange exchange, int status, Map<String, String> headers, String message) {
        JsonAnswer.respond(exchange, status, headers, json -> json.writeStringField("error", message));
    }

    /** Sends an error in the format of InfluxDB 2.x. */
    static void coded(HttpExchange exchange, int status, Map<String, String> headers, String code, String message) {
        JsonAnswer.respond(exchange, status, headers, json -> {
            json.writeStringField("code", code);
            json.writeStringField("message", message);
        });
    }
}
