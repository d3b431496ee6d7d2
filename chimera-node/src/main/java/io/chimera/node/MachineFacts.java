package io.chimera.node;

import java.util.LinkedHashMap;
import java.util.Map;
import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;

/** Machine facts that put measured figures into context. */
public final class MachineFacts {
    private MachineFacts() {}

    /** Returns the facts by name. */
    public static Map<String, Object> collect() {
        SystemInfo info = new SystemInfo();
        CentralProcessor processor = info.getHardware().getProcessor();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("os", info.getOperatingSystem().toString());
        facts.put("cpu", processor.getProcessorIdentifier().getName().strip());
        facts.put("cores", processor.getLogicalProcessorCount());
        facts.put("memory_bytes", info.getHardware().getMemory().getTotal());
        facts.put("load_average", processor.getSystemLoadAverage(1)[0]);
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        return facts;
    }
}
