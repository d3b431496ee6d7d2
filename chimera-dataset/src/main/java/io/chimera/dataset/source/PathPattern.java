package io.chimera.dataset.source;

import java.util.Arrays;
import java.util.List;

/**
 * Pattern for the paths of objects. {@code *} stands for any text within one folder, and {@code **} as a whole segment
 * for any number of folders: {@code 2026/**}{@code /*.csv} matches {@code 2026/a.csv} and {@code 2026/01/31/a.csv};
 * {@code 2026/**} matches every object below the folder. Every other character stands for itself. The time of a match
 * is at most the product of both lengths. Immutable; any thread.
 */
public final class PathPattern {
    /** Maximum length of a pattern or path in characters: the longest path of Linux. */
    public static final int LENGTH_MAX = 4096;

    private static final String FOLDERS = "**";

    private final String text;
    private final List<String> segments;

    private PathPattern(String text, List<String> segments) {
        this.text = text;
        this.segments = segments;
    }

    /**
     * Reads a pattern.
     *
     * @param text path below the root, without {@code /} in front
     * @throws IllegalArgumentException when the text is not a pattern; the message names the remedy
     */
    public static PathPattern of(String text) {
        if (!isPath(text)) {
            throw new IllegalArgumentException("pattern \"" + text + "\"; expected a path below the root of at most "
                    + LENGTH_MAX + " characters, without empty segments, \".\" and \"..\"");
        }
        List<String> segments = List.of(text.split("/"));
        for (String segment : segments) {
            if (segment.contains(FOLDERS) && !segment.equals(FOLDERS)) {
                throw new IllegalArgumentException("pattern \"" + text + "\": ** in the segment \"" + segment
                        + "\"; use ** as a whole segment, or *");
            }
        }
        // A trailing ** needs an object below the folder: the path of the folder itself does not match.
        boolean endsOpen = segments.get(segments.size() - 1).equals(FOLDERS);
        return new PathPattern(text, endsOpen ? List.of((text + "/*").split("/")) : segments);
    }

    /**
     * Returns whether a text can name an object below a root: not empty, not too long, no control characters, and no
     * segment that is empty, {@code .} or {@code ..}.
     */
    public static boolean isPath(String text) {
        if (text.isEmpty() || text.length() > LENGTH_MAX || text.chars().anyMatch(Character::isISOControl)) {
            return false;
        }
        return Arrays.stream(text.split("/", -1))
                .noneMatch(segment -> segment.isEmpty() || segment.equals(".") || segment.equals(".."));
    }

    /** Returns whether the pattern has no {@code *} and therefore names one object. */
    public boolean isLiteral() {
        return text.indexOf('*') < 0;
    }

    /** Returns the text in front of the first {@code *}; every matching path begins with this text. */
    public String prefix() {
        int star = text.indexOf('*');
        return star < 0 ? text : text.substring(0, star);
    }

    /** Returns whether a path matches. */
    public boolean matches(String path) {
        return reachedBy(path)[segments.size()];
    }

    /** Returns whether a path below the folder may match. */
    public boolean mayMatchBelow(String folder) {
        boolean[] reached = reachedBy(folder);
        for (int i = 0; i < segments.size(); i++) {
            if (reached[i]) {
                return true;
            }
        }
        return false;
    }

    /** Returns for each number of segments whether that many segments of the pattern can match the whole path. */
    private boolean[] reachedBy(String path) {
        boolean[] reached = new boolean[segments.size() + 1];
        reached[0] = true;
        skipFolders(reached);
        for (String name : path.split("/", -1)) {
            boolean[] next = new boolean[reached.length];
            for (int i = 0; i < segments.size(); i++) {
                if (reached[i]) {
                    String segment = segments.get(i);
                    if (segment.equals(FOLDERS)) {
                        next[i] = true;
                    } else if (matchesSegment(segment, name)) {
                        next[i + 1] = true;
                    }
                }
            }
            reached = next;
            skipFolders(reached);
        }
        return reached;
    }

    private void skipFolders(boolean[] reached) {
        for (int i = 0; i < segments.size(); i++) {
            reached[i + 1] |= reached[i] && segments.get(i).equals(FOLDERS);
        }
    }

    /** Compares within a folder; after a mismatch only the last {@code *} takes one more character. */
    private static boolean matchesSegment(String segment, String name) {
        int at = 0;
        int star = -1;
        int afterStar = 0;
        int i = 0;
        while (i < name.length()) {
            if (at < segment.length() && segment.charAt(at) == '*') {
                star = at++;
                afterStar = i;
            } else if (at < segment.length() && segment.charAt(at) == name.charAt(i)) {
                at++;
                i++;
            } else if (star >= 0) {
                at = star + 1;
                i = ++afterStar;
            } else {
                return false;
            }
        }
        while (at < segment.length() && segment.charAt(at) == '*') {
            at++;
        }
        return at == segment.length();
    }

    @Override
    public String toString() {
        return text;
    }
}
