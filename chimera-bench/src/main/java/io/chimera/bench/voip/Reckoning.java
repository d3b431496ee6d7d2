package io.chimera.bench.voip;

import io.chimera.bench.peers.job.Call;
import io.chimera.bench.peers.job.CallInput;
import io.chimera.bench.peers.job.CallPartitions;
import io.chimera.bench.peers.job.CallReader;
import io.chimera.bench.peers.job.ResultTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Required results of every engine, from a single loop of all calls through the filters.
 *
 * @param alerts alert scores by user
 * @param crossingOf2 share of calls whose two users belong to different detectors, with 2 detectors
 * @param crossingOf4 share of calls whose two users belong to different detectors, with 4 detectors
 */
record Reckoning(ResultTable alerts, double crossingOf2, double crossingOf4) {
    private static final String PREFIX = "call,user=";

    static Reckoning of(Path file, int callsOfAPass) throws IOException {
        CallInput input = CallInput.open(file, callsOfAPass);
        CallPartitions partitions = new CallPartitions();
        ResultTable alerts = new ResultTable();
        long of2 = 0;
        long of4 = 0;
        for (int pass = 0; pass < input.passes(); pass++) {
            CallReader reader = new CallReader(input.pass(pass));
            for (Call call = reader.next(); call != null; call = reader.next()) {
                int caller = CallPartitions.of(call.callerHash);
                int callee = CallPartitions.of(call.calleeHash);
                double score = partitions
                        .filters(caller)
                        .called(call.callerHash, call.calleeHash, call.timeNs, call.durationS, call.code);
                CallPartitions.report(alerts, call.caller, score);
                CallPartitions.report(
                        alerts, call.callee, partitions.filters(callee).wasCalled(call.calleeHash, call.timeNs));
                of2 += caller % 2 == callee % 2 ? 0 : 1;
                of4 += caller % 4 == callee % 4 ? 0 : 1;
            }
        }
        double calls = (double) input.passes() * callsOfAPass;
        return new Reckoning(alerts, of2 / calls, of4 / calls);
    }

    /** Returns the share of telemarketers among the users with alerts. */
    double precision(Set<String> telemarketers) {
        return (double) found(telemarketers) / Math.max(1, alerted().size());
    }

    /** Returns the share of users with alerts among the telemarketers. */
    double recall(Set<String> telemarketers) {
        return (double) found(telemarketers) / Math.max(1, telemarketers.size());
    }

    private long found(Set<String> telemarketers) {
        return alerted().stream().filter(telemarketers::contains).count();
    }

    private Set<String> alerted() {
        return alerts.totals().keySet().stream()
                .map(key -> key.substring(PREFIX.length()))
                .collect(Collectors.toSet());
    }
}
