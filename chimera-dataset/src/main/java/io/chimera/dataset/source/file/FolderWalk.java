package io.chimera.dataset.source.file;

import io.chimera.dataset.source.Checksum;
import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.ObjectVersion;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.FileVisitor;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One walk through a folder for the regular files that match a pattern. Folders in which nothing can match are not
 * entered, so that a foreign link there does no harm. Used once, by one thread.
 */
final class FolderWalk implements FileVisitor<Path> {
    private static final int DEPTH_MAX = 256;

    private final Path root;
    private final PathPattern pattern;
    private final int objectsMax;
    private final List<DataObject> found = new ArrayList<>();

    /**
     * Creates a walk.
     *
     * @param root real path of the folder
     * @param pattern wanted paths
     * @param objectsMax maximum number of objects
     */
    FolderWalk(Path root, PathPattern pattern, int objectsMax) {
        this.root = root;
        this.pattern = pattern;
        this.objectsMax = objectsMax;
    }

    /**
     * Walks.
     *
     * @return objects ordered by path
     * @throws IOException when a folder cannot be read, or a wanted path leads out of the root
     */
    List<DataObject> run() throws IOException {
        Files.walkFileTree(root, EnumSet.of(FileVisitOption.FOLLOW_LINKS), DEPTH_MAX, this);
        found.sort(Comparator.comparing(DataObject::path));
        return List.copyOf(found);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
        if (folder.equals(root)) {
            return FileVisitResult.CONTINUE;
        }
        String path = pathOf(folder);
        if (!pattern.mayMatchBelow(path)) {
            return FileVisitResult.SKIP_SUBTREE;
        }
        checkInside(folder, path);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        String path = pathOf(file);
        if (attributes.isDirectory() && pattern.mayMatchBelow(path)) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    path + " is more than " + DEPTH_MAX + " folders below " + root + "; name a folder further down");
        }
        if (attributes.isRegularFile() && PathPattern.isPath(path) && pattern.matches(path)) {
            try {
                add(file, path);
            } catch (NoSuchFileException e) {
                // The file disappeared during the walk.
            }
        }
        return FileVisitResult.CONTINUE;
    }

    private void add(Path file, String path) throws IOException {
        checkInside(file, path);
        if (found.size() >= objectsMax) {
            throw new SourceException(
                    SourceFault.UNSUPPORTED,
                    "more than " + objectsMax + " files below " + root + " match " + pattern
                            + "; use a narrower pattern, or several jobs");
        }
        FileState state = FileState.of(file);
        found.add(new DataObject(path, state.length(), new ObjectVersion(state.tag(), Checksum.NONE)));
    }

    /** Skips links in circles, and files that disappeared during the walk; every other defect ends the walk. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        boolean isHarmless = e instanceof NoSuchFileException || e instanceof FileSystemLoopException;
        if (file.equals(root) || (!isHarmless && isWanted(pathOf(file)))) {
            throw e;
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
        if (e != null) {
            throw e;
        }
        return FileVisitResult.CONTINUE;
    }

    private boolean isWanted(String path) {
        return pattern.matches(path) || pattern.mayMatchBelow(path);
    }

    private void checkInside(Path file, String path) throws IOException {
        if (!file.toRealPath().startsWith(root)) {
            throw FolderSource.outside(path, root);
        }
    }

    private String pathOf(Path file) {
        return root.relativize(file).toString().replace(file.getFileSystem().getSeparator(), "/");
    }
}
