package io.chimera.rules;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules invisible in class files, over the sources of every module and its documents. */
final class SourceTreeTest {

    /** Surefire sets basedir to the module's folder; other runners start tests there. */
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final Pattern OPEN_WORK = Pattern.compile("\\b(TODO|FIXME)\\b");

    private static final Pattern IMPORT =
            Pattern.compile("^import (?:static )?(io\\.chimera(?:\\.[a-z]\\w*)*)\\.[A-Z]");

    private static final Pattern CONFLICT = Pattern.compile("^(<{7}|>{7})( |$)");

    @Test
    void everyPackageSaysWhatItIs() {
        // A stress test is in the package of its type; the module of the type describes the package.
        Set<Path> packages = javaSources().stream()
                .filter(file -> !file.startsWith(ROOT.resolve("chimera-stress")))
                .map(Path::getParent)
                .collect(toSet());

        assertThat(packages).isNotEmpty().allSatisfy(folder -> assertThat(folder.resolve("package-info.java"))
                .isRegularFile());
    }

    /** A reader who searches for a class by its name must find one class, in the tests as well. */
    @Test
    void simpleNamesOfClassesAreUnique() {
        Map<String, List<Path>> files = new TreeMap<>();
        for (Path file : javaSources("src")) {
            files.computeIfAbsent(file.getFileName().toString(), unseen -> new ArrayList<>())
                    .add(ROOT.relativize(file));
        }
        files.remove("package-info.java");
        files.values().removeIf(same -> same.size() == 1);

        assertThat(files).isEmpty();
    }

    @Test
    void packagesAreFreeOfCycles() {
        Map<String, Set<String>> imports = new TreeMap<>();
        for (Path file : javaSources()) {
            String from = packageOf(file);
            for (String line : linesOf(file)) {
                Matcher imported = IMPORT.matcher(line);
                if (imported.find() && !imported.group(1).equals(from)) {
                    imports.computeIfAbsent(from, unseen -> new TreeSet<>()).add(imported.group(1));
                }
            }
        }

        assertThat(inCycles(imports)).isEmpty();
    }

    /**
     * Removes packages without imports among the rest, repeatedly: each remaining package is in a cycle or imports a
     * package in a cycle.
     */
    private static Map<String, Set<String>> inCycles(Map<String, Set<String>> imports) {
        Map<String, Set<String>> rest = new TreeMap<>(imports);
        while (rest.values().removeIf(imported -> Collections.disjoint(imported, rest.keySet()))) {
            // one more round
        }
        return rest;
    }

    private static String packageOf(Path file) {
        return linesOf(file).stream()
                .filter(line -> line.startsWith("package "))
                .map(line -> line.substring("package ".length(), line.length() - 1))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void openWorkIsNotLeftInMainCode() {
        assertThat(linesWith(OPEN_WORK, javaSources()))
                .as("open work is an issue, not a comment")
                .isEmpty();
    }

    @Test
    void mergesAreFinished() throws IOException {
        List<Path> files = new ArrayList<>(javaSources());
        try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
            documents.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
        }

        assertThat(linesWith(CONFLICT, files)).isEmpty();
    }

    private static List<String> linesWith(Pattern pattern, List<Path> files) {
        List<String> found = new ArrayList<>();
        for (Path file : files) {
            List<String> lines = linesOf(file);
            for (int i = 0; i < lines.size(); i++) {
                if (pattern.matcher(lines.get(i)).find()) {
                    found.add(ROOT.relativize(file) + ":" + (i + 1) + ": "
                            + lines.get(i).trim());
                }
            }
        }
        return found;
    }

    private static List<Path> javaSources() {
        return javaSources("src/main/java");
    }

    private static List<Path> javaSources(String below) {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules.filter(module -> module.getFileName().toString().startsWith("chimera-"))
                    .map(module -> module.resolve(below))
                    .filter(Files::isDirectory)
                    .flatMap(SourceTreeTest::javaSourcesUnder)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> javaSourcesUnder(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> linesOf(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
