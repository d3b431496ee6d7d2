package io.chimera.apps.forensics;

import io.chimera.apps.archive.DecodedPacket;
import io.chimera.apps.archive.Volume;
import io.chimera.archive.query.PacketInterval;
import io.chimera.archive.query.PacketQuery;
import io.chimera.archive.query.QueryProgress;
import io.chimera.archive.query.Question;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.util.ArrayList;
import java.util.List;

/** A volume that nobody writes. */
public final class VolumeWitness implements Witness {
    private final String name;
    private final Volume volume;
    private final DecodedPacket decoded = new DecodedPacket();

    /**
     * A witness.
     *
     * @param volume what it recorded; closed with this
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
        List<Seen> seen = new ArrayList<>();
        try (PacketQuery query = volume.askPackets(question)) {
            while (query.next()) {
                add(query.packet(), seen);
            }
            QueryProgress progress = query.progress();
            if (progress.damaged() > 0) {
                throw new ChimeraException(
                        Category.ERROR, "The archive of " + name + " is damaged: " + progress.damage());
            }
            return new Statement(seen, progress.found(), progress.intervals(), progress.skipped());
        }
    }

    private void add(PacketInterval packet, List<Seen> seen) {
        if (decoded.decode(packet)) {
            seen.add(new Seen(
                    packet.timeNs(),
                    decoded.source(),
                    decoded.tuple().sourcePort(),
                    decoded.destination(),
                    decoded.tuple().destinationPort()));
        }
    }

    @Override
    public void close() {
        volume.close();
    }
}
