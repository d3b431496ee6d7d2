package io.chimera.dataset.cluster;

import java.util.regex.Pattern;

/**
 * Identity of a job of a cluster.
 *
 * @param name name of the job, unique among the jobs of the cluster: 1 to 64 letters, digits, {@code -} and {@code _}
 * @param run drawn when the job is submitted, never 0; tells a job from an earlier one with the same name
 */
public record JobId(String name, long run) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

    /**
     * Checks the values: the name becomes a part of paths.
     *
     * @param name name of the job
     * @param run not 0
     */
    public JobId {
        if (!isName(name) || run == 0) {
            throw new IllegalArgumentException("job \"" + name + "\", run " + run
                    + "; expected a name of 1 to 64 letters, digits, - and _, and a run that is not 0");
        }
    }

    /**
     * Returns whether a text is the name of a job.
     *
     * @param text any text
     */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns the run as 16 hexadecimal digits. */
    public String runHex() {
        return "%016x".formatted(run);
    }

    @Override
    public String toString() {
        return name + "/" + runHex();
    }
}
