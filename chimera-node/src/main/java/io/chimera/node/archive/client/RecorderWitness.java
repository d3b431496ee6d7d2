package io.chimera.node.archive.client;

import io.chimera.apps.forensics.Statement;
import io.chimera.apps.forensics.Witness;
import io.chimera.archive.query.Question;
import io.chimera.archive.server.answer.AnswerFormat;
import io.chimera.archive.server.answer.AnswerReader;
import io.chimera.archive.server.answer.ConnectionDirection;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Witness for a running recorder. */
public final class RecorderWitness implements Witness {
    private final Endpoint recorder;
    private final RecorderClient client;

    /**
     * Creates a witness.
     *
     * @param silenceMax maximum wait for the next bytes of an answer
     */
    public RecorderWitness(Endpoint recorder, Duration silenceMax) {
        this.recorder = recorder;
        client = new RecorderClient(recorder, silenceMax);
    }

    @Override
    public String name() {
        return recorder.toString();
    }

    @Override
    public Statement ask(Question question) {
        try (InputStream body = client.ask(question, AnswerFormat.CONNECTIONS, false);
                AnswerReader answer = new AnswerReader(body)) {
            List<ConnectionDirection> connections = new ArrayList<>();
            while (answer.next()) {
                connections.add(answer.connection());
            }
            return new Statement(connections, answer.packets(), answer.intervalsRead(), answer.intervalsSkipped());
        } catch (IOException e) {
            throw client.cutOff(e);
        } catch (ChimeraException e) {
            throw new ChimeraException(e.category(), recorder + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        // the JDK closes idle connections of the client itself
    }
}
