package io.chimera.bench.datasets.process;

import io.chimera.bench.report.ProgramRun;
import io.chimera.node.child.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Unmodified server of a data set as an ordinary process on loopback. One thread. */
public final class FarServer implements AutoCloseable {
    private static final long START_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_MS = 20;
    private static final int CONNECT_MS = 1_000;

    private final DeadlineProcess process;
    private final int port;

    private FarServer(DeadlineProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts nginx.
     *
     * @param data folder of the objects
     * @param folder folder for configuration and log
     * @throws IOException with reason and remedy when nginx is missing or does not start
     */
    public static FarServer nginx(Path data, Path folder) throws IOException, InterruptedException {
        String program = ProgramRun.require("nginx");
        int port = freePort();
        Files.createDirectories(folder);
        Path configuration = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid nginx.pid;
                error_log stderr;
                events { worker_connections 1024; }
                http {
                  access_log off;
                  sendfile on;
                  keepalive_requests 1000000;
                  client_body_temp_path body;
                  server { listen 127.0.0.1:%d; root %s; }
                }
                """.formatted(port, data));
        return start(
                List.of(program, "-p", folder.toString(), "-e", "stderr", "-c", configuration.toString()),
                folder,
                port);
    }

    /**
     * Starts an XRootD server; as user nobody, if this process runs as root, because the server refuses root.
     *
     * @param data folder of the objects, readable by all users
     * @param folder folder for configuration and log
     * @throws IOException with reason and remedy when the server is missing or does not start
     */
    public static FarServer xrootd(Path data, Path folder) throws IOException, InterruptedException {
        String program = ProgramRun.require("xrootd");
        int port = freePort();
        Files.createDirectories(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Path configuration = Files.writeString(folder.resolve("server.cfg"), """
                all.export /
                oss.localroot %s
                all.adminpath %s
                all.pidpath %s
                xrd.port %d
                """.formatted(data, folder, folder, port));
        List<String> command = new ArrayList<>(List.of(
                program,
                "-c",
                configuration.toString(),
                "-l",
                folder.resolve("log").toString(),
                "-n",
                "bench"));
        if (Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0)) {
            command.addAll(List.of("-R", "nobody"));
        }
        return start(command, folder, port);
    }

    /** Returns a free port on loopback. */
    static int freePort() {
        String address = new FreePorts(1).next();
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    /**
     * Starts a server.
     *
     * @param folder working directory; receives the log
     * @param port port on which the server listens
     * @throws IOException with the last line of its log when the server does not listen
     */
    static FarServer start(List<String> command, Path folder, int port) throws IOException, InterruptedException {
        FarServer server = new FarServer(DeadlineProcess.start(command, folder, folder.resolve("server.log")), port);
        try {
            server.awaitPort();
            return server;
        } catch (IOException | InterruptedException e) {
            server.close();
            throw e;
        }
    }

    private void awaitPort() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        while (!isListening()) {
            if (!process.isAlive()) {
                throw new IOException("the server of the data set ended: " + process.lastLine());
            }
            if (System.nanoTime() - startNs > START_NS) {
                throw new IOException("the server of the data set does not listen: " + process.lastLine());
            }
            Thread.sleep(POLL_MS);
        }
    }

    private boolean isListening() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the port on loopback. */
    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
    }
}
