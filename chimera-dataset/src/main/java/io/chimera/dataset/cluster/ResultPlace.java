package io.chimera.dataset.cluster;

/**
 * Place and content of a result file.
 *
 * @param folder folder of the worker that holds the file
 * @param report report that announced the file; a lost file that is computed again has another report
 * @param digest digest of the file, hexadecimal
 */
public record ResultPlace(long folder, ReportId report, String digest) {}
