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
    private static final int PART_BYTES = 256 << 10;
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
     * @param isExplained not the packets are wanted, but what finding them takes
     * @param target is opened once the recorder has taken the question
     * @throws IOException when the answer cannot be written
     * @throws ChimeraException when nobody answers, the question is refused, or the answer is cut off
     */
    void ask(Question question, AnswerFormat format, boolean isExplained, AnswerTarget target)
            throws IOException, InterruptedException {
        try (InputStream body = ask(question, format, isExplained);
                OutputStream out = target.open()) {
            byte[] part = new byte[PART_BYTES];
            for (int length = read(body, part); length >= 0; length = read(body, part)) {
                out.write(part, 0, length);
            }
            out.flush();
        }
    }

    /**
     * Asks.
     *
     * @param isExplained not the packets are wanted, but what finding them takes
     * @return the answer, to be closed; reading it fails where the recorder cuts it off
     * @throws ChimeraException when nobody answers, or the question is refused
     */
    InputStream ask(Question question, AnswerFormat format, boolean isExplained)
            throws IOException, InterruptedException {
        URI address = URI.create(
                "http://" + recorder + QueryService.PATH + "?format=" + format + (isExplained ? "&explain=1" : ""));
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
        if (answer.statusCode() == 200) {
            return answer.body();
        }
        try (InputStream body = answer.body()) {
            String said = refusal(body);
            throw new ChimeraException(
                    Category.ERROR,
                    Json.read(address.toString(), said).path("error").asText(said));
        }
    }

    private static String refusal(InputStream body) {
        try {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw cutOff(e);
        }
    }

    /** What the recorder fails to send is told apart from what cannot be written here. */
    private static int read(InputStream body, byte[] part) {
        try {
            return body.read(part);
        } catch (IOException e) {
            throw cutOff(e);
        }
    }

    /** The recorder did not send all. */
    static ChimeraException cutOff(IOException e) {
        return new ChimeraException(
                Category.ERROR,
                "The answer is not whole: the recorder ended it early, and its log says why; or it is gone.",
                e);
    }
}
