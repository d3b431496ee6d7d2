package io.chimera.common.config.binding;

import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.stream.Collectors;

/** Invalid configuration, with all problems. */
public final class ConfigException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** Creates an exception with at least one problem. */
    public ConfigException(List<ConfigProblem> problems) {
        super(
                Category.FATAL,
                problems.stream().map(ConfigProblem::toString).collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    /** Problems in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
