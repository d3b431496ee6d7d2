package io.chimera.common.config;

/**
 * Single problem of a configuration.
 *
 * @param file file of the problem, as named by the user
 * @param line line number, counted from 1; 0 without a line
 * @param message a sentence: the key, the problem, the expected value
 */
public record ConfigProblem(String file, int line, String message) {
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
}
