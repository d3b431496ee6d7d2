package io.chimera.node.dataset.worker;

import io.chimera.common.channel.HttpExchange;
import io.chimera.dataset.cluster.JobId;
import io.chimera.dataset.cluster.TaskId;
import java.util.Optional;

/**
 * Request for a part of a result, as parameters of {@code POST /datasets/result}.
 *
 * @param job the job
 * @param task work whose result it is
 * @param offset offset of the first byte
 * @param length number of bytes, at most {@link #LENGTH_MAX}; 0 asks only for the length of the file
 */
record ResultRequest(JobId job, TaskId task, long offset, int length) {
    /** Path of the requests. */
    static final String PATH = "/datasets/result";

    /** Header of an answer with the length of the whole file in bytes. */
    static final String LENGTH_HEADER = "Chimera-Result-Length";

    /** Maximum length of a part: a node keeps a few parts in memory until their clients have read them. */
    static final int LENGTH_MAX = 1 << 20;

    /** Maximum number of a split or range, as in the names of result files. */
    private static final int NUMBER_DIGITS_MAX = 9;

    /** Returns the path and query of the request. */
    String query() {
        return PATH + "?job=" + job.name() + "&run=" + job.runHex() + "&kind=" + task.kind() + "&number="
                + task.number() + "&offset=" + offset + "&length=" + length;
    }

    /** Reads a request; empty for a malformed one. */
    static Optional<ResultRequest> of(HttpExchange exchange) {
        return of(
                text(exchange, "job"),
                text(exchange, "run"),
                text(exchange, "kind"),
                text(exchange, "number"),
                text(exchange, "offset") + "+" + text(exchange, "length"));
    }

    /** Reads the values of a request; the part is {@code offset+length}. */
    static Optional<ResultRequest> of(String job, String run, String kind, String number, String part) {
        boolean isSound = JobId.isName(job)
                && run.matches("[0-9a-f]{16}")
                && !run.matches("0{16}")
                && (kind.equals(TaskId.Kind.SPLIT.name()) || kind.equals(TaskId.Kind.RANGE.name()))
                && number.matches("\\d{1," + NUMBER_DIGITS_MAX + "}")
                && part.matches("\\d{1,18}\\+\\d{1,9}");
        if (!isSound) {
            return Optional.empty();
        }
        int plus = part.indexOf('+');
        int length = Integer.parseInt(part.substring(plus + 1));
        if (length > LENGTH_MAX) {
            return Optional.empty();
        }
        return Optional.of(new ResultRequest(
                new JobId(job, Long.parseUnsignedLong(run, 16)),
                new TaskId(TaskId.Kind.valueOf(kind), Integer.parseInt(number)),
                Long.parseLong(part.substring(0, plus)),
                length));
    }

    private static String text(HttpExchange exchange, String name) {
        String value = exchange.parameter(name);
        return value == null ? "" : value;
    }
}
