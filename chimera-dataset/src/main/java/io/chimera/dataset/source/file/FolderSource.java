package io.chimera.dataset.source.file;

import io.chimera.dataset.source.DataObject;
import io.chimera.dataset.source.DataSource;
import io.chimera.dataset.source.PathPattern;
import io.chimera.dataset.source.ReadRange;
import io.chimera.dataset.source.SourceException;
import io.chimera.dataset.source.SourceFault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The files below a folder. A file or folder whose real path leaves the folder, by a symbolic link, is refused; other
 * links are followed. The version of a file is its time of modification, its length and its inode: a file that is
 * rewritten with the same length within one tick of the file system's clock keeps its version.
 *
 * <p>Any thread; every read opens the file, so that an interruption of one reader leaves the others alone.
 */
public final class FolderSource implements DataSource {
    /** Bytes between two looks whether the source is closed, and bound of the JDK's buffer outside the heap. */
    private static final int PIECE_BYTES = 1 << 20;

    private final Path root;
    private final int objectsMax;

    /** Real path of the root, fixed by the first use: the folder may be replaced by a link to another one later. */
    private final AtomicReference<@Nullable Path> realRoot = new AtomicReference<>();

    private volatile boolean isClosed;

    /**
     * Creates a source; touches no file.
     *
     * @param root the folder
     * @param objectsMax maximum number of objects in a list
     */
    public FolderSource(Path root, int objectsMax) {
        this.root = root.toAbsolutePath().normalize();
        this.objectsMax = objectsMax;
    }

    /**
     * Creates a source whose folder was checked by the caller; touches no file.
     *
     * @param real real path of the folder; once it has become a link, all reads are refused
     * @param objectsMax maximum number of objects in a list
     */
    public static FolderSource ofRealPath(Path real, int objectsMax) {
        FolderSource source = new FolderSource(real, objectsMax);
        source.realRoot.set(source.root);
        return source;
    }

    @Override
    public String place() {
        return root.toString();
    }

    @Override
    public List<DataObject> list(String pattern) throws SourceException {
        checkOpen();
        PathPattern wanted = PathPattern.of(pattern);
        try {
            return new FolderWalk(realRoot(), wanted, objectsMax).run();
        } catch (IOException e) {
            throw fault("the folder " + root, e);
        }
    }

    @Override
    public void read(DataObject object, long offset, ByteBuffer into) throws SourceException {
        checkOpen();
        if (!into.hasRemaining()) {
            return;
        }
        ReadRange range = ReadRange.of(object, offset, into);
        try {
            Path file = inside(object.path());
            checkVersion(object, FileState.of(file));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
                fill(channel, range, into, object);
            }
            // The file may have been written during the read.
            checkVersion(object, FileState.of(file));
        } catch (IOException e) {
            throw fault(named(object), e);
        }
    }

    private Path inside(String path) throws IOException {
        if (!PathPattern.isPath(path)) {
            throw new SourceException(
                    SourceFault.NOT_FOUND, path + " is not a path below " + root + "; list the folder again");
        }
        Path folder = realRoot();
        Path file = folder.resolve(path).toRealPath();
        if (!file.startsWith(folder)) {
            throw outside(path, root);
        }
        return file;
    }

    private Path realRoot() throws IOException {
        Path now = root.toRealPath();
        Path known = realRoot.updateAndGet(fixed -> fixed == null ? now : fixed);
        if (!now.equals(known)) {
            throw new SourceException(
                    SourceFault.NOT_ALLOWED,
                    "the folder " + root + " was replaced by a link, and leads to " + now + " instead of " + known
                            + "; restore the folder, or run a job over the other folder");
        }
        return now;
    }

    static SourceException outside(String path, Path root) {
        return new SourceException(
                SourceFault.NOT_ALLOWED,
                path + " is a link that leads out of " + root
                        + "; put the data into the folder, or name the other folder");
    }

    private void checkVersion(DataObject object, FileState now) throws SourceException {
        if (!now.isRegular()) {
            throw new SourceException(
                    SourceFault.CHANGED, named(object) + " is no regular file any more; list the folder again");
        }
        String listed = object.version().tag();
        if (now.length() != object.length() || !(listed.isEmpty() || listed.equals(now.tag()))) {
            throw changed(object);
        }
    }

    private void fill(FileChannel channel, ReadRange range, ByteBuffer into, DataObject object) throws IOException {
        int limit = into.limit();
        long position = range.first();
        while (into.position() < limit) {
            checkOpen();
            into.limit(Math.min(limit, into.position() + PIECE_BYTES));
            int read = channel.read(into, position);
            into.limit(limit);
            if (read < 0) {
                throw changed(object);
            }
            position += read;
        }
    }

    private SourceException changed(DataObject object) {
        return new SourceException(
                SourceFault.CHANGED,
                named(object) + " has changed since the folder was listed; list the folder again, and leave files"
                        + " unchanged while a job reads them");
    }

    private String named(DataObject object) {
        return root.resolve(object.path()).toString();
    }

    private void checkOpen() throws SourceException {
        if (isClosed) {
            throw new SourceException(SourceFault.UNREACHABLE, "the source of the folder " + root + " is closed");
        }
    }

    private static SourceException fault(String asked, IOException e) {
        if (e instanceof SourceException fault) {
            return fault;
        }
        String what = e instanceof FileSystemException failed && failed.getFile() != null ? failed.getFile() : asked;
        if (e instanceof NoSuchFileException || e instanceof NotDirectoryException) {
            return fault(SourceFault.NOT_FOUND, what + " does not exist; check the path", e);
        }
        if (e instanceof AccessDeniedException) {
            return fault(
                    SourceFault.FORBIDDEN, what + " may not be read; grant read access to the user of the node", e);
        }
        if (e instanceof ClosedChannelException) {
            return fault(SourceFault.UNREACHABLE, "the read of " + what + " was interrupted", e);
        }
        return fault(SourceFault.SERVER_FAILED, what + " cannot be read; check the disk: " + e.getMessage(), e);
    }

    private static SourceException fault(SourceFault fault, String message, IOException cause) {
        return new SourceException(fault, message, Duration.ZERO, cause);
    }

    @Override
    public void close() {
        isClosed = true;
    }
}
