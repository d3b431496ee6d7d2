package io.chimera.queue.journal.offline;

import io.chimera.common.cluster.JournalGroup;
import io.chimera.common.cluster.PastCycle;
import io.chimera.common.cluster.Positions;
import io.chimera.common.cluster.control.ControlCodec;
import io.chimera.common.cluster.control.ControlState;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.folder.ControlFile;
import io.chimera.queue.journal.folder.CycleFile;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.JournalLabel;
import io.chimera.queue.journal.folder.LowWaterFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Facts about the cluster's cycles in the folder of a journal. Reading changes no file and is allowed beside a running
 * node.
 *
 * @param node id of the queue node that owns the folder
 * @param group journal group of the queue node
 * @param copy copy of the control state; {@link ControlState#NONE} without a copy
 * @param mark low-water mark by stream
 * @param notes noted cycles by number
 * @param trouble unreadable part, as a sentence; empty when everything was readable
 */
public record JournalEvidence(
        String node,
        JournalGroup group,
        ControlState copy,
        Positions mark,
        SortedMap<Long, PastCycle> notes,
        Optional<String> trouble) {
    /**
     * Reads a folder.
     *
     * @param named data folder of a queue node, or its journal folder
     * @throws ChimeraException when there is no journal
     */
    public static JournalEvidence of(Path named) {
        try {
            return read(JournalDirectory.find(named));
        } catch (IOException e) {
            throw unreadable(named, e);
        }
    }

    /**
     * Returns whether a journal may hold a record, or its node was registered: a start that failed leaves a journal
     * without both.
     *
     * @param journal journal folder; may be missing
     * @throws ChimeraException when the folder cannot be read
     */
    public static boolean isUsed(Path journal) {
        try {
            if (!Files.isDirectory(journal)) {
                return false;
            }
            for (Path start : JournalDirectory.starts(journal)) {
                if (!JournalDirectory.files(start).isEmpty()) {
                    return true;
                }
            }
            JournalEvidence evidence = read(journal);
            return evidence.trouble().isPresent()
                    || evidence.copy().roster().ids().contains(evidence.node());
        } catch (IOException e) {
            throw unreadable(journal, e);
        }
    }

    private static ChimeraException unreadable(Path folder, IOException e) {
        return new ChimeraException(
                Category.ERROR, "The journal " + folder + " cannot be read: " + e + ". Check the disk.", e);
    }

    private static JournalEvidence read(Path folder) throws IOException {
        Optional<String> trouble = Optional.empty();
        ControlState copy = ControlState.NONE;
        Path control = folder.resolve(ControlFile.NAME);
        if (Files.exists(control)) {
            try {
                copy = ControlCodec.decode(Files.readAllBytes(control), control.toString());
            } catch (ChimeraException e) {
                trouble = Optional.of(Objects.requireNonNull(e.getMessage(), "a ChimeraException has a message"));
            }
        }
        Positions mark = new LowWaterFile(folder).look().orElse(Positions.NONE);
        SortedMap<Long, PastCycle> notes = new TreeMap<>();
        Path cycles = folder.resolve(CycleFile.NAME);
        if (Files.exists(cycles)) {
            CycleFile.decodeAll(new String(Files.readAllBytes(cycles), StandardCharsets.UTF_8))
                    .forEach(cycle -> {
                        if (!cycle.equals(notes.get(cycle.number()))) {
                            notes.tailMap(cycle.number()).clear(); // a new history begins
                            notes.put(cycle.number(), cycle);
                        }
                    });
        }
        return new JournalEvidence(
                JournalLabel.nodeOf(folder), JournalLabel.groupOf(folder), copy, mark, notes, trouble);
    }
}
