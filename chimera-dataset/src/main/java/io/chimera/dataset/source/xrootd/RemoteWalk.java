package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import io.chimera.dataset.source.xrootd.wire.FileStat;
import io.chimera.dataset.source.xrootd.wire.FolderEntry;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the files below a root that match a pattern, and reads only folders that can contain a match. Used by one
 * thread.
 */
final class RemoteWalk {
    /** A link to a folder above would lead down for ever. */
    private static final int DEPTH_MAX = 64;

    private final ClusterFolders folders;
    private final PathPattern pattern;
    private final String root;
    private final int objectsMax;
    private final Map<String, FileStat> found = new TreeMap<>();

    /**
     * Creates a walk.
     *
     * @param folders reads folders and stat information
     * @param pattern pattern below the root
     * @param root absolute path without a slash at the end
     * @param objectsMax maximum number of matches
     */
    RemoteWalk(ClusterFolders folders, PathPattern pattern, String root, int objectsMax) {
        this.folders = folders;
        this.pattern = pattern;
        this.root = root;
        this.objectsMax = objectsMax;
    }

    /** Returns the stat information of all matches, by path below the root, ordered by path. */
    Map<String, FileStat> run() throws SourceException {
        String prefix = pattern.prefix();
        if (pattern.isLiteral()) {
            FileStat stat = folders.stat(root + "/" + prefix);
            if (stat != null && stat.isFile()) {
                add(prefix, stat);
            }
        } else {
            walk(prefix.substring(0, prefix.lastIndexOf('/') + 1), 0);
        }
        return found;
    }

    /**
     * Walks through a folder.
     *
     * @param folder path below the root, with a slash at the end; empty for the root
     */
    private void walk(String folder, int depth) throws SourceException {
        if (depth > DEPTH_MAX) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    root + "/" + folder + ": more than " + DEPTH_MAX
                            + " folders inside each other; name the folders in the pattern");
        }
        for (FolderEntry entry : folders.list(root + "/" + folder)) {
            String path = folder + entry.name();
            FileStat stat = entry.stat();
            if (stat != null && stat.isFolder() && pattern.mayMatchBelow(path)) {
                checkName(folder, entry.name());
                walk(path + "/", depth + 1);
            } else if (stat != null && stat.isFile() && pattern.matches(path)) {
                checkName(folder, entry.name());
                add(path, stat);
            }
        }
    }

    /** A name with control characters could forge lines of logs. */
    private void checkName(String folder, String name) throws SourceException {
        if (name.chars().anyMatch(Character::isISOControl)) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    root + "/" + folder + ": a name in this folder has control characters; rename the file");
        }
    }

    private void add(String path, FileStat stat) throws SourceException {
        if (found.size() == objectsMax) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    root + ": more than " + objectsMax + " objects match; use several narrower patterns");
        }
        found.put(path, stat);
    }
}
