package io.chimera.node;

/** Exit codes of the command line besides 0 for success and 2 for wrong usage. */
public final class ExitCode {
    /** Exit code of a failed command. */
    public static final int FAILED = 1;

    /** Exit code of a bad configuration; EX_CONFIG of sysexits.h. */
    public static final int BAD_CONFIGURATION = 78;

    private ExitCode() {}
}
