package io.chimera.common.config.binding;

/**
 * Single problem of a configuration.
 *
 * @param file file of the problem, as named by the user
 * @param line line number, counted from 1; 0 without a line
 * @param key full name of the key, e.g. {@code pipelines.all.stores}; empty for a problem without a key
 * @param message a sentence: the key, the problem, the expected value
 */
public record ConfigProblem(String file, int line, String key, String message) {
    /** Creates a problem of a whole file, without line and key. */
    public static ConfigProblem ofFile(String file, String message) {
        return new ConfigProblem(file, 0, "", message);
    }

    @Override
    public String toString() {
        return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
}
