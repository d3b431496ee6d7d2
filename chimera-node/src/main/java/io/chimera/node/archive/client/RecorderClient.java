package io.chimera.node.archive.client;

import io.chimera.archive.query.Question;
import io.chimera.archive.server.QueryService;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.client.ClientToken;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.config.binding.Durations;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.node.Json;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * Client of a recorder with a persistent connection. Uses HttpURLConnection: the newer HttpClient offers no benefit
 * here, and its code would not even be compiled within the lifetime of a short command.
 */
public final class RecorderClient {
    private static final int PART_BYTES = 256 << 10;
    private static final Duration CONNECT_MAX = Duration.ofSeconds(5);

    private final Endpoint recorder;
    private final Duration silenceMax;

    /**
     * Creates a client.
     *
     * @param silenceMax maximum wait for the next bytes of an answer
     */
    public RecorderClient(Endpoint recorder, Duration silenceMax) {
        this.recorder = recorder;
        this.silenceMax = silenceMax;
    }

    /**
     * Asks a question and writes the answer to a target.
     *
     * @param isExplained true to request the cost of the search instead of the packets
     * @param target opened after the recorder has accepted the question
     * @throws IOException when the answer cannot be written
     * @throws ChimeraException when the recorder does not answer, refuses the question, or cuts off the answer
     */
    public void ask(Question question, AnswerFormat format, boolean isExplained, AnswerTarget target)
            throws IOException {
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
     * Asks a question.
     *
     * @param isExplained true to request the cost of the search instead of the packets
     * @return the answer, to be closed; a read fails if the recorder cuts off the answer or sends nothing more
     * @throws ChimeraException when the recorder does not answer or refuses the question
     */
    InputStream ask(Question question, AnswerFormat format, boolean isExplained) {
        URI address = URI.create(
                "http://" + recorder + QueryService.PATH + "?format=" + format + (isExplained ? "&explain=1" : ""));
        HttpURLConnection connection;
        try {
            connection = (HttpURLConnection) address.toURL().openConnection();
            connection.setConnectTimeout(Math.toIntExact(CONNECT_MAX.toMillis()));
            connection.setReadTimeout(Math.toIntExact(silenceMax.toMillis()));
            connection.setRequestProperty("Content-Type", "text/plain; charset=utf-8");
            String token = ClientToken.ofEnvironment();
            if (!token.isEmpty()) {
                connection.setRequestProperty("Authorization", "Bearer " + token);
            }
            connection.setDoOutput(true);
            connection.connect();
        } catch (IOException e) {
            throw nobody(address, e);
        }
        int status;
        try {
            try (OutputStream out = connection.getOutputStream()) {
                out.write(question.text().getBytes(StandardCharsets.UTF_8));
            }
            status = connection.getResponseCode();
            if (status == HttpURLConnection.HTTP_OK) {
                return new Body(connection.getInputStream(), connection.getContentLengthLong());
            }
        } catch (SocketTimeoutException e) {
            throw cutOff(e);
        } catch (IOException e) {
            throw nobody(address, e);
        }
        try (InputStream body = connection.getErrorStream()) {
            String said = body == null
                    ? "The recorder answered with HTTP status " + status + "."
                    : new String(body.readAllBytes(), StandardCharsets.UTF_8);
            throw new ChimeraException(
                    Category.ERROR,
                    said.startsWith("{")
                            ? Json.read(address.toString(), said).path("error").asText(said)
                            : said);
        } catch (IOException e) {
            throw cutOff(e);
        }
    }

    private ChimeraException nobody(URI address, IOException e) {
        return new ChimeraException(
                Category.ERROR,
                "No answer from " + address + " (" + e.getClass().getSimpleName()
                        + "). Check that a recorder is running with --http " + recorder + ".",
                e);
    }

    /**
     * Checks the announced length: the JDK accepts a closed connection as the end of an answer in spite of a content
     * length.
     */
    private static final class Body extends FilterInputStream {
        /** Negative for an answer in chunks; the JDK detects the end then. */
        private final long length;

        private long count;

        private Body(InputStream in, long length) {
            super(in);
            this.length = length;
        }

        @Override
        public int read() throws IOException {
            int value = in.read();
            counted(value < 0 ? -1 : 1);
            return value;
        }

        @Override
        public int read(byte[] into, int offset, int bytes) throws IOException {
            return counted(in.read(into, offset, bytes));
        }

        private int counted(int bytes) throws IOException {
            if (bytes < 0 && count < length) {
                throw new EOFException(count + " bytes of " + length);
            }
            count += Math.max(0, bytes);
            return bytes;
        }
    }

    /** Reads a part. Maps read errors, so that callers can distinguish them from write errors. */
    private int read(InputStream body, byte[] part) {
        try {
            return body.read(part);
        } catch (IOException e) {
            throw cutOff(e);
        }
    }

    /** Creates the error for an incomplete answer. */
    ChimeraException cutOff(IOException e) {
        return new ChimeraException(
                Category.ERROR,
                e instanceof SocketTimeoutException
                        ? "The recorder at " + recorder + " accepted the query, but sent nothing for "
                                + Durations.format(silenceMax) + "; check the load of its disk."
                        : "The answer is incomplete: the recorder at " + recorder
                                + " ended it early or stopped; see its log.",
                e);
    }
}
