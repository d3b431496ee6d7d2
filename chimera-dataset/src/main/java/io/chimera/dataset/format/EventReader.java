package io.chimera.dataset.format;

import io.chimera.api.spi.PointSink;
import java.io.IOException;

/** Reads the events of one split in order. One thread. */
public interface EventReader extends AutoCloseable {
    /**
     * Reads some events and hands their points to the sink. A bad event is rejected through the sink.
     *
     * @param sink destination of the points, always the same; never full
     * @return false when the split has no more events
     * @throws IOException when the object cannot be read
     * @throws FormatException when the object is damaged; the events so far are valid
     */
    boolean read(PointSink sink) throws IOException;

    /** Releases buffers and decoders; not the object. */
    @Override
    void close();
}
