package io.chimera.queue.journal.read;

/**
 * Place where the valid part of a journal file ends before the end of the written data, or where the file becomes
 * unreadable.
 *
 * @param offset offset of the first invalid byte
 * @param what description of the defect, phrased to end a sentence
 */
public record Damage(long offset, String what) {}
