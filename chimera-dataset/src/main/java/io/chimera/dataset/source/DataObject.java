package io.chimera.dataset.source;

/**
 * An object of a data set: a file, or an object of a bucket.
 *
 * @param path path below the root of the source, with {@code /} between folders and without one in front; the same path
 *     names the same content at every replica
 * @param length length in bytes
 * @param version state of the content when the object was listed
 */
public record DataObject(String path, long length, ObjectVersion version) {
    /**
     * Checks the values.
     *
     * @param path path below the root
     * @param length at least 0
     * @param version state of the content
     */
    public DataObject {
        if (path.isEmpty() || path.startsWith("/")) {
            throw new IllegalArgumentException(
                    "path \"" + path + "\"; expected a path below the root, without / in front");
        }
        if (length < 0) {
            throw new IllegalArgumentException("length " + length + " of " + path + "; expected at least 0");
        }
    }
}
