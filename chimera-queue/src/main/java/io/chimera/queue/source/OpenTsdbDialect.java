package io.chimera.queue.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.chimera.common.channel.HttpExchange;
import io.chimera.queue.source.reject.RejectList;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;

/** Answers of OpenTSDB to {@code POST /api/put}. */
enum OpenTsdbDialect implements HttpDialect {
    /** Without parameters: no content, or an error without details. */
    PLAIN {
        @Override
        public void accepted(HttpExchange exchange, Written written) {
            exchange.respond(204, Map.of(), new byte[0]);
        }

        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            String first = rejects.kept().get(0).reason();
            error(
                    exchange,
                    400,
                    Map.of(),
                    "One or more data points had errors: " + rejects.count() + " rejected, " + written.samples()
                            + " stored",
                    "The first error: " + first + ". The parameter details names each rejected data point."
                            + (rejects.hint().isEmpty() ? "" : " " + rejects.hint()));
        }
    },

    /** Parameter {@code summary}: the numbers of data points. */
    SUMMARY {
        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            JsonAnswer.respond(exchange, 400, Map.of(), json -> counts(json, rejects.count(), written.samples()));
        }
    },

    /** Parameter {@code details}: the numbers, and the rejected data points with their errors. */
    DETAILS {
        @Override
        void none(JsonGenerator json) throws IOException {
            json.writeArrayFieldStart("errors");
            json.writeEndArray();
        }

        @Override
        public void rejected(HttpExchange exchange, RejectList rejects, Written written) {
            JsonAnswer.respond(exchange, 400, Map.of(), json -> {
                json.writeArrayFieldStart("errors");
                for (RejectList.Reject reject : rejects.kept()) {
                    json.writeStartObject();
                    json.writeFieldName("datapoint");
                    dataPoint(json, reject.text());
                    json.writeStringField("error", reject.reason());
                    json.writeEndObject();
                }
                json.writeEndArray();
                counts(json, rejects.count(), written.samples());
            });
        }
    };

    /** Writes escapes, so that an unpaired surrogate of the sender stays an escape. */
    private static final JsonFactory FACTORY =
            JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

    /** Writes the members of a success besides the numbers. */
    void none(JsonGenerator json) throws IOException {}

    @Override
    public void accepted(HttpExchange exchange, Written written) {
        JsonAnswer.respond(exchange, 200, Map.of(), json -> {
            none(json);
            counts(json, 0, written.samples());
        });
    }

    @Override
    public void refused(HttpExchange exchange, int status, int retrySeconds, String reason) {
        error(exchange, status, HttpDialect.retryAfter(retrySeconds), reason, "");
    }

    /** Selects the answers by the parameters of the request. */
    static OpenTsdbDialect of(HttpExchange exchange) {
        if (exchange.parameter("details") != null) {
            return DETAILS;
        }
        return exchange.parameter("summary") == null ? PLAIN : SUMMARY;
    }

    private static void counts(JsonGenerator json, long failed, long success) throws IOException {
        json.writeNumberField("failed", failed);
        json.writeNumberField("success", success);
    }

    /** Repeats a data point as JSON; a text that is cut off or invalid becomes a string. */
    private static void dataPoint(JsonGenerator json, String text) throws IOException {
        StringWriter copy = new StringWriter();
        try (JsonParser parser = FACTORY.createParser(text);
                JsonGenerator copied = FACTORY.createGenerator(copy)) {
            parser.nextToken();
            copied.copyCurrentStructure(parser);
        } catch (JsonProcessingException e) {
            json.writeString(text);
            return;
        }
        json.writeRawValue(copy.toString());
    }

    /** Sends an error in the format of OpenTSDB. */
    static void error(HttpExchange exchange, int status, Map<String, String> headers, String message, String details) {
        JsonAnswer.respond(exchange, status, headers, json -> error(json, status, message, details));
    }

    /** Writes an error in the format of OpenTSDB. */
    static void error(JsonGenerator json, int status, String message, String details) throws IOException {
        json.writeObjectFieldStart("error");
        json.writeNumberField("code", status);
        json.writeStringField("message", message);
        if (!details.isEmpty()) {
            json.writeStringField("details", details);
        }
        json.writeEndObject();
    }
}
