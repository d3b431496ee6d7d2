package io.chimera.dataset.source;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A place with the objects of a data set: a folder, an HTTP server, a bucket, an XRootD server. Any number of threads
 * call a source at the same time; each call blocks the calling thread, at most for the time limits of the source. A
 * source makes one attempt per call: the caller retries, by the rule of {@link SourceFault#isRetryable}.
 */
public interface DataSource extends AutoCloseable {
    /**
     * Returns the place for messages and metrics.
     *
     * @return address without credentials and without query
     */
    String place();

    /**
     * Lists objects.
     *
     * @param pattern path below the root, with {@code *} for any text within a folder and {@code **} for any folders;
     *     a source that cannot list accepts only patterns without {@code *}
     * @return objects ordered by path; empty when none matches
     * @throws SourceException when the source cannot be listed now, or not at all
     */
    List<DataObject> list(String pattern) throws SourceException;

    /**
     * Reads a range of an object, from the position to the limit of the buffer. On return the buffer is full. After an
     * exception the content of the buffer is undefined.
     *
     * @param object the object as listed; the read fails with {@link SourceFault#CHANGED} when the source can tell that
     *     the content is another now
     * @param offset offset of the first byte in the object; the range lies within the object
     * @param into receives the bytes
     * @throws SourceException when the bytes cannot be read now, or not at all
     */
    void read(DataObject object, long offset, ByteBuffer into) throws SourceException;

    /** Closes all connections. Reads under way fail. */
    @Override
    void close();
}
