package io.chimera.apps.forensics;

/**
 * One step of an investigation: a question and its result.
 *
 * @param step number of the question, 1 to 7
 * @param question the question as text
 * @param filter packet filter of the question
 * @param answer the answer as text
 * @param packets number of matching packets
 * @param intervalsRead number of intervals read in all archives
 * @param intervalsSkipped number of intervals skipped in all archives
 * @param seconds duration of the step
 */
public record Finding(
        int step,
        String question,
        String filter,
        String answer,
        long packets,
        long intervalsRead,
        long intervalsSkipped,
        double seconds) {}
