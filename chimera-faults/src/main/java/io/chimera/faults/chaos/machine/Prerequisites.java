package io.chimera.faults.chaos.machine;

import io.chimera.common.error.ChimeraException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Requirements of a run to the machine. */
public final class Prerequisites {
    private static final Path LOOP_DEVICES = Path.of("/dev/loop-control");

    private Prerequisites() {}

    /** Returns the missing requirement and the remedy in a sentence; empty when all requirements are met. */
    public static Optional<String> missing() throws InterruptedException {
        if (!isRoot()) {
            return Optional.of("Network namespaces need root. Run the command as root.");
        }
        Map<String, String> packages = new LinkedHashMap<>();
        packages.put("ip", "iproute2");
        packages.put("nft", "nftables");
        packages.put("mkfs.ext4", "e2fsprogs");
        packages.put("unshare", "util-linux");
        packages.put("mount", "mount");
        packages.put("losetup", "mount");
        for (Map.Entry<String, String> tool : packages.entrySet()) {
            if (!isInstalled(tool.getKey())) {
                return Optional.of("The command " + tool.getKey() + " is missing; install the package "
                        + tool.getValue() + " (or run scripts/setup).");
            }
        }
        return forbidden();
    }

    /** Checks whether root may create namespaces; in a container root may lack permissions. */
    private static Optional<String> forbidden() throws InterruptedException {
        try {
            HostCommand.run("unshare", "--mount", "--pid", "--net", "--fork", "--mount-proc", "true");
        } catch (ChimeraException e) {
            return Optional.of("Cannot create namespaces. Run the command on the host, or in a privileged container. "
                    + e.getMessage());
        }
        return Files.exists(LOOP_DEVICES)
                ? Optional.empty()
                : Optional.of(LOOP_DEVICES + " is missing; load the kernel module loop.");
    }

    private static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            return false; // no /proc: not Linux
        }
    }

    private static boolean isInstalled(String tool) {
        String path = System.getenv("PATH");
        return path != null && Stream.of(path.split(":")).anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
    }
}
