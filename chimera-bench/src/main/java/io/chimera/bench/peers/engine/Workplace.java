package io.chimera.bench.peers.engine;

import io.chimera.bench.cluster.BenchFolder;
import io.chimera.node.ChimeraHome;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Inputs and folders of an engine.
 *
 * @param home installation of Chimera
 * @param folder folder for logs, journals and results of one engine
 * @param input file with the points
 * @param lineLength bytes per line of the file
 * @param points number of lines
 */
public record Workplace(ChimeraHome home, Path folder, Path input, int lineLength, int points) {
    /** Returns a workplace with an empty subfolder. */
    public Workplace of(String engine) throws IOException {
        return new Workplace(home, BenchFolder.emptied(folder.resolve(engine)), input, lineLength, points);
    }

    /** Returns the class folder of this module. */
    Path benchClasses() {
        return home.built("chimera-bench/target/classes");
    }

    /** Returns the class path of this module with its libraries. */
    String benchClassPath() {
        return benchClasses() + ":" + home.built("chimera-bench/target/lib") + "/*";
    }

    /** Returns the folder of a peer's sources. */
    Path peerFolder(String peer) {
        return PeerBuild.folder(home, peer);
    }

    /** Returns the java executable of this process. */
    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }
}
