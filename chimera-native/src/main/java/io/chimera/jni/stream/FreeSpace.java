package io.chimera.jni.stream;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Free space of the file system below a path, as reported by {@code statvfs(3)}. {@code Files.getFileStore} searches
 * the mount table first and fails if the table does not list the file system, as in a plain chroot or a container
 * without {@code /proc}.
 */
public final class FreeSpace {
    private FreeSpace() {}

    /**
     * Returns the bytes available to this user.
     *
     * @param path an existing file or folder
     * @throws IOException when the file system does not report its size; the free space is then unknown
     */
    public static long usableBytes(Path path) throws IOException {
        File file = path.toFile();
        long usable = file.getUsableSpace();
        // File reports a failure as 0, and a full file system still has a size.
        if (usable == 0 && file.getTotalSpace() == 0) {
            throw new IOException("statvfs of " + path + " failed: the free space of its file system is unknown");
        }
        return usable;
    }
}
