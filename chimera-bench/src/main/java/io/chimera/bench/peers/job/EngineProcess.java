package io.chimera.bench.peers.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** Engine in a separate process, controlled through its standard input and output. */
public interface EngineProcess {
    /** Starts all parts that can run before the points arrive. */
    void open() throws Exception;

    /** Performs the job once over all points; returns when the last result is in {@link Job#RESULTS}. */
    void pass() throws Exception;

    /** Releases all resources. */
    void close() throws Exception;

    /**
     * Runs a peer, as the main method of every peer: prints {@code peer: ready}; performs a pass for each line {@code
     * go} and prints {@code peer: done}; at the end of its input writes the results and exits.
     */
    static void main(EngineProcess peer) throws Exception {
        peer.open();
        say("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            if (!order.equals("go")) {
                throw new IOException("Unknown order: " + order);
            }
            peer.pass();
            say("done");
        }
        Job.RESULTS.write(Job.output());
        peer.close();
        System.exit(0);
    }

    private static void say(String what) {
        System.out.println("peer: " + what);
        System.out.flush();
    }
}
