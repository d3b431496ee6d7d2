package io.chimera.faults.chaos.cluster;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.apps.node.child.ChildProcess;
import io.chimera.common.error.ChimeraException;
import io.chimera.common.error.ChimeraException.Category;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The H2 database of KairosDB, made so that what was answered with success survives a kill -9. */
final class StoreServer {
    static final int PORT = 8080;

    private static final long PATIENCE_SECONDS = 30;

    /** The tables are KairosDB's own; the setting stays with the database. Without it H2 writes half a second late. */
    private static final String STATEMENTS = "SET WRITE_DELAY 0; RUNSCRIPT FROM 'classpath:/create.sql'";

    private StoreServer() {}

    /**
     * Makes the database where KairosDB will look for it.
     *
     * @param folder of KairosDB
     */
    static void create(ChimeraHome home, Path folder, Path log) throws InterruptedException {
        List<String> command = home.java("conf/kairosdb/jvm.options");
        command.addAll(List.of(
                "-cp",
                home.built("chimera-kairosdb-server/target/lib") + "/*",
                "org.h2.tools.Shell",
                "-url",
                "jdbc:h2:" + folder.resolve("h2/kairosdb"),
                "-user",
                "sa",
                "-password",
                "",
                "-sql",
                STATEMENTS));
        ChildProcess shell = ChildProcess.start("The shell of H2", command, folder, log);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (shell.isAlive() && System.nanoTime() < deadline) {
            Thread.sleep(20);
        }
        boolean ended = !shell.isAlive();
        shell.close();
        if (!ended || shell.logEnd().stream().anyMatch(line -> line.contains("Error"))) {
            throw new ChimeraException(
                    Category.FATAL, "KairosDB's database cannot be made: " + String.join(" ", shell.logEnd()));
        }
    }
}
