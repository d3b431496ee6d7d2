package io.chimera.faults.chaos.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a run needs of the machine. */
public final class Prerequisites {
    private Prerequisites() {}

    /** What is missing and how to get it, in one sentence; empty when nothing is. */
    public static Optional<String> missing() {
        if (!isRoot()) {
            return Optional.of("Network namespaces need root; run it as root.");
        }
        Map<String, String> packages = new LinkedHashMap<>();
        packages.put("ip", "iproute2");
        packages.put("nft", "nftables");
        packages.put("mkfs.ext4", "e2fsprogs");
        packages.put("unshare", "util-linux");
        packages.put("mount", "mount");
        for (Map.Entry<String, String> tool : packages.entrySet()) {
            if (!isInstalled(tool.getKey())) {
                return Optional.of("The command " + tool.getKey() + " is missing; install the package "
                        + tool.getValue() + " (or run scripts/setup).");
            }
        }
        return Optional.empty();
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            return false; // no /proc: no Linux
        }
    }

    private static boolean isInstalled(String tool) {
        String path = System.getenv("PATH");
        return path != null && Stream.of(path.split(":")).anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }
}
