package io.chimera.bench.peers;

/**
 * How long engines are measured.
 *
 * @param points of the input; whole chunks for every task of an engine
 * @param warmups passes over the input before those that count
 * @param passes that count; the median is reported
 */
public record Effort(int points, int warmups, int passes) {
    static final Effort FULL = new Effort(3_000_000, 4, 3);

    /** Under a minute for each engine; compilation is still a part of what is measured. */
    static final Effort QUICK = new Effort(600_000, 3, 1);

    /** Passes in all. */
    public int all() {
        return warmups + passes;
    }
}
