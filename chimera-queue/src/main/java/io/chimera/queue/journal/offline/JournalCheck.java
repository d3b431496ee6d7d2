package io.chimera.queue.journal.offline;

import io.chimera.common.cluster.Positions;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import io.chimera.queue.journal.chronicle.JournalScan;
import io.chimera.queue.journal.folder.JournalDirectory;
import io.chimera.queue.journal.folder.LowWaterFile;
import io.chimera.queue.journal.index.StreamLogs;
import io.chimera.queue.journal.read.ExcerptReader;
import io.chimera.queue.journal.read.FileReport;
import io.chimera.queue.journal.read.StreamTally;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a whole journal, or the journals of all lanes of a node, like an opening does, without changing any file. A
 * node may have the journal open meanwhile; the check then ignores damage at the end of the file being written.
 *
 * @param folder folder of the journal; data folder of a node with the journals of several lanes
 * @param isInUse whether a node has a journal open
 * @param files contents of the files by lane, oldest first
 */
public record JournalCheck(Path folder, boolean isInUse, List<FileReport> files) {
    /**
     * Checks a journal, or the journals of all lanes of a node.
     *
     * @param named folder of the journal, or data folder of the node
     * @throws ChimeraException when there is no journal, or the journal has another layout
     */
    public static JournalCheck of(Path named) {
        try {
            List<Path> folders = JournalDirectory.findAll(named);
            boolean isInUse = false;
            List<FileReport> files = new ArrayList<>();
            for (Path folder : folders) {
                boolean isOpen = JournalDirectory.isInUse(folder);
                isInUse |= isOpen;
                files.addAll(reports(folder, isOpen));
            }
            return new JournalCheck(folders.size() == 1 ? folders.get(0) : named, isInUse, List.copyOf(files));
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The journal in " + named + " cannot be read: " + e + ".", e);
        }
    }

    private static List<FileReport> reports(Path folder, boolean isInUse) throws IOException {
        StreamLogs logs = new StreamLogs();
        Optional<Positions> mark = new LowWaterFile(folder).look();
        mark.ifPresent(known -> logs.raise(known, known));
        JournalScan scan = new JournalScan(logs, mark.isPresent(), ExcerptReader.make());
        scan.read(JournalDirectory.starts(folder));
        List<FileReport> files = scan.reports();
        int last = files.size() - 1;
        if (isInUse && last >= 0) {
            files.set(last, files.get(last).withoutDamage());
        }
        return files;
    }

    /** Number of damaged files. */
    public long damaged() {
        return files.stream().filter(file -> file.damage().isPresent()).count();
    }

    /** Number of records in all whole batches. */
    public long points() {
        return files.stream()
                .flatMap(file -> file.streams().values().stream())
                .mapToLong(StreamTally::points)
                .sum();
    }

    /** Bytes of the valid parts of all files, with the headers of batches and of the files themselves. */
    public long validBytes() {
        return files.stream().mapToLong(FileReport::validBytes).sum();
    }
}
