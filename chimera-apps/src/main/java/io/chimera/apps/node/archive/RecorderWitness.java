package io.chimera.apps.node.archive;

import io.chimera.apps.archive.AnswerFormat;
import io.chimera.apps.archive.AnswerReader;
import io.chimera.apps.forensics.Seen;
import io.chimera.apps.forensics.Statement;
import io.chimera.apps.forensics.Witness;
import io.chimera.archive.query.Question;
import io.chimera.common.channel.Endpoint;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** A recorder that runs. */
final class RecorderWitness implements Witness {
    private final Endpoint recorder;
    private final RecorderClient client;

    RecorderWitness(Endpoint recorder) {
        this.recorder = recorder;
        client = new RecorderClient(recorder);
    }

    @Override
    public String name() {
        return recorder.toString();
    }

    @Override
    public Statement ask(Question question) {
        try (InputStream body = client.ask(question, AnswerFormat.JSON, false);
                AnswerReader answer = new AnswerReader(body)) {
            List<Seen> seen = new ArrayList<>();
            while (answer.next()) {
                if (answer.source() != null && answer.destination() != null) {
                    seen.add(new Seen(
                            answer.timeNs(),
                            answer.source(),
                            answer.sourcePort(),
                            answer.destination(),
                            answer.destinationPort()));
                }
            }
            return new Statement(seen, answer.packets(), answer.intervalsRead(), answer.intervalsSkipped());
        } catch (IOException e) {
            throw RecorderClient.cutOff(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ChimeraException(Category.ERROR, "Interrupted while " + recorder + " was asked.", e);
        }
    }

    @Override
    public void close() {
        // the client's connections end when nothing uses them any more
    }
}
