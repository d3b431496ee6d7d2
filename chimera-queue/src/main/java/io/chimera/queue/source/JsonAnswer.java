package io.chimera.queue.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.chimera.common.channel.HttpExchange;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Writes JSON answers. */
final class JsonAnswer {
    private static final JsonFactory FACTORY = new JsonFactory();
    static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json; charset=utf-8");

    private JsonAnswer() {}

    @FunctionalInterface
    interface Members {
        void writeTo(JsonGenerator json) throws IOException;
    }

    /** Answers with a JSON object. */
    static void respond(HttpExchange exchange, int status, Map<String, String> headers, Members members) {
        Map<String, String> all = new HashMap<>(HEADERS);
        all.putAll(headers);
        exchange.respond(status, all, object(members));
    }

    /** Encodes a JSON object; an unpaired surrogate in a text becomes a question mark. */
    static byte[] object(Members members) {
        // a generator of bytes would throw an exception for an unpaired surrogate
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            json.writeStartObject();
            members.writeTo(json);
            json.writeEndObject();
            json.writeRaw('\n');
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
