package io.chimera.dataset.source.xrootd;

import io.chimera.dataset.source.xrootd.wire.PieceHeader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** Script of a server that serves files from memory. Any thread. */
final class FakeFiles implements FakeXrootd.Script {
    static final int NOT_FOUND = 3011;

    /** Length of the pieces of an answer: not a divisor of the usual lengths. */
    private static final int PIECE_BYTES = 30_001;

    private final Map<String, byte[]> contents = new ConcurrentHashMap<>();
    private final Map<Integer, String> handles = new ConcurrentHashMap<>();
    private final AtomicInteger nextHandle = new AtomicInteger(7);
    private volatile long modifiedSeconds = 1_700_000_000;
    private volatile String checksum = "";

    static byte[] random(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    FakeFiles put(String path, byte[] content) {
        contents.put(path, content);
        return this;
    }

    FakeFiles modifiedAt(long seconds) {
        modifiedSeconds = seconds;
        return this;
    }

    FakeFiles withChecksum(String text) {
        checksum = text;
        return this;
    }

    int openFiles() {
        return handles.size();
    }

    String stat(String path) {
        byte[] content = contents.get(path);
        return content != null ? "11 " + content.length + " 16 " + modifiedSeconds : "12 4096 19 " + modifiedSeconds;
    }

    private boolean isFolder(String path) {
        return contents.keySet().stream().anyMatch(file -> file.startsWith(withSlash(path)));
    }

    private static String withSlash(String path) {
        return path.endsWith("/") ? path : path + "/";
    }

    @Override
    public void answer(FakeXrootd.Request request, FakeXrootd.Answers answers) throws IOException {
        switch (request.kind()) {
            case OPEN -> open(request, answers);
            case CLOSE -> {
                handles.remove(request.handle());
                answers.ok(request, new byte[0]);
            }
            case STAT -> {
                String path = !request.argument().hasRemaining() ? handles.get(request.handle()) : request.path();
                if (contents.containsKey(path) || isFolder(path)) {
                    answers.ok(request, stat(path));
                } else {
                    answers.error(request, NOT_FOUND, "no such file");
                }
            }
            case READ -> {
                byte[] content = contents.get(handles.get(request.handle()));
                int from = (int) Math.min(content.length, request.offset());
                int to = Math.min(content.length, from + request.length());
                while (to - from > PIECE_BYTES) {
                    answers.soFar(request, Arrays.copyOfRange(content, from, from + PIECE_BYTES));
                    from += PIECE_BYTES;
                }
                answers.ok(request, Arrays.copyOfRange(content, from, to));
            }
            case READV -> readVector(request, answers);
            case DIRLIST -> {
                if (isFolder(request.path())) {
                    answers.ok(request, list(withSlash(request.path())));
                } else {
                    answers.error(request, NOT_FOUND, "no such folder");
                }
            }
            case QUERY -> {
                if (checksum.isEmpty()) {
                    answers.error(request, 3013, "query chksum is not supported");
                } else {
                    answers.ok(request, checksum);
                }
            }
            default -> answers.error(request, 3006, "not in this fake");
        }
    }

    private void open(FakeXrootd.Request request, FakeXrootd.Answers answers) throws IOException {
        String path = request.path();
        if (!contents.containsKey(path)) {
            answers.error(request, NOT_FOUND, "no such file");
            return;
        }
        int handle = nextHandle.getAndIncrement();
        handles.put(handle, path);
        byte[] stat = (stat(path) + "\0").getBytes(StandardCharsets.UTF_8);
        answers.ok(
                request,
                ByteBuffer.allocate(12 + stat.length)
                        .putInt(handle)
                        .putLong(0)
                        .put(stat)
                        .array());
    }

    private void readVector(FakeXrootd.Request request, FakeXrootd.Answers answers) throws IOException {
        ByteBuffer asked = request.argument().duplicate();
        while (asked.hasRemaining()) {
            PieceHeader piece = PieceHeader.decode(asked);
            byte[] content = contents.get(handles.get(piece.handle()));
            answers.soFar(
                    request,
                    ByteBuffer.allocate(PieceHeader.BYTES + piece.length())
                            .putInt(piece.handle())
                            .putInt(piece.length())
                            .putLong(piece.offset())
                            .put(content, (int) piece.offset(), piece.length())
                            .array());
        }
        answers.ok(request, new byte[0]);
    }

    private String list(String folder) {
        Map<String, String> entries = new TreeMap<>();
        for (String path : contents.keySet()) {
            if (path.startsWith(folder)) {
                String rest = path.substring(folder.length());
                int slash = rest.indexOf('/');
                String name = slash < 0 ? rest : rest.substring(0, slash);
                entries.put(name, stat(folder + name));
            }
        }
        return ".\n0 0 0 0\n"
                + entries.entrySet().stream()
                        .map(entry -> entry.getKey() + "\n" + entry.getValue())
                        .collect(Collectors.joining("\n"));
    }
}
