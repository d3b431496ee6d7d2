package io.chimera.dataset.format.parquet;

/** Decodes DELTA_LENGTH_BYTE_ARRAY: the lengths of all texts as differences, then the texts. One thread. */
final class DeltaLengthTexts implements TextDecoder {
    private final DeltaDecoder lengthsDecoder = new DeltaDecoder();
    private final long[] scratch = new long[ParquetReader.BATCH_ROWS];
    private byte[] bytes = new byte[0];
    private int position;
    private int end;

    DeltaLengthTexts() {}

    void open(byte[] newBytes, int from, int newEnd) {
        bytes = newBytes;
        end = newEnd;
        lengthsDecoder.open(newBytes, from, newEnd);
        position = lengthsDecoder.skipAll();
        lengthsDecoder.open(newBytes, from, newEnd);
    }

    @Override
    public byte[] read(int[] offsets, int[] lengths, int count) {
        readParts(offsets, lengths, count);
        for (int i = 0; i < count; i++) {
            lengths[i] = TextDecoder.checkedLength(bytes, offsets[i], lengths[i]);
        }
        return bytes;
    }

    /** Reads texts without a look at their bytes, because parts of a text may end within a character. */
    byte[] readParts(int[] offsets, int[] lengths, int count) {
        lengthsDecoder.read(scratch, count);
        for (int i = 0; i < count; i++) {
            long length = scratch[i];
            if (length < 0 || length > end - position) {
                throw new ParquetDefect("a text of " + length + " bytes, where the page has " + (end - position));
            }
            offsets[i] = position;
            lengths[i] = (int) length;
            position += (int) length;
        }
        return bytes;
    }
}
