package io.chimera.faults.chaos.machine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Network of the cluster: each host is a network namespace with a cable (a veth pair) to a bridge in the namespace of
 * this process. No cable leads out of the network. The whole network ends with the last process of the sandbox. One
 * thread.
 */
public final class Network {
    private static final String BRIDGE = "br0";
    private static final String SUBNET = "10.77.0.";

    /** Address of this process on the bridge. */
    private static final int OWN_NUMBER = 1;

    /** Address of the intruder on the bridge. */
    private static final int INTRUDER_NUMBER = 2;

    private static final int FIRST_NUMBER = 11;
    private static final int HOST_NAME_MAX = 10;

    private final Map<String, String> addresses = new LinkedHashMap<>();

    /** Direction of dropped packets of a host. */
    public enum Direction {
        /** Packets to the host. */
        IN,
        /** Packets from the host. */
        OUT,
        /** Packets in both directions. */
        BOTH
    }

    /** Creates a network without hosts, in the namespaces of this process: the namespaces of a {@link Sandbox}. */
    public static Network open() throws InterruptedException {
        // ip keeps the names of namespaces in /run; a private /run hides the names of this run from other processes
        HostCommand.run("mount", "-t", "tmpfs", "chimera-chaos", "/run");
        HostCommand.run("ip", "link", "set", "lo", "up");
        HostCommand.run("ip", "link", "add", BRIDGE, "type", "bridge");
        HostCommand.run("ip", "addr", "add", SUBNET + OWN_NUMBER + "/24", "dev", BRIDGE);
        HostCommand.run("ip", "addr", "add", intruder() + "/24", "dev", BRIDGE);
        HostCommand.run("ip", "link", "set", BRIDGE, "up");
        return new Network();
    }

    private Network() {}

    /** Adds a host and connects the host. */
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

    /** Returns the address of the intruder. */
    public static String intruder() {
        return SUBNET + INTRUDER_NUMBER;
    }

    /** Returns the address of a host. */
    public String address(String host) {
        return addresses.get(host);
    }

    /** Wraps a command for execution on a host. */
    public List<String> on(String host, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", host));
        all.addAll(command);
        return all;
    }

    /** Drops packets between a host and other hosts silently, until {@link #heal}. At most one cut per host. */
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

    /** Unplugs the cable of a host. */
    public void unplug(String host) throws InterruptedException {
        HostCommand.run("ip", "link", "set", cable(host), "down");
    }

    /** Plugs the cable of a host in again. */
    public void plug(String host) throws InterruptedException {
        HostCommand.run("ip", "link", "set", cable(host), "up");
    }

    private static String cable(String host) {
        return "v-" + host;
    }
}
