package io.chimera.dataset.format.text;

/**
 * Place of a split of lines in its object.
 *
 * @param path path of the object, for messages
 * @param offset offset of the split in the object as stored
 * @param hasHeader whether the split begins with a header
 */
record LineOrigin(String path, long offset, boolean hasHeader) {
    /** Whether the first line is a header, or belongs to the split before. */
    boolean skipsFirstLine() {
        return hasHeader || offset > 0;
    }
}
