package io.chimera.queue.journal.retention;

import java.nio.file.Path;

/**
 * A journal file with all facts for its restore.
 *
 * @param name folder of the start and file name, e.g. {@code 00000001/20260521-101500T.cq4}
 * @param path path of the file
 * @param bytes bytes of the file up to the end of its data
 * @param firstMs creation time, ms since 1970
 * @param lastMs time of the last write, ms since 1970
 * @param cycles notes of the cycles whose records the file may hold: lines as in {@code cycles.log}
 */
public record PastFile(String name, Path path, long bytes, long firstMs, long lastMs, String cycles) {}
