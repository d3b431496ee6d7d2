package io.chimera.node.archive.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.chimera.apps.forensics.Statement;
import io.chimera.archive.query.Question;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Errors for recorders with faulty answers. */
final class RecorderWitnessTest {
    private static final Question QUESTION = new Question("udp", "", Long.MIN_VALUE, Long.MAX_VALUE, 1);
    private static final String WHOLE =
            "{\"query\":{\"packets\":0,\"intervals_read\":3,\"intervals_skipped\":4,\"intervals_damaged\":0}}\n";

    private ServerSocket server;
    private Thread thread;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException, InterruptedException {
        server.close();
        if (thread != null) {
            thread.join();
        }
    }

    /** Answers one query with a text, then hangs or disconnects. */
    private RecorderWitness answering(String answer, boolean isHanging, Duration silenceMax) {
        thread = new Thread(() -> {
            try (Socket socket = server.accept()) {
                InputStream in = socket.getInputStream();
                byte[] asked = new byte[4096];
                StringBuilder text = new StringBuilder();
                while (!text.toString().contains("udp")) {
                    text.append(new String(asked, 0, in.read(asked), US_ASCII));
                }
                socket.getOutputStream().write(answer.getBytes(US_ASCII));
                while (isHanging && in.read(asked) >= 0) {
                    // until the client disconnects
                }
            } catch (IOException e) {
                // closed by the test
            }
        });
        thread.start();
        return new RecorderWitness(Endpoint.parse("127.0.0.1:" + server.getLocalPort()), silenceMax);
    }

    private static String head(int length) {
        return "HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n";
    }

    @Test
    void aWholeAnswerIsTaken() {
        Statement said = answering(head(WHOLE.length()) + WHOLE, false, Duration.ofSeconds(20))
                .ask(QUESTION);
        assertThat(said).isEqualTo(new Statement(List.of(), 0, 3, 4));
    }

    @Test
    void oneThatTakesTheQuestionAndSaysNothingIsGivenUpByName() {
        RecorderWitness witness = answering("", true, Duration.ofMillis(300));
        assertThatThrownBy(() -> witness.ask(QUESTION))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(witness.name())
                .hasMessageContaining("sent nothing for 300ms");
    }

    @Test
    void oneThatFallsSilentWithinItsAnswerIsGivenUpByName() {
        RecorderWitness witness = answering(head(WHOLE.length()) + "{\"query\":", true, Duration.ofMillis(300));
        assertThatThrownBy(() -> witness.ask(QUESTION))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining(witness.name())
                .hasMessageContaining("sent nothing for 300ms");
    }

    @Test
    void anAnswerThatIsShorterThanItsLengthIsNotWhole() {
        RecorderWitness witness = answering(head(WHOLE.length() + 1) + WHOLE, false, Duration.ofSeconds(20));
        assertThatThrownBy(() -> witness.ask(QUESTION))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("incomplete")
                .hasMessageContaining(witness.name());
    }

    @Test
    void anAnswerInPartsThatIsCutOffBehindItsLastObjectIsNotWhole() {
        String parts = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(WHOLE.length())
                + "\r\n" + WHOLE + "\r\n";
        RecorderWitness witness = answering(parts, false, Duration.ofSeconds(20));
        assertThatThrownBy(() -> witness.ask(QUESTION))
                .isInstanceOf(ChimeraException.class)
                .hasMessageContaining("incomplete");
    }

    @Test
    void aRefusalSaysWhy() {
        String why = "{\"error\":\"Too many questions wait; ask again later.\"}";
        RecorderWitness witness = answering(
                "HTTP/1.1 503 Service Unavailable\r\nContent-Length: " + why.length() + "\r\n\r\n" + why,
                false,
                Duration.ofSeconds(20));
        assertThatThrownBy(() -> witness.ask(QUESTION))
                .isInstanceOf(ChimeraException.class)
                .hasMessage(witness.name() + ": Too many questions wait; ask again later.");
    }
}
