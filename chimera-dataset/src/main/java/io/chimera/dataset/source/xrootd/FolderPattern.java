package io.chimera.dataset.source.xrootd;

import java.util.List;

/**
 * Pattern for the paths of objects: {@code *} for any text within a folder, {@code **} as a whole step for any folders.
 * Immutable.
 */
final class FolderPattern {
    private static final int LENGTH_MAX = 4_096;
    private static final String FOLDERS = "**";

    private final String text;
    private final List<String> steps;

    private FolderPattern(String text) {
        this.text = text;
        // The path of a folder itself does not match a pattern with ** at the end.
        boolean endsWithFolders = text.equals(FOLDERS) || text.endsWith("/" + FOLDERS);
        this.steps = List.of((endsWithFolders ? text + "/*" : text).split("/", -1));
    }

    /**
     * Parses a pattern.
     *
     * @param text path below the root
     * @throws IllegalArgumentException for a path that is too long, or has an empty step, {@code .} or {@code ..}
     */
    static FolderPattern of(String text) {
        List<String> steps = List.of(text.split("/", -1));
        if (text.length() > LENGTH_MAX || steps.contains("") || steps.contains(".") || steps.contains("..")) {
            throw new IllegalArgumentException("pattern \"" + text + "\"; expected a path below the root of at most "
                    + LENGTH_MAX + " characters, without empty steps, \".\" and \"..\"");
        }
        return new FolderPattern(text);
    }

    /** Returns whether the pattern names one object. */
    boolean isLiteral() {
        return text.indexOf('*') < 0;
    }

    /** Returns the text before the first {@code *}. */
    String prefix() {
        return isLiteral() ? text : text.substring(0, text.indexOf('*'));
    }

    /** Returns whether a path matches. */
    boolean matches(String path) {
        return reachedBy(path)[steps.size()];
    }

    /** Returns whether a path below a folder may match. */
    boolean mayMatchBelow(String folder) {
        boolean[] reached = reachedBy(folder);
        for (int step = 0; step < steps.size(); step++) {
            if (reached[step]) {
                return true;
            }
        }
        return false;
    }

    /** Returns for each number of steps whether these steps can match the whole path. */
    private boolean[] reachedBy(String path) {
        boolean[] reached = new boolean[steps.size() + 1];
        reached[0] = true;
        passFolders(reached);
        for (String name : path.split("/", -1)) {
            boolean[] next = new boolean[reached.length];
            for (int step = 0; step < steps.size(); step++) {
                boolean isAnyFolder = steps.get(step).equals(FOLDERS);
                next[step] |= reached[step] && isAnyFolder;
                next[step + 1] |= reached[step] && !isAnyFolder && matchesName(steps.get(step), name);
            }
            reached = next;
            passFolders(reached);
        }
        return reached;
    }

    /** The step {@code **} also matches no folder. */
    private void passFolders(boolean[] reached) {
        for (int step = 0; step < steps.size(); step++) {
            reached[step + 1] |= reached[step] && steps.get(step).equals(FOLDERS);
        }
    }

    /** Goes back to the last star only: the time is at most the product of both lengths. */
    private static boolean matchesName(String step, String name) {
        int at = 0;
        int in = 0;
        int star = -1;
        int starIn = 0;
        while (in < name.length()) {
            if (at < step.length() && step.charAt(at) == '*') {
                star = at++;
                starIn = in;
            } else if (at < step.length() && step.charAt(at) == name.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++starIn;
            } else {
                return false;
            }
        }
        return step.substring(at).chars().allMatch(character -> character == '*');
    }
}
