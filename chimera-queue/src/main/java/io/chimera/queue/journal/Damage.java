package io.chimera.queue.journal;

/**
 * Where the valid part of a journal file ends although more was written, or the file cannot be read on.
 *
 * @param offset of the first byte that is not valid
 * @param what is wrong there, as the end of a sentence
 */
public record Damage(long offset, String what) {}
