package io.chimera.dataset.cluster;

/**
 * Identity of a report.
 *
 * @param session session of the worker that writes the report
 * @param number number of the report within the session, from 1 without gaps
 */
public record ReportId(long session, long number) {}
