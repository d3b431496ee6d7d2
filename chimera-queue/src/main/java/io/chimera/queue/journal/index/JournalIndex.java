package io.chimera.queue.journal.index;

/**
 * Contents of a journal: its streams and its files.
 *
 * @param logs index of each stream
 * @param files files, oldest first
 */
public record JournalIndex(StreamLogs logs, RollFiles files) {
    /** Forgets a deleted file and the index entries for the file. The journaler's thread. */
    public void forget(RollFile file) {
        files.remove(file);
        file.forEachStream(logs::letGo);
    }
}
