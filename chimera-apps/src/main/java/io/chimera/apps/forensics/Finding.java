package io.chimera.apps.forensics;

/**
 * One question of an investigation, and what came of it.
 *
 * @param step from 1 to 7
 * @param question in words
 * @param filter as the archives were asked
 * @param answer in words
 * @param packets that matched
 * @param intervalsRead of all archives
 * @param intervalsSkipped of all archives
 * @param seconds that it took
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
