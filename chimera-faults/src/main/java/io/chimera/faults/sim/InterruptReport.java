package io.chimera.faults.sim;

/**
 * Prints the figures of an unfinished run when SIGINT or SIGTERM ends the process. Afterwards no result is added or
 * printed. Any thread.
 */
final class InterruptReport implements AutoCloseable {
    private final Runnable figures;
    private final Thread hook = new Thread(this::interrupted, "sim-interrupted");
    private boolean isOver;

    /**
     * Registers for the end of the process.
     *
     * @param figures prints the figures so far
     */
    InterruptReport(Runnable figures) {
        this.figures = figures;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    private synchronized void interrupted() {
        if (!isOver) {
            isOver = true;
            figures.run();
        }
    }

    /** Runs a step of the run, unless the figures were printed. */
    synchronized void unlessInterrupted(Runnable step) {
        if (!isOver) {
            step.run();
        }
    }

    /** Ends the run with its last step, unless the figures were printed. */
    synchronized void end(Runnable last) {
        if (!isOver) {
            isOver = true;
            last.run();
        }
    }

    /** Ends the run, also after a failure. */
    @Override
    public synchronized void close() {
        isOver = true;
        removeHook();
    }

    private void removeHook() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // the process is ending already, and the hook has nothing left to print
        }
    }
}
