package io.chimera.bench.peers.engine;

import io.chimera.apps.node.ChimeraHome;
import io.chimera.bench.cluster.BenchFolder;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What engines are given.
 *
 * @param home where Chimera lies
 * @param folder takes logs, journals and results of one engine
 * @param input the file with the points
 * @param lineLength bytes of a line of it
 * @param points number of lines
 */
public record Workplace(ChimeraHome home, Path folder, Path input, int lineLength, int points) {
    /** The same in a folder below this one, emptied. */
    public Workplace of(String engine) throws IOException {
        return new Workplace(home, BenchFolder.emptied(folder.resolve(engine)), input, lineLength, points);
    }

    /** Where this module's own classes are. */
    Path benchClasses() {
        return home.built("chimera-bench/target/classes");
    }

    /** The same with the libraries that this module uses. */
    String benchClassPath() {
        return benchClasses() + ":" + home.built("chimera-bench/target/lib") + "/*";
    }

    /** Where the filters of VoIPSTREAM are, and the interfaces they see. */
    String filterClasses() {
        return home.built("chimera-apps/target/classes") + ":" + home.built("chimera-api/target/classes");
    }

    /** The folder of a peer's sources. */
    Path peerFolder(String peer) {
        return home.folder().resolve("chimera-bench/peers").resolve(peer);
    }

    /** The java that this process runs on. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
