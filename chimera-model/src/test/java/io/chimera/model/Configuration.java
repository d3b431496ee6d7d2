package io.chimera.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Configuration file for TLC in {@code docs/protocol}: {@code MODULE-name.cfg}. The first line defines when the
 * configuration runs, and the expected result: {@code \* model: holds} or {@code \* model: fails NoDouble}. {@code
 * long} instead of {@code model} marks a long run.
 *
 * @param file the file
 * @param isLong whether the configuration runs only on demand
 * @param must expected result: {@code holds}, or the name of the violated invariant or property
 */
record Configuration(Path file, boolean isLong, String must) {
    static final String HOLDS = "holds";

    private static final Pattern FIRST_LINE = Pattern.compile("\\\\\\* (model|long): (?:(holds)|fails (\\w+))");

    /** Reads all configurations of a folder, by name. */
    static List<Configuration> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> sorted = files.filter(file -> file.toString().endsWith(".cfg"))
                    .sorted()
                    .toList();
            return sorted.stream().map(Configuration::read).toList();
        }
    }

    private static Configuration read(Path file) {
        Matcher line = FIRST_LINE.matcher(lines(file).get(0));
        if (!line.matches()) {
            throw new IllegalArgumentException("The first line of " + file + " must be \"\\* model: holds\" or"
                    + " \"\\* model: fails\" and a name, with \"long\" in place of \"model\" where it takes long.");
        }
        return new Configuration(file, line.group(1).equals("long"), line.group(2) == null ? line.group(3) : HOLDS);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new IllegalStateException("Cannot read " + file, e);
        }
    }

    boolean mustHold() {
        return must.equals(HOLDS);
    }

    String name() {
        String name = file.getFileName().toString();
        return name.substring(0, name.length() - ".cfg".length());
    }

    /** File name of the configured specification. */
    String module() {
        return name().substring(0, name().indexOf('-')) + ".tla";
    }

    /** Properties named in the configuration; TLC does not report which property is violated. */
    String properties() {
        return lines(file).stream()
                .filter(line -> line.startsWith("PROPERTIES "))
                .map(line -> line.substring("PROPERTIES ".length()))
                .findFirst()
                .orElse("a property");
    }

    @Override
    public String toString() {
        return name();
    }
}
