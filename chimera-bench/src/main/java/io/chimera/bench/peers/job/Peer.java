package io.chimera.bench.peers.job;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** An engine in a process of its own, led through its standard input and output. */
public interface Peer {
    /** Starts whatever can run before the points come. */
    void open() throws Exception;

    /** Does the job once, over all points; returns when the last result is in {@link Job#RESULTS}. */
    void pass() throws Exception;

    /** Lets go of everything. */
    void close() throws Exception;

    /**
     * The main method of every peer: says {@code peer: ready}; at a line {@code go} does a pass and says {@code peer: done};
     * at the end of its input writes the results and ends.
     */
    static void main(Peer peer) throws Exception {
        peer.open();
        say("ready");
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            if (!order.equals("go")) {
                throw new IOException("No such order: " + order);
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
