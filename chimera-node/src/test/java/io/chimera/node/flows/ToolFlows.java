package io.chimera.node.flows;

import io.chimera.node.flows.CountedFlows.Count;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the output of nfdump and tshark as written by {@code scripts/flows-expected}. */
final class ToolFlows {
    private static final Pattern CONVERSATION =
            Pattern.compile("(\\S+)\\s+<->\\s+(\\S+)\\s+(\\d+) (\\d+) (bytes|kB)\\s+(\\d+) (\\d+) (bytes|kB)\\s+.*");

    private ToolFlows() {}

    /** Packets and IP bytes of each direction. */
    static Map<String, Count> directions(Path file) throws IOException {
        Map<String, Count> directions = new TreeMap<>();
        for (String line : Files.readAllLines(file)) {
            if (line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split("\\|", -1);
            String protocol = laterFragmentOfIpv6(parts) ? "17" : parts[0];
            directions.merge(
                    protocol + "|" + parts[1] + "|" + parts[2] + "|" + parts[3] + "|" + parts[4],
                    new Count(Long.parseLong(parts[5]), Long.parseLong(parts[6])),
                    Count::plus);
        }
        return directions;
    }

    /** softflowd records these fragments without a protocol; in these captures all of them are UDP. */
    private static boolean laterFragmentOfIpv6(String[] parts) {
        return parts[0].equals("0") && parts[1].contains(":") && parts[2].equals("0") && parts[4].equals("0");
    }

    /** Packets and bytes of each direction of a conversation; bytes from 10,000 on are rounded to thousands. */
    static Map<String, Count> conversations(Path file) throws IOException {
        Map<String, Count> conversations = new TreeMap<>();
        String kind = "";
        for (String line : Files.readAllLines(file)) {
            Matcher matcher = CONVERSATION.matcher(line);
            if (line.endsWith("Conversations")) {
                kind = line.substring(0, line.indexOf(' ')) + " ";
            } else if (matcher.matches()) {
                String first = matcher.group(1);
                String second = matcher.group(2);
                put(conversations, kind + second + " > " + first, matcher, 3);
                put(conversations, kind + first + " > " + second, matcher, 6);
            }
        }
        return conversations;
    }

    private static void put(Map<String, Count> conversations, String name, Matcher matcher, int group) {
        long packets = Long.parseLong(matcher.group(group));
        long bytes = Long.parseLong(matcher.group(group + 1))
                * (matcher.group(group + 2).equals("kB") ? 1000 : 1);
        if (packets > 0) {
            conversations.merge(name, new Count(packets, bytes), Count::plus);
        }
    }
}
