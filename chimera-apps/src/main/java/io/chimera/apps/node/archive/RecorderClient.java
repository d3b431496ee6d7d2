package io.chimera.apps.node.archive;

import io.chimera.apps.archive.AnswerFormat;
import io.chimera.apps.archive.QueryService;
import io.chimera.apps.node.Json;
import io.chimera.archive.query.Question;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Asks a recorder. */
final class RecorderClient {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final Endpoint recorder;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_MAX)
            .build();

    RecorderClient(Endpoint recorder) {
        this.recorder = recorder;
    }

    /**
     * Asks, and writes down what is answered.
     *
     * @throws ChimeraException when nobody answers, the question is refused, or the answer is cut off
     */
    void ask(Question question, AnswerFormat format, OutputStream out) throws InterruptedException {
        URI address = URI.create("http://" + recorder + QueryService.PATH + "?format=" + format);
        HttpRequest request = HttpRequest.newBuilder(address)
                .POST(BodyPublishers.ofString(question.text()))
                .build();
        HttpResponse<InputStream> answer;
        try {
            answer = client.send(request, BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "Nobody answers at " + address + " (" + e.getClass().getSimpleName()
                            + "); is a recorder running with --http " + recorder + "?",
                    e);
        }
        try (InputStream body = answer.body()) {
            if (answer.statusCode() != 200) {
                String said = new String(body.readAllBytes(), StandardCharsets.UTF_8);
                throw new ChimeraException(
                        Category.ERROR,
                        Json.read(address.toString(), said).path("error").asText(said));
            }
            body.transferTo(out);
            out.flush();
        } catch (IOException e) {
            throw new ChimeraException(
                    Category.ERROR,
                    "The answer is not whole: the recorder ended it early, and its log says why; or it is gone.",
                    e);
        }
    }
}
