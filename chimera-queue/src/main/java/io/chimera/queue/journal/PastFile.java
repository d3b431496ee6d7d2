package io.chimera.queue.journal;

import java.nio.file.Path;

/**
 * A file of a journal with what is needed to put it back.
 *
 * @param name its start and its own, e.g. {@code 00000001/20260521-101500T.cq4}
 * @param path where it is
 * @param bytes of it that count
 * @param firstMs when it was begun, ms since 1970
 * @param lastMs when it was written last
 * @param cycles what is known of the cycles whose records it may hold: lines as in {@code cycles.log}
 */
public record PastFile(String name, Path path, long bytes, long firstMs, long lastMs, String cycles) {}
