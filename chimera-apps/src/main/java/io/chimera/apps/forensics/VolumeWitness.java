package io.chimera.apps.forensics;

import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.archive.query.answer.PacketQuery;
import io.chimera.archive.server.answer.Connections;
import io.chimera.archive.server.volume.Volume;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;

/** Witness for a volume without a running writer. */
public final class VolumeWitness implements Witness {
    private final String name;
    private final Volume volume;

    /**
     * Creates a witness.
     *
     * @param volume recorded packets; closed together with the witness
     */
    public VolumeWitness(String name, Volume volume) {
        this.name = name;
        this.volume = volume;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Statement ask(Question question) {
        Connections connections = new Connections();
        try (PacketQuery query = volume.askPackets(question)) {
            while (query.next()) {
                connections.add(query.packet());
            }
            QueryProgress progress = query.progress();
            if (progress.damaged() > 0) {
                throw new ChimeraException(
                        Category.ERROR, "The archive of " + name + " is damaged: " + progress.damage());
            }
            return new Statement(connections.list(), progress.found(), progress.intervals(), progress.skipped());
        }
    }

    @Override
    public void close() {
        volume.close();
    }
}
