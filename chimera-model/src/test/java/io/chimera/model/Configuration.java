package io.chimera.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One file in {@code docs/protocol} for TLC: {@code MODULE-name.cfg}. Its first line says when it is run and what must come
 * of it: {@code \* model: holds} or {@code \* model: fails NoDouble}; {@code long} in place of {@code model} is for those
 * that take long.
 *
 * @param file the file
 * @param isLong whether it is run only on demand
 * @param must {@code holds}, or the name of the invariant or property that must be found broken
 */
record Configuration(Path file, boolean isLong, String must) {
    static final String HOLDS = "holds";

    private static final Pattern FIRST_LINE = Pattern.compile("\\\\\\* (model|long): (?:(holds)|fails (\\w+))");

    /** All configurations of a folder, by name. */
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

    /** The specification that it configures. */
    String module() {
        return name().substring(0, name().indexOf('-')) + ".tla";
    }

    /** The properties that it names; TLC says only that one of them is broken. */
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
