package io.chimera.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps comments and documents in plain English (CONTRIBUTING.md): counts words without names, per module and for docs.
 * The limits may only fall.
 */
final class ProseTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    private static final double RELATIVE_PER_100_MAX = 1.8;
    private static final double PRONOUNS_PER_100_MAX = 3.0;
    private static final double IDIOMS_PER_10_000_MAX = 3.0;
    private static final int COLUMNS_MAX = 120;

    private static final Set<String> RELATIVE =
            Set.of("what", "which", "that", "who", "whom", "whose", "whoever", "whatever", "those");
    private static final Set<String> PRONOUNS =
            Set.of("it", "its", "them", "they", "these", "those", "one", "ones", "others", "another", "this");
    private static final Pattern IDIOM =
            Pattern.compile("\\b(?:so (?:long|many|often)|lets? go of|anew|behind (?:it|them)"
                    + "|to be had|be it|as may be|in words that follow|that there (?:is|are)|what there is|for want of|is none"
                    + "|whoever|beside it|tells? of|told of|come again|asked for again|is on its way)\\b");

    private static final Pattern COMMENT =
            Pattern.compile("/[*]{1,2}(.*?)[*]/|/{2}(.*?)$", Pattern.DOTALL | Pattern.MULTILINE);
    private static final Pattern FRAGMENT = Pattern.compile("^\\s*(?:Of|By|From|With|That|At|In|For)\\b");
    private static final Pattern WORD = Pattern.compile("[A-Za-z']+");

    /** Words of a module. */
    private static final class Count {
        private int words;
        private int relative;
        private int pronouns;
        private int idioms;
        private final List<String> places = new ArrayList<>();

        void add(String text) {
            String lower = text.toLowerCase(Locale.ROOT);
            Matcher word = WORD.matcher(lower);
            while (word.find()) {
                words++;
                relative += RELATIVE.contains(word.group()) ? 1 : 0;
                pronouns += PRONOUNS.contains(word.group()) ? 1 : 0;
            }
            idioms += (int) IDIOM.matcher(lower).results().count();
        }

        boolean isPlain() {
            return relative * 100.0 <= RELATIVE_PER_100_MAX * words
                    && pronouns * 100.0 <= PRONOUNS_PER_100_MAX * words
                    && idioms * 10_000.0 <= IDIOMS_PER_10_000_MAX * words
                    && places.isEmpty();
        }

        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "relative words %.2f and pronouns %.2f per 100, idioms %.1f per 10,000 of %d words; to mend: %s",
                    relative * 100.0 / words,
                    pronouns * 100.0 / words,
                    idioms * 10_000.0 / words,
                    words,
                    places);
        }
    }

    @Test
    void commentsAndDocumentsNameTheirSubjects() {
        TreeMap<String, Count> byFolder = new TreeMap<>();
        for (Path folder : folders()) {
            Count count = new Count();
            files(folder).forEach(file -> count(file, count));
            if (count.words > 0) {
                byFolder.put(ROOT.relativize(folder).toString(), count);
            }
        }

        assertThat(byFolder).containsKeys("docs", "chimera-api", "chimera-node");
        assertThat(byFolder)
                .allSatisfy((folder, count) ->
                        assertThat(count.isPlain()).as("%s: %s", folder, count).isTrue());
    }

    private static void count(Path file, Count count) {
        String text = read(file);
        if (file.toString().endsWith(".md")) {
            count.add(text.replaceAll("(?s)```.*?```", " ").replaceAll("`[^`\n]*`", " "));
            return;
        }
        Matcher comment = COMMENT.matcher(text);
        while (comment.find()) {
            boolean isJavadoc = comment.group().startsWith("**", 1);
            String body = (comment.group(1) == null ? comment.group(2) : comment.group(1))
                    .replaceAll("\n\\s*\\*", " ")
                    .replaceAll("\\{@\\w+ ([^}]*)}", "$1")
                    .replaceAll("<[^>]+>", " ");
            count.add(body);
            if (isJavadoc && FRAGMENT.matcher(body).find()) {
                count.places.add(place(file, text, comment.start()) + " begins with a preposition");
            }
            if (comment.group().lines().anyMatch(line -> line.length() > COLUMNS_MAX)) {
                count.places.add(place(file, text, comment.start()) + " is wider than " + COLUMNS_MAX + " columns");
            }
        }
    }

    private static String place(Path file, String text, int offset) {
        long line = 1 + text.substring(0, offset).chars().filter(c -> c == '\n').count();
        return ROOT.relativize(file) + ":" + line;
    }

    private static List<Path> folders() {
        try (Stream<Path> all = Files.list(ROOT)) {
            return all.filter(Files::isDirectory)
                    .filter(folder -> folder.endsWith("docs")
                            || folder.getFileName().toString().startsWith("chimera-"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(file ->
                            file.toString().endsWith(".java") || file.toString().endsWith(".md"))
                    .filter(file -> !file.toString().contains("/target/"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
