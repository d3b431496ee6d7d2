package io.chimera.common.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param file where it stands, as the user named it
 * @param line counted from 1; 0 when it stands on no line
 * @param message a sentence: the key, what is wrong, what is expected
 */
public record ConfigProblem(String file, int line, String message) {
    @Override
    public String toString() {
        return line > 0 ? file + ":" + line + ": " + message : file + ": " + message;
    }
}
