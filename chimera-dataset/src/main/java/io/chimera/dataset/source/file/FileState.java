package io.chimera.dataset.source.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Kind, length and version of a file.
 *
 * @param isRegular whether the path leads to a regular file
 * @param length length in bytes
 * @param tag text with the time of modification, the length and, where the file system has inodes, the inode
 */
record FileState(boolean isRegular, long length, String tag) {
    /**
     * Reads the state of a file; follows links.
     *
     * @throws IOException when the file does not exist or cannot be read
     */
    static FileState of(Path file) throws IOException {
        if (file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            Map<String, Object> values = Files.readAttributes(file, "unix:isRegularFile,size,lastModifiedTime,ino");
            FileTime modified = (FileTime) Objects.requireNonNull(values.get("lastModifiedTime"));
            long length = (Long) Objects.requireNonNull(values.get("size"));
            boolean isRegular = (Boolean) Objects.requireNonNull(values.get("isRegularFile"));
            return new FileState(isRegular, length, tag(modified, length) + ";inode=" + values.get("ino"));
        }
        BasicFileAttributes values = Files.readAttributes(file, BasicFileAttributes.class);
        return new FileState(values.isRegularFile(), values.size(), tag(values.lastModifiedTime(), values.size()));
    }

    private static String tag(FileTime modified, long length) {
        return "modified=" + modified.to(TimeUnit.NANOSECONDS) + ";length=" + length;
    }
}
