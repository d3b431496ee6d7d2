package io.chimera.dataset.format;

import java.io.IOException;
import java.util.List;

/**
 * A file format of data sets: finds the splits of an object, and reads the events of a split. The splits of an object
 * are found without reading the events, and each split is read without reading the splits before it. Together the
 * splits of an object contain each event once, and the events of a split are always the same, in the same order.
 * Immutable; any thread.
 */
public interface EventFormat {
    /**
     * Finds the splits of an object.
     *
     * @param object the object, with at least one byte
     * @param targetLength wished length of a split in bytes as stored, at least 1; a split may be longer when the
     *     format cannot cut there
     * @return ranges in ascending order without gaps, which together cover the object
     * @throws IOException when the object cannot be read
     * @throws FormatException when the object is damaged
     */
    List<ByteRange> splits(ObjectBytes object, long targetLength) throws IOException;

    /**
     * Opens a split.
     *
     * @param object the object
     * @param range one of the ranges that {@link #splits} returned for the object
     * @return reader before the first event; the caller closes the reader
     * @throws IOException when the object cannot be read
     * @throws FormatException when the object is damaged
     */
    EventReader open(ObjectBytes object, ByteRange range) throws IOException;

    /**
     * Returns whether the borders of an object's splits are right by themselves. Otherwise a border was found by a
     * search, and only the reader of the split before proves the border: if a split cannot be read, the results of the
     * splits after it in the same object must not be used.
     *
     * @param path path of the object
     */
    boolean hasIndependentSplits(String path);

    /** Returns whether each split is read from its first to its last byte, so that bytes can be requested ahead. */
    default boolean readsInOrder() {
        return false;
    }
}
