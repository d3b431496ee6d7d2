package io.chimera.node.archive.recorder;

import io.chimera.common.config.CoordinatorConfig;
import io.chimera.common.config.binding.Sections;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Address of a cluster as one argument: {@code zk1:2181,zk2:2181/chimera/lab}, i.e. servers and path as in the
 * configuration (coordinator.connect, coordinator.path), then the cluster's name.
 *
 * @param config the address as a configuration section
 */
public record ClusterAddress(CoordinatorConfig config) {
    private static final Pattern FORM = Pattern.compile("([^/]+)(?:((?:/[A-Za-z0-9._-]+)+)/([A-Za-z0-9._-]+))?");

    public static ClusterAddress parse(String text) {
        Matcher parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is no cluster address; expected host:port[,host:port…][/path/name], e.g."
                    + " zk1:2181/chimera/lab.");
        }
        return new ClusterAddress(Sections.of(
                CoordinatorConfig.class, "connect", parts.group(1), "cluster", parts.group(3), "path", parts.group(2)));
    }

    /** Whether ZooKeeper runs on the loopback address, so that all nodes run on this machine. */
    boolean isLoopback() {
        return Arrays.stream(config.connect().split(","))
                .allMatch(server -> isLoopback(server.replaceAll("[\\[\\]]|:[0-9]+$", "")));
    }

    /** Recognises loopback addresses without a DNS lookup. */
    static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
    }

    /** Converter for picocli. */
    public static final class Converter implements ITypeConverter<ClusterAddress> {
        @Override
        public ClusterAddress convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }
}
