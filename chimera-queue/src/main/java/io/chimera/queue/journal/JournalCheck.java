package io.chimera.queue.journal;

import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * Reads a whole journal as an opening would, and changes nothing. A node may have it open meanwhile: then the end of what it
 * writes is not judged.
 *
 * @param folder of the journal
 * @param isInUse whether a node has it open
 * @param files what the files hold, oldest first
 */
public record JournalCheck(Path folder, boolean isInUse, List<FileReport> files) {
    /**
     * Checks a journal.
     *
     * @param named its folder, or the data folder of its node
     * @throws ChimeraException when there is none, or it is of another layout
     */
    public static JournalCheck of(Path named) {
        try {
            Path folder = JournalDirectory.find(named);
            boolean isInUse = JournalDirectory.isInUse(folder);
            StreamLogs logs = new StreamLogs();
            Optional<SortedMap<Long, Long>> mark = new LowWaterFile(folder).look();
            mark.ifPresent(known -> logs.raise(known, known));
            JournalScan scan = new JournalScan(logs, mark.isPresent(), ExcerptReader.make());
            scan.read(JournalDirectory.starts(folder));
            List<FileReport> files = scan.reports();
            int last = files.size() - 1;
            if (isInUse && last >= 0) {
                files.set(last, files.get(last).withoutDamage());
            }
            return new JournalCheck(folder, isInUse, List.copyOf(files));
        } catch (IOException e) {
            throw new ChimeraException(Category.ERROR, "The journal in " + named + " cannot be read: " + e + ".", e);
        }
    }

    /** Number of damaged files. */
    public long damaged() {
        return files.stream().filter(file -> file.damage().isPresent()).count();
    }
}
