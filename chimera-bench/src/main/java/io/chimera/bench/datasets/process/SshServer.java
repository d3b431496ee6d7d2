package io.chimera.bench.datasets.process;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.bench.report.ProgramRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/**
 * SSH server without privileges on loopback, with keys for this run alone, and the commands that copy its files. Offers
 * reads of files only: no writes, no shell. Only the user of this process can change the permitted keys. One thread.
 */
public final class SshServer implements AutoCloseable {
    /**
     * User of the server if this process runs as root. Not nobody: systemd declares the account nobody as locked, and
     * sshd refuses a locked account.
     */
    private static final String UNPRIVILEGED = "daemon";

    private static final String ROOT = "root";

    /** Folder of the host key, readable by the user of the server only. */
    private static final String HOST = "host";

    private static final String CLIENT = "client";

    /** Script for bash: one scp per object, all at the same time. Ends after the last scp, also if one fails. */
    private static final String PARALLEL = """
            from=$1 to=$2 count=$3; shift 3; objects=("${@:1:count}"); shift "$count"; pids=()
            for object in "${objects[@]}"; do "$@" "$from/$object" "$to/$object" & pids+=($!); done
            code=0; for pid in "${pids[@]}"; do wait "$pid" || code=1; done; exit "$code"
            """;

    private final FarServer server;
    private final Path folder;
    private final String user;

    private SshServer(FarServer server, Path folder, String user) {
        this.server = server;
        this.folder = folder;
        this.user = user;
    }

    /**
     * Starts a server. Its keys are deleted on close, or when it does not start.
     *
     * @param folder folder for keys, configuration and log; emptied first
     * @throws IOException with reason and remedy when sshd is missing or does not start
     */
    public static SshServer start(Path folder) throws IOException, InterruptedException {
        String program = ProgramRun.require("sshd");
        String keygen = ProgramRun.require("ssh-keygen");
        int port = FarServer.freePort();
        BenchFolder.emptied(folder); // ssh-keygen overwrites no keys of an earlier server
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path host = Files.createDirectory(folder.resolve(HOST));
        Files.setPosixFilePermissions(host, PosixFilePermissions.fromString("rwx------"));
        String own = System.getProperty("user.name");
        boolean isRoot = own.equals(ROOT);
        List<String> prefix = isRoot ? unprivileged(host) : List.of();
        try {
            key(prefix, keygen, host.resolve(HOST));
            key(List.of(), keygen, folder.resolve(CLIENT));
            Path configuration = Files.writeString(folder.resolve("sshd_config"), configuration(folder, port));
            List<String> command = new ArrayList<>(prefix);
            command.addAll(List.of(program, "-D", "-e", "-f", configuration.toString()));
            return new SshServer(FarServer.start(command, folder, port), folder, isRoot ? UNPRIVILEGED : own);
        } catch (IOException | InterruptedException e) {
            deleteKeys(folder);
            throw e;
        }
    }

    /** Gives a folder to the user of the server, and returns the begin of commands with this user. */
    private static List<String> unprivileged(Path folder) throws IOException {
        UserPrincipal owner =
                folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(UNPRIVILEGED);
        Files.setOwner(folder, owner);
        List<String> prefix = new ArrayList<>();
        prefix.addAll(List.of(ProgramRun.require("setpriv"), "--reuid", UNPRIVILEGED, "--regid", "nogroup"));
        prefix.addAll(List.of("--clear-groups", "--pdeathsig", "KILL"));
        return prefix;
    }

    private static String configuration(Path folder, int port) {
        return """
                ListenAddress 127.0.0.1
                Port %d
                HostKey %s
                AuthorizedKeysFile %s
                PidFile none
                StrictModes no
                UsePAM no
                PasswordAuthentication no
                KbdInteractiveAuthentication no
                AllowTcpForwarding no
                Subsystem sftp internal-sftp
                ForceCommand internal-sftp -R
                """.formatted(port, folder.resolve(HOST).resolve(HOST), folder.resolve(CLIENT + ".pub"));
    }

    private static void key(List<String> prefix, String keygen, Path file) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(keygen, "-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", file.toString()));
        ProgramRun.run(command);
    }

    /** Returns the port on loopback. */
    public int port() {
        return server.port();
    }

    /**
     * Returns the command that copies objects, all at the same time.
     *
     * @param port port of this server, or of a proxy to it
     * @param from folder of the objects
     * @param objects names of the objects
     * @param to receives the copies
     */
    public List<String> copy(int port, Path from, List<String> objects, Path to) throws IOException {
        List<String> command = new ArrayList<>(List.of(ProgramRun.require("bash"), "-c", PARALLEL, "bash"));
        command.addAll(List.of(user + "@127.0.0.1:" + from, to.toString(), Integer.toString(objects.size())));
        command.addAll(objects);
        command.addAll(List.of(ProgramRun.require("scp"), "-q", "-F", "/dev/null", "-P", Integer.toString(port)));
        command.addAll(List.of("-i", folder.resolve(CLIENT).toString(), "-o", "IdentitiesOnly=yes"));
        command.addAll(List.of("-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no"));
        command.addAll(List.of("-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"));
        return command;
    }

    private static void deleteKeys(Path folder) {
        try {
            BenchFolder.delete(folder.resolve(HOST));
            Files.deleteIfExists(folder.resolve(CLIENT));
            Files.deleteIfExists(folder.resolve(CLIENT + ".pub"));
        } catch (IOException e) {
            System.err.println("keys in " + folder + " could not be deleted: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        server.close();
        deleteKeys(folder);
    }
}
