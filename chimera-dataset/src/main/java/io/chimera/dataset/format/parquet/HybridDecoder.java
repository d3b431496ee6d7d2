package io.chimera.dataset.format.parquet;

/**
 * Decodes the hybrid of run lengths and bit packing: definition levels, dictionary indexes and booleans. The bytes must
 * have {@link LittleEndian#SLACK} after their end. One thread.
 */
final class HybridDecoder {
    private byte[] bytes = new byte[0];
    private int position;
    private int end;
    private int width;
    private int mask;

    /** Values left of the run, and the value. */
    private long repeated;

    private int value;

    /** Values left of the packed run, and the bit of the next value. */
    private long packed;

    private long bit;

    /**
     * Starts with a sequence of runs.
     *
     * @param newWidth bits of a value, 0 to 32
     */
    void open(byte[] newBytes, int from, int newEnd, int newWidth) {
        if (newWidth < 0 || newWidth > Integer.SIZE) {
            throw new ParquetDefect("bit width " + newWidth + ", expected 0 to 32");
        }
        bytes = newBytes;
        position = from;
        end = newEnd;
        width = newWidth;
        mask = newWidth == Integer.SIZE ? -1 : (1 << newWidth) - 1;
        repeated = 0;
        packed = 0;
    }

    /** Starts with packed values of one bit without runs. */
    void openBits(byte[] newBytes, int from, int newEnd) {
        open(newBytes, from, newEnd, 1);
        packed = (long) (newEnd - from) * Byte.SIZE;
        bit = (long) from * Byte.SIZE;
        position = newEnd;
    }

    /** Skips values if all of them belong to one run of the wanted value; otherwise returns false and skips none. */
    boolean skipRun(int wanted, int count) {
        if (repeated == 0 && packed == 0 && count > 0) {
            nextRun();
        }
        if (repeated < count || value != wanted) {
            return false;
        }
        repeated -= count;
        return true;
    }

    void read(int[] into, int count) {
        int i = 0;
        while (i < count) {
            if (repeated > 0) {
                int n = (int) Math.min(count - i, repeated);
                for (int k = i; k < i + n; k++) {
                    into[k] = value;
                }
                repeated -= n;
                i += n;
            } else if (packed > 0) {
                int n = (int) Math.min(count - i, packed);
                unpack(into, i, n);
                packed -= n;
                i += n;
            } else {
                nextRun();
            }
        }
    }

    private void unpack(int[] into, int at, int count) {
        long next = bit;
        for (int i = at; i < at + count; i++) {
            into[i] = (int) (LittleEndian.longAt(bytes, (int) (next >>> 3)) >>> (next & 7)) & mask;
            next += width;
        }
        bit = next;
    }

    private void nextRun() {
        int header = header();
        long count = Integer.toUnsignedLong(header) >>> 1;
        if (count == 0) {
            throw new ParquetDefect("a run without values");
        }
        if ((header & 1) == 0) {
            int length = (width + 7) / Byte.SIZE;
            if (end - position < length) {
                throw tooShort();
            }
            value = LittleEndian.intAt(bytes, position)
                    & (length == Integer.BYTES ? -1 : (1 << (length * Byte.SIZE)) - 1);
            position += length;
            repeated = count;
        } else {
            packed = count * Byte.SIZE;
            bit = (long) position * Byte.SIZE;
            // Some writers leave out the padding of the last run.
            long available = (long) (end - position) * Byte.SIZE;
            if (packed * width > available) {
                packed = available / width;
                if (packed == 0) {
                    throw tooShort();
                }
            }
            position += (int) Math.min(end - position, count * width);
        }
    }

    private int header() {
        int result = 0;
        for (int shift = 0; shift < Integer.SIZE; shift += 7) {
            if (position >= end) {
                throw tooShort();
            }
            int next = bytes[position++];
            result |= (next & 0x7F) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new ParquetDefect("the length of a run has more than 32 bits");
    }

    private static ParquetDefect tooShort() {
        return new ParquetDefect("the runs end before the values of the page");
    }
}
