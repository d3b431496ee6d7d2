package io.chimera.processor.staging.sketch;

import org.agrona.DirectBuffer;

/**
 * A sketch in a form that can be worked with: made of its image, which is what a warehouse keeps, and made an image again. One
 * thread.
 */
public interface Sketch {
    /**
     * Takes items as {@link SketchKind#putItem} wrote them, one behind the other.
     *
     * @param items holds them
     * @param offset index of the first byte
     * @param end index behind the last byte
     */
    void take(DirectBuffer items, int offset, int end);

    /**
     * Takes all that another sketch of the same kind has taken.
     *
     * @param from left as it is
     */
    void merge(Sketch from);

    /** The bytes that {@link SketchKind#read} makes the same sketch of: {@link SketchKind#IMAGE_LENGTH_MAX} at most. */
    byte[] image();
}
