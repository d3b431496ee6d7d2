package io.chimera.dataset.plan;

/**
 * Amount of data of a job, or of the rest of a job.
 *
 * @param bytes length of all splits to compute, as stored at the source
 * @param splitBytes mean length of a split
 * @param copiedBytes part of {@code bytes} with a copy on the data nodes: kept from an earlier job, or copied by the
 *     running job. No strategy reads these bytes from the source
 */
public record DataSetExtent(long bytes, long splitBytes, long copiedBytes) {
    /**
     * Checks the values.
     *
     * @param bytes at least 1
     * @param splitBytes at least 1
     * @param copiedBytes 0 to {@code bytes}
     */
    public DataSetExtent {
        if (bytes < 1 || splitBytes < 1 || copiedBytes < 0 || copiedBytes > bytes) {
            throw new IllegalArgumentException(bytes + " bytes in splits of " + splitBytes + ", " + copiedBytes
                    + " copied; expected positive lengths, and no more copied than there is");
        }
        splitBytes = Math.min(splitBytes, bytes);
    }

    /** Returns the bytes to read from the source. */
    long farBytes() {
        return bytes - copiedBytes;
    }

    /** Returns the number of splits. */
    long splits() {
        return (bytes - 1) / splitBytes + 1;
    }
}
