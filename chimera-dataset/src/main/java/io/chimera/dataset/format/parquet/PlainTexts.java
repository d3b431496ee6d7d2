package io.chimera.dataset.format.parquet;

/** Decodes PLAIN texts: the length in four bytes, then the text. One thread. */
final class PlainTexts implements TextDecoder {
    private byte[] bytes = new byte[0];
    private int position;
    private int end;

    PlainTexts() {}

    void open(byte[] newBytes, int from, int newEnd) {
        bytes = newBytes;
        position = from;
        end = newEnd;
    }

    @Override
    public byte[] read(int[] offsets, int[] lengths, int count) {
        for (int i = 0; i < count; i++) {
            if (end - position < Integer.BYTES) {
                throw new ParquetDefect("the page ends before its values");
            }
            int length = LittleEndian.intAt(bytes, position);
            position += Integer.BYTES;
            if (length < 0 || length > end - position) {
                throw new ParquetDefect("a text of " + Integer.toUnsignedString(length) + " bytes, where the page has "
                        + (end - position));
            }
            offsets[i] = position;
            lengths[i] = TextDecoder.checkedLength(bytes, position, length);
            position += length;
        }
        return bytes;
    }
}
