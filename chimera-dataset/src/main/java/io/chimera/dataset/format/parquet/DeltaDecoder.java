package io.chimera.dataset.format.parquet;

/**
 * Decodes DELTA_BINARY_PACKED: blocks of differences in groups ("miniblocks") with a bit width each. Decodes value by
 * value, so that the declared number of values allocates nothing. The bytes must have {@link LittleEndian#SLACK} after
 * their end. One thread.
 */
final class DeltaDecoder implements NumberDecoder {
    private static final int GROUPS_MAX = 1024;
    private static final int GROUP_VALUES_MAX = 1 << 16;

    private byte[] bytes = new byte[0];
    private int position;
    private int end;

    private int groups;
    private int groupValues;
    private int valuesLeft;
    private long last;
    private boolean atFirst;

    /** Place of the bit widths of the block, and the next group. */
    private int widths;

    private int group;
    private long minDelta;
    private int width;
    private long mask;
    private int leftInGroup;
    private long bit;

    /** Starts with the values at an index. */
    void open(byte[] newBytes, int from, int newEnd) {
        bytes = newBytes;
        position = from;
        end = newEnd;
        long blockValues = unsigned();
        long declaredGroups = unsigned();
        long total = unsigned();
        last = signed();
        if (declaredGroups <= 0
                || declaredGroups > GROUPS_MAX
                || blockValues % declaredGroups != 0
                || blockValues / declaredGroups > GROUP_VALUES_MAX
                || blockValues / declaredGroups % Byte.SIZE != 0
                || blockValues <= 0) {
            throw new ParquetDefect("delta blocks of " + blockValues + " values in " + declaredGroups + " groups");
        }
        if (total < 0 || total > Integer.MAX_VALUE) {
            throw new ParquetDefect(total + " delta values");
        }
        groups = (int) declaredGroups;
        groupValues = (int) (blockValues / declaredGroups);
        valuesLeft = (int) total;
        atFirst = true;
        group = groups;
        leftInGroup = 0;
    }

    /** Returns the number of values that are left. */
    int valuesLeft() {
        return valuesLeft;
    }

    @Override
    public void read(long[] into, int count) {
        if (count > valuesLeft) {
            throw new ParquetDefect("the delta values end before the values of the page");
        }
        int i = 0;
        if (atFirst && count > 0) {
            into[i++] = last;
            atFirst = false;
        }
        while (i < count) {
            if (leftInGroup == 0) {
                openGroup();
                requireGroup(valuesLeft - i);
            }
            int n = Math.min(count - i, leftInGroup);
            unpack(into, i, n);
            leftInGroup -= n;
            i += n;
        }
        valuesLeft -= count;
    }

    /**
     * Skips all values that are left, without decoding them.
     *
     * @return index after the last byte of the values
     */
    int skipAll() {
        int left = valuesLeft - (atFirst ? 1 : 0) - leftInGroup;
        while (left > 0) {
            openGroup();
            requireGroup(groupValues);
            left -= groupValues;
        }
        valuesLeft = 0;
        return position;
    }

    private void unpack(long[] into, int at, int count) {
        long next = bit;
        long value = last;
        for (int i = at; i < at + count; i++) {
            int index = (int) (next >>> 3);
            int shift = (int) (next & 7);
            long delta = LittleEndian.longAt(bytes, index) >>> shift;
            if (width + shift > Long.SIZE) {
                delta |= (long) bytes[index + Long.BYTES] << (Long.SIZE - shift);
            }
            value += minDelta + (delta & mask);
            into[i] = value;
            next += width;
        }
        bit = next;
        last = value;
    }

    private void openGroup() {
        if (group == groups) {
            minDelta = signed();
            if (end - position < groups) {
                throw tooShort();
            }
            widths = position;
            position += groups;
            group = 0;
        }
        width = bytes[widths + group++] & 0xFF;
        if (width > Long.SIZE) {
            throw new ParquetDefect("delta values of " + width + " bits");
        }
        mask = width == Long.SIZE ? -1 : (1L << width) - 1;
        bit = (long) position * Byte.SIZE;
        leftInGroup = groupValues;
        // The end of the last group may be missing; a group that is read must not start after the end.
        position += (int) Math.min(end - position, (long) width * groupValues / Byte.SIZE);
    }

    private void requireGroup(int valuesWanted) {
        if (bit + (long) Math.min(valuesWanted, groupValues) * width > (long) end * Byte.SIZE) {
            throw tooShort();
        }
    }

    private long unsigned() {
        long result = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (position >= end) {
                throw tooShort();
            }
            int next = bytes[position++];
            result |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return result;
            }
        }
        throw new ParquetDefect("an integer has more than 64 bits");
    }

    private long signed() {
        long zigzag = unsigned();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }

    private static ParquetDefect tooShort() {
        return new ParquetDefect("the delta values end before their declared number");
    }
}
