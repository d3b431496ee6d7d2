package io.chimera.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Links between documents lead to existing files and headings; documents named in the code exist. */
final class DocumentLinksTest {
    private static final Path ROOT =
            Path.of(System.getProperty("basedir", "")).toAbsolutePath().getParent();

    /** Folders of build results and of version control; peers and examples of users have builds of their own. */
    private static final Set<String> LEFT_OUT = Set.of("target", ".git", "node_modules", "venv", "captures", "data");

    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern IMAGE_SOURCE = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.*)$");
    private static final Pattern NAMED = Pattern.compile("\\bdocs/[\\w./-]+?\\.(?:md|json|svg)\\b");

    private static final String WEB = "^(?:https?|mailto):.*";

    @Test
    void linksLeadToFilesAndHeadings() throws IOException {
        List<String> broken = new ArrayList<>();
        List<Path> documents = files(".md");
        for (Path document : documents) {
            String text = FENCED.matcher(Files.readString(document)).replaceAll("");
            for (Pattern pattern : List.of(LINK, IMAGE_SOURCE)) {
                Matcher link = pattern.matcher(text);
                while (link.find()) {
                    if (!link.group(1).matches(WEB) && !leads(document, link.group(1))) {
                        broken.add(ROOT.relativize(document) + ": " + link.group(1));
                    }
                }
            }
        }

        assertThat(documents).hasSizeGreaterThan(50);
        assertThat(broken).isEmpty();
    }

    @Test
    void documentsNamedInCodeExist() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path source : files(".java", ".yaml", ".xml", ".options")) {
            if (source.toString().contains("/src/test/")) {
                continue;
            }
            Matcher name = NAMED.matcher(Files.readString(source));
            while (name.find()) {
                if (!Files.exists(ROOT.resolve(name.group()))) {
                    missing.add(ROOT.relativize(source) + ": " + name.group());
                }
            }
        }

        assertThat(missing).isEmpty();
    }

    @Test
    void anchorsAreMadeAsOnGitHub() {
        assertThat(anchors("# ZooKeeper's data\n## Leave, restart\n## `a_b` and c\n## Twice\n## Twice\n"))
                .containsExactlyInAnyOrder("zookeepers-data", "leave-restart", "a_b-and-c", "twice", "twice-1");
    }

    private static boolean leads(Path from, String link) throws IOException {
        int mark = link.indexOf('#');
        String path = mark < 0 ? link : link.substring(0, mark);
        Path target = path.isEmpty() ? from : from.resolveSibling(path).normalize();
        if (!Files.exists(target) || mark < 0 || !target.toString().endsWith(".md")) {
            return Files.exists(target) && mark < 0;
        }
        String text = FENCED.matcher(Files.readString(target)).replaceAll("");
        return anchors(text).contains(link.substring(mark + 1));
    }

    /** Returns the anchors of all headings. */
    private static Set<String> anchors(String text) {
        Set<String> anchors = new HashSet<>();
        Matcher heading = HEADING.matcher(text);
        while (heading.find()) {
            String anchor = heading.group(1)
                    .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            String unique = anchor;
            for (int i = 1; !anchors.add(unique); i++) {
                unique = anchor + "-" + i;
            }
        }
        return anchors;
    }

    private static List<Path> files(String... suffixes) throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean isLeftOut = LEFT_OUT.contains(folder.getFileName().toString());
                return isLeftOut ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (List.of(suffixes).stream().anyMatch(file.toString()::endsWith)) {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }
}
