package io.chimera.bench.datasets;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.datasets.event.EventLines;
import io.chimera.bench.load.PointShape;
import io.chimera.bench.load.PointText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/**
 * Generated objects of data sets, in main memory if possible, readable by all users. Equal seeds give equal bytes.
 * Deleted on close, and at the end of this process. One thread.
 */
final class DataFolder implements AutoCloseable {
    /** Folder of the objects below the root of a server. */
    static final String SET = "set";

    private static final Path MEMORY = Path.of("/dev/shm");
    private static final int BUFFER = 1 << 20;

    /** Free bytes that remain for the rest of the machine. */
    private static final long SPARE_BYTES = 1L << 30;

    private final Path root;
    private final Thread atExit = new Thread(this::delete, "data-folder");

    private DataFolder(Path root) {
        this.root = root;
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /**
     * A data set. Its objects are deleted on close.
     *
     * @param folder folder of the objects
     * @param objects names of the objects
     * @param bytes length of all objects
     * @param events number of events
     */
    record DataSet(DataFolder folder, List<String> objects, long bytes, long events) implements AutoCloseable {
        /** Copies the list. */
        DataSet {
            objects = List.copyOf(objects);
        }

        @Override
        public void close() throws IOException {
            folder.delete(objects);
        }
    }

    /** Writes an event; returns the number of its bytes. */
    @FunctionalInterface
    private interface EventWriter {
        int write(long number, OutputStream out) throws IOException;
    }

    /** Creates an empty folder. */
    static DataFolder create() throws IOException {
        Path parent = Files.isWritable(MEMORY) ? MEMORY : Path.of(System.getProperty("java.io.tmpdir"));
        return create(parent);
    }

    /** Creates an empty folder below a folder. */
    static DataFolder create(Path parent) throws IOException {
        DataFolder folder = new DataFolder(Files.createTempDirectory(parent, "chimera-bench-"));
        Files.setPosixFilePermissions(folder.root, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectory(folder.root.resolve(SET));
        return folder;
    }

    /** Returns the folder for a server. */
    Path root() {
        return root;
    }

    /** Returns the file of an object. */
    Path file(String object) {
        return root.resolve(SET).resolve(object);
    }

    /**
     * Writes line protocol.
     *
     * @param name begin of the names of the objects
     * @param bytes length of all objects, about
     * @param count number of objects
     */
    DataSet points(String name, long bytes, int count) throws IOException {
        return write(name, ".lp", bytes, count, points());
    }

    /** Writes line protocol as {@link #points(String, long, int)}, compressed; the length is before the compression. */
    DataSet gzipPoints(String name, long bytes, int count) throws IOException {
        return write(name, ".lp.gz", bytes, count, points());
    }

    /** Writes events as {@link #points(String, long, int)}. */
    DataSet events(String name, long bytes, int count) throws IOException {
        return write(name, ".jsonl", bytes, count, new EventLines(EventLines.SEED)::write);
    }

    private static EventWriter points() {
        PointShape shape = PointShape.TEN_FIELDS;
        PointText text = PointText.of(shape);
        byte[] line = new byte[shape.lineLength()];
        return (number, out) -> {
            int length = text.write(number, line, 0);
            out.write(line, 0, length);
            return length;
        };
    }

    private DataSet write(String name, String suffix, long bytes, int count, EventWriter writer) throws IOException {
        long free = Files.getFileStore(root).getUsableSpace();
        if (free - SPARE_BYTES < bytes) {
            throw new IOException("a data set of " + bytes + " bytes does not fit into " + root + ": " + free
                    + " bytes are free; delete files there, or measure with --quick");
        }
        List<String> objects = new ArrayList<>();
        long written = 0;
        long events = 0;
        try {
            for (int number = 0; number < count; number++) {
                String object = name + "-" + number + suffix;
                objects.add(object);
                long end = bytes * (number + 1) / count;
                try (OutputStream out = output(file(object), suffix)) {
                    do {
                        written += writer.write(events++, out);
                    } while (written < end);
                }
            }
        } catch (IOException e) {
            delete(objects);
            throw e;
        }
        return new DataSet(this, objects, written, events);
    }

    private static OutputStream output(Path file, String suffix) throws IOException {
        OutputStream plain = new BufferedOutputStream(Files.newOutputStream(file), BUFFER);
        return suffix.endsWith(".gz") ? new BufferedOutputStream(new GZIPOutputStream(plain), BUFFER) : plain;
    }

    private void delete(List<String> objects) throws IOException {
        for (String object : objects) {
            Files.deleteIfExists(file(object));
        }
    }

    private void delete() {
        try {
            BenchFolder.delete(root);
        } catch (IOException e) {
            System.err.println(root + " could not be deleted: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        delete();
        Runtime.getRuntime().removeShutdownHook(atExit);
    }
}
