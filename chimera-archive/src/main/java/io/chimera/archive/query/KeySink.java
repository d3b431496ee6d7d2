package io.chimera.archive.query;

/** Takes the keys of the items of an interval. One thread. */
public interface KeySink {
    /** A value of an exact key. */
    void add(int key, long hash);

    /** A value of a key of ranges. */
    void addRange(int key, long value);

    /**
     * Whether keys made of these 128 bits were added to the same interval before. What is added until it is asked again
     * is made of these bits.
     *
     * @return false when that is not known, and for zeros
     */
    boolean isRecent(long first, long second);
}
