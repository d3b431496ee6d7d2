package io.chimera.dataset.source.xrootd;

import io.chimera.common.agent.Clock;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.connection.SharedValues;

/**
 * Open files by path and lane. Files without a reader are bounded in number and time; a file with readers stays open,
 * so that the number of open files is at most the bound and one per reading thread. Any thread.
 */
final class FileCache {
    /** A file may be retired between lookup and entry; more often than this it is not by chance. */
    private static final int LOOKUPS_MAX = 8;

    private final SharedValues<Key, RemoteFile> files = new SharedValues<>();
    private final int filesMax;
    private final long idleNs;
    private final Clock clock;

    /**
     * Identity of an open file.
     *
     * @param path absolute path
     * @param lane lane of its connection
     */
    record Key(String path, int lane) {}

    FileCache(int filesMax, long idleNs, Clock clock) {
        this.filesMax = filesMax;
        this.idleNs = idleNs;
        this.clock = clock;
    }

    /** Returns a file that the caller has entered, and opens it where necessary. */
    RemoteFile enter(Key key, SharedValues.Creator<RemoteFile> opener) throws SourceException {
        for (int lookups = 0; lookups < LOOKUPS_MAX; lookups++) {
            RemoteFile file = files.get(key, RemoteFile::isUsable, opener);
            if (file.enter()) {
                retireExcess();
                return file;
            }
        }
        throw new SourceException(
                SourceFault.UNREACHABLE, key.path() + ": the open file was lost " + LOOKUPS_MAX + " times; retry");
    }

    private void retireExcess() {
        int excess = files.size() - filesMax;
        if (excess > 0) {
            long nowNs = clock.nanoTime();
            files.removeIf(file -> file.isIdle(nowNs, 0), excess).forEach(RemoteFile::retire);
        }
    }

    /** Drops a file that has changed or is lost. */
    void drop(RemoteFile dropped) {
        files.removeIf(file -> file == dropped, 1);
        dropped.retire();
    }

    /** Closes idle files. May block for the time limits of the connections. */
    void closeIdle() {
        long nowNs = clock.nanoTime();
        files.removeIf(file -> !file.isUsable() || file.isIdle(nowNs, idleNs), Integer.MAX_VALUE)
                .forEach(RemoteFile::retire);
    }

    /** Returns the number of open files. */
    int size() {
        return files.size();
    }
}
