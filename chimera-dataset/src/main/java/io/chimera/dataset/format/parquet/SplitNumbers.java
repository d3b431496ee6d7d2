package io.chimera.dataset.format.parquet;

/** Decodes BYTE_STREAM_SPLIT: first the first byte of every value, then the second bytes, and so on. One thread. */
final class SplitNumbers implements NumberDecoder {
    private final int width;
    private byte[] bytes = new byte[0];
    private int from;
    private int values;
    private int next;

    /**
     * Creates a decoder.
     *
     * @param width bytes of a value: 4 or 8
     */
    SplitNumbers(int width) {
        this.width = width;
    }

    void open(byte[] newBytes, int newFrom, int end) {
        if ((end - newFrom) % width != 0) {
            throw new ParquetDefect((end - newFrom) + " bytes for values of " + width + " bytes");
        }
        bytes = newBytes;
        from = newFrom;
        values = (end - newFrom) / width;
        next = 0;
    }

    @Override
    public void read(long[] into, int count) {
        if (count > values - next) {
            throw new ParquetDefect("the page ends before its values");
        }
        int top = width - 1;
        for (int i = 0; i < count; i++) {
            into[i] = bytes[from + top * values + next + i];
        }
        for (int k = top - 1; k >= 0; k--) {
            int stream = from + k * values + next;
            for (int i = 0; i < count; i++) {
                into[i] = (into[i] << Byte.SIZE) | (bytes[stream + i] & 0xFF);
            }
        }
        next += count;
    }
}
