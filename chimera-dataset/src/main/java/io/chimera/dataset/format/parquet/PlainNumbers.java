package io.chimera.dataset.format.parquet;

/** Decodes PLAIN numbers. One thread. */
final class PlainNumbers implements NumberDecoder {
    /** Bytes of an INT96: nanoseconds of the day, then the Julian day. */
    static final int INT96_BYTES = 12;

    private static final long NANOS_PER_DAY = 86_400_000_000_000L;
    private static final int JULIAN_DAY_OF_1970 = 2_440_588;

    private final int width;
    private byte[] bytes = new byte[0];
    private int position;
    private int end;

    /**
     * Creates a decoder.
     *
     * @param width bytes of a value: 4, 8 or {@link #INT96_BYTES}
     */
    PlainNumbers(int width) {
        this.width = width;
    }

    void open(byte[] newBytes, int from, int newEnd) {
        bytes = newBytes;
        position = from;
        end = newEnd;
    }

    @Override
    public void read(long[] into, int count) {
        if ((long) count * width > end - position) {
            throw new ParquetDefect("the page ends before its values");
        }
        int at = position;
        switch (width) {
            case Integer.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[i] = LittleEndian.intAt(bytes, at + i * Integer.BYTES);
                }
            }
            case Long.BYTES -> {
                for (int i = 0; i < count; i++) {
                    into[i] = LittleEndian.longAt(bytes, at + i * Long.BYTES);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    into[i] = int96At(bytes, at + i * INT96_BYTES);
                }
            }
        }
        position += count * width;
    }

    /** Returns nanoseconds since 1970; {@link Long#MIN_VALUE} outside the range of a {@code long}. */
    private static long int96At(byte[] bytes, int index) {
        long nanosOfDay = LittleEndian.longAt(bytes, index);
        long days = (long) LittleEndian.intAt(bytes, index + Long.BYTES) - JULIAN_DAY_OF_1970;
        long daysMax = Long.MAX_VALUE / NANOS_PER_DAY - 1;
        if (days < -daysMax || days > daysMax || nanosOfDay < 0 || nanosOfDay >= NANOS_PER_DAY) {
            return Long.MIN_VALUE;
        }
        return days * NANOS_PER_DAY + nanosOfDay;
    }
}
