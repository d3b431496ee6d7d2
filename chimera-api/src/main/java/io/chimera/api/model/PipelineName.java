package io.chimera.api.model;

/**
 * Name of a pipeline in the configuration.
 *
 * @param text the name
 */
public record PipelineName(String text) {
    @Override
    public String toString() {
        return text;
    }
}
