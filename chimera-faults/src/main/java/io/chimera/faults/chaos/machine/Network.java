package io.chimera.faults.chaos.machine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The network of the cluster: each host is a network namespace with one cable (a veth pair) to a bridge in the namespace
 * of this process. No cable leads out of it. All of it is gone when the last process of the sandbox is. One thread.
 */
public final class Network {
    private static final String BRIDGE = "br0";
    private static final String SUBNET = "10.77.0.";

    /** The address of this process, on the bridge. */
    private static final int OWN_NUMBER = 1;

    /** The address of the intruder, on the bridge, too. */
    private static final int INTRUDER_NUMBER = 2;

    private static final int FIRST_NUMBER = 11;
    private static final int HOST_NAME_MAX = 10;

    private final Map<String, String> addresses = new LinkedHashMap<>();

    /** Which packets of a host are dropped. */
    public enum Direction {
        /** What comes to it. */
        IN,
        /** What it sends. */
        OUT,
        /** Both. */
        BOTH
    }

    /** A network without hosts, in the namespaces of this process: those of a {@link Sandbox}. */
    public static Network open() throws InterruptedException {
        // ip keeps names of namespaces in /run; the names of this run are nobody else's business
        HostCommand.run("mount", "-t", "tmpfs", "chimera-chaos", "/run");
        HostCommand.run("ip", "link", "set", "lo", "up");
        HostCommand.run("ip", "link", "add", BRIDGE, "type", "bridge");
        HostCommand.run("ip", "addr", "add", SUBNET + OWN_NUMBER + "/24", "dev", BRIDGE);
        HostCommand.run("ip", "addr", "add", intruder() + "/24", "dev", BRIDGE);
        HostCommand.run("ip", "link", "set", BRIDGE, "up");
        return new Network();
    }

    private Network() {}

    /** Adds a host and connects it. */
    public void add(String host) throws InterruptedException {
        if (host.length() > HOST_NAME_MAX) {
            throw new IllegalArgumentException(host + " is too long for the name of an interface");
        }
        String address = SUBNET + (FIRST_NUMBER + addresses.size());
        addresses.put(host, address);
        HostCommand.run("ip", "netns", "add", host);
        HostCommand.run("ip", "link", "add", cable(host), "type", "veth", "peer", "name", "eth0", "netns", host);
        HostCommand.run("ip", "link", "set", cable(host), "master", BRIDGE, "up");
        HostCommand.run("ip", "-n", host, "link", "set", "lo", "up");
        HostCommand.run("ip", "-n", host, "addr", "add", address + "/24", "dev", "eth0");
        HostCommand.run("ip", "-n", host, "link", "set", "eth0", "up");
    }

    /** The address from which the intruder connects. */
    public static String intruder() {
        return SUBNET + INTRUDER_NUMBER;
    }

    /** The address of a host. */
    public String address(String host) {
        return addresses.get(host);
    }

    /** A command as it runs on a host. */
    public List<String> on(String host, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", host));
        all.addAll(command);
        return all;
    }

    /** Drops packets between a host and others on their way, so that neither learns of it, until {@link #heal}. One cut a host. */
    public void cut(String host, Direction direction, List<String> others) throws InterruptedException {
        String mine = cable(host);
        String theirs = others.stream().map(Network::cable).collect(Collectors.joining(", ", "{ ", " }"));
        StringBuilder rules = new StringBuilder("table bridge " + host + " {\nchain forward {\n");
        rules.append("type filter hook forward priority 0;\n");
        if (direction != Direction.OUT) {
            rules.append("iifname ")
                    .append(theirs)
                    .append(" oifname ")
                    .append(mine)
                    .append(" drop\n");
        }
        if (direction != Direction.IN) {
            rules.append("iifname ")
                    .append(mine)
                    .append(" oifname ")
                    .append(theirs)
                    .append(" drop\n");
        }
        HostCommand.run("nft", rules.append("}\n}").toString());
    }

    /** Ends the cut of a host. */
    public void heal(String host) throws InterruptedException {
        HostCommand.run("nft", "delete", "table", "bridge", host);
    }

    /** Pulls the cable of a host. */
    public void unplug(String host) throws InterruptedException {
        HostCommand.run("ip", "link", "set", cable(host), "down");
    }

    /** Puts it in again. */
    public void plug(String host) throws InterruptedException {
        HostCommand.run("ip", "link", "set", cable(host), "up");
    }

    private static String cable(String host) {
        return "v-" + host;
    }
}
