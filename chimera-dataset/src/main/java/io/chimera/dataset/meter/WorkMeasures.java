package io.chimera.dataset.meter;

/**
 * Work on a job, as sums since a start.
 *
 * @param computed splits that were computed
 * @param received bytes from the sources
 * @param copied bytes written to copies
 * @param nearBytes bytes that copies gave in place of the source
 */
public record WorkMeasures(Computed computed, Moved received, Moved copied, long nearBytes) {
    /** No work. */
    public static final WorkMeasures NONE = new WorkMeasures(Computed.NONE, Moved.NONE, Moved.NONE, 0);

    /**
     * Checks the sum.
     *
     * @param computed any value
     * @param received any value
     * @param copied any value
     * @param nearBytes at least 0
     */
    public WorkMeasures {
        if (nearBytes < 0) {
            throw new IllegalArgumentException(nearBytes + " bytes from copies; expected at least 0");
        }
    }

    /**
     * Computed splits.
     *
     * @param splits number of the splits
     * @param bytes length of the splits
     * @param points accepted points of the splits
     * @param busyNs time that threads computed the splits, waiting for bytes excluded
     * @param waitingNs time that threads waited for the bytes of the splits
     */
    public record Computed(long splits, long bytes, long points, long busyNs, long waitingNs) {
        /** No split. */
        public static final Computed NONE = new Computed(0, 0, 0, 0, 0);

        /**
         * Checks the sums.
         *
         * @param splits at least 0
         * @param bytes at least 0
         * @param points at least 0
         * @param busyNs at least 0
         * @param waitingNs at least 0
         */
        public Computed {
            if ((splits | bytes | points | busyNs | waitingNs) < 0) {
                throw new IllegalArgumentException(splits + " splits of " + bytes + " bytes and " + points
                        + " points in " + busyNs + " and " + waitingNs + " ns; expected at least 0");
            }
        }

        /** Returns the sums of both. */
        Computed plus(Computed other) {
            return new Computed(
                    splits + other.splits,
                    bytes + other.bytes,
                    points + other.points,
                    busyNs + other.busyNs,
                    waitingNs + other.waitingNs);
        }
    }

    /**
     * Bytes that were moved.
     *
     * @param bytes number of the bytes
     * @param busyNs time with at least one move under way
     */
    public record Moved(long bytes, long busyNs) {
        /** No byte. */
        public static final Moved NONE = new Moved(0, 0);

        /**
         * Checks the sums.
         *
         * @param bytes at least 0
         * @param busyNs at least 0
         */
        public Moved {
            if ((bytes | busyNs) < 0) {
                throw new IllegalArgumentException(bytes + " bytes in " + busyNs + " ns; expected at least 0");
            }
        }

        /** Returns the sums of both. */
        Moved plus(Moved other) {
            return new Moved(bytes + other.bytes, busyNs + other.busyNs);
        }
    }

    /** Returns the sums of both. */
    public WorkMeasures plus(WorkMeasures other) {
        return new WorkMeasures(
                computed.plus(other.computed),
                received.plus(other.received),
                copied.plus(other.copied),
                nearBytes + other.nearBytes);
    }
}
