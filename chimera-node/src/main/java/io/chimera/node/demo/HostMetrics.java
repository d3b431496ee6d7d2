package io.chimera.node.demo;

import java.util.List;
import java.util.Locale;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;
import oshi.hardware.GlobalMemory;
import oshi.hardware.HWDiskStore;
import oshi.hardware.NetworkIF;
import oshi.software.os.OSFileStore;
import oshi.software.os.OperatingSystem;

/** Reads CPU, memory, disk and network metrics of this machine as line protocol. One thread. */
final class HostMetrics {
    /** Prefix of all host metrics. */
    static final String PREFIX = "host_";

    private final CentralProcessor processor;
    private final GlobalMemory memory;
    private final List<HWDiskStore> disks;
    private final List<NetworkIF> networks;
    private final OperatingSystem system;
    private final String host;
    private long[][] ticks;

    HostMetrics() {
        SystemInfo info = new SystemInfo();
        processor = info.getHardware().getProcessor();
        memory = info.getHardware().getMemory();
        disks = info.getHardware().getDiskStores();
        networks = info.getHardware().getNetworkIFs(true);
        system = info.getOperatingSystem();
        host = escaped(system.getNetworkParams().getHostName());
        ticks = processor.getProcessorCpuLoadTicks();
    }

    /** Returns the current values, one line each. */
    String lines(long timeNs) {
        StringBuilder out = new StringBuilder();
        processors(out, timeNs);
        line(
                out,
                "host_memory",
                "",
                timeNs,
                "total_bytes",
                memory.getTotal(),
                "available_bytes",
                memory.getAvailable());
        for (HWDiskStore disk : disks) {
            disk.updateAttributes();
            line(
                    out,
                    "host_disk",
                    ",disk=" + escaped(disk.getName()),
                    timeNs,
                    "read_bytes",
                    disk.getReadBytes(),
                    "written_bytes",
                    disk.getWriteBytes());
        }
        for (OSFileStore store : system.getFileSystem().getFileStores(true)) {
            line(
                    out,
                    "host_filesystem",
                    ",mount=" + escaped(store.getMount()),
                    timeNs,
                    "total_bytes",
                    store.getTotalSpace(),
                    "free_bytes",
                    store.getUsableSpace());
        }
        for (NetworkIF network : networks) {
            network.updateAttributes();
            line(
                    out,
                    "host_network",
                    ",interface=" + escaped(network.getName()),
                    timeNs,
                    "received_bytes",
                    network.getBytesRecv(),
                    "sent_bytes",
                    network.getBytesSent());
        }
        return out.toString();
    }

    private void processors(StringBuilder out, long timeNs) {
        double[] loads = processor.getProcessorCpuLoadBetweenTicks(ticks);
        ticks = processor.getProcessorCpuLoadTicks();
        for (int i = 0; i < loads.length; i++) {
            if (Double.isFinite(loads[i])) {
                out.append("host_cpu,host=").append(host).append(",core=").append(i);
                out.append(String.format(Locale.ROOT, " busy_percent=%.2f %d%n", loads[i] * 100, timeNs));
            }
        }
    }

    private void line(
            StringBuilder out,
            String metric,
            String tags,
            long timeNs,
            String one,
            long first,
            String two,
            long second) {
        out.append(metric).append(",host=").append(host).append(tags).append(' ');
        out.append(one).append('=').append(first).append("i,");
        out.append(two).append('=').append(second).append("i ");
        out.append(timeNs).append('\n');
    }

    /** Escapes spaces, commas and equals signs of a tag value. Line protocol has no empty tag values. */
    static String escaped(String text) {
        String escaped = text.replaceAll("[\\r\\n\\t]", " ").replaceAll("([ ,=])", "\\\\$1");
        return escaped.isEmpty() ? "unknown" : escaped;
    }
}
