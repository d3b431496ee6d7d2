package io.chimera.processor.staging.sketch;

import org.agrona.DirectBuffer;

/** A sketch as an object: decoded from the image kept by a warehouse, and encoded to an image again. One thread. */
public interface Sketch {
    /**
     * Adds consecutive items written by {@link SketchKind#putItem}.
     *
     * @param items buffer with the items
     * @param offset index of the first byte
     * @param end index after the last byte
     */
    void take(DirectBuffer items, int offset, int end);

    /**
     * Merges another sketch of the same kind into this sketch.
     *
     * @param from sketch to merge; stays unchanged
     */
    void merge(Sketch from);

    /** Encodes the sketch for {@link SketchKind#read}: at most {@link SketchKind#IMAGE_LENGTH_MAX} bytes. */
    byte[] image();
}
