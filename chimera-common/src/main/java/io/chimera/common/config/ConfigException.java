package io.chimera.common.config;

import io.chimera.common.error.ChimeraException;
import java.util.List;
import java.util.stream.Collectors;

/** The configuration is wrong; tells all problems at once. */
public final class ConfigException extends ChimeraException {
    private static final long serialVersionUID = 1L;

    private final transient List<ConfigProblem> problems;

    /** With all problems, at least one. */
    public ConfigException(List<ConfigProblem> problems) {
        super(
                Category.FATAL,
                problems.stream().map(ConfigProblem::toString).collect(Collectors.joining(System.lineSeparator())));
        this.problems = List.copyOf(problems);
    }

    /** What is wrong, in the order of the file. */
    public List<ConfigProblem> problems() {
        return problems;
    }
}
