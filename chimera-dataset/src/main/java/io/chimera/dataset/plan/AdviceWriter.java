package io.chimera.dataset.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Writes the reasons of an advice: the formulas of {@link PerformanceModel} with the numbers of a job. */
final class AdviceWriter {
    private final PlanInput input;
    private final List<Prediction> predictions;
    private final Prediction chosen;
    private final List<Reason> reasons = new ArrayList<>();

    /**
     * Creates a writer for a single advice.
     *
     * @param input the job, or its rest
     * @param predictions predictions of all possible strategies
     * @param chosen prediction of the choice, in {@code predictions}
     */
    AdviceWriter(PlanInput input, List<Prediction> predictions, Prediction chosen) {
        this.input = input;
        this.predictions = predictions;
        this.chosen = chosen;
    }

    /** Returns all reasons, for a plan. */
    List<Reason> reasons() {
        addChoice();
        addLimits();
        predictions.forEach(this::addPrediction);
        addStages();
        addStart();
        addReception();
        addReadAhead();
        addCopies();
        addFailures();
        addAdditions();
        addCaveats();
        return reasons;
    }

    /** Returns the reasons for a review of a running job: limits, predictions and stages. */
    List<Reason> reasonsOfReview() {
        addLimits();
        predictions.forEach(this::addPrediction);
        addStages();
        return reasons;
    }

    private void add(ReasonCode code, Map<String, Double> figures, String line) {
        reasons.add(new Reason(code, figures, line));
    }

    private void addChoice() {
        String times = predictions.stream()
                .map(prediction -> prediction.strategy().label() + " " + summary(prediction))
                .collect(Collectors.joining("; "));
        ReasonCode code = !new StrategyChoice(input.limits()).keepsLimits(chosen)
                ? ReasonCode.LEAST_OVER_LIMIT
                : input.limits().wantsCheapest() ? ReasonCode.CHEAPEST : ReasonCode.FASTEST;
        String why =
                switch (code) {
                    case LEAST_OVER_LIMIT -> " exceeds the limits least";
                    case CHEAPEST -> " is the cheapest strategy within the time limit";
                    default -> " is the fastest strategy" + (input.limits().hasLimit() ? " within the limits" : "");
                };
        boolean isEqual = predictions.stream()
                .anyMatch(other -> other.strategy() != chosen.strategy()
                        && other.seconds() <= StrategyChoice.EQUAL * chosen.seconds());
        String equal = isEqual ? "; within 2 % the other of time and cost decides, then the fewest parts" : "";
        add(
                code,
                Map.of("seconds", chosen.seconds(), "cost", chosen.cost()),
                "Choice: " + chosen.strategy().label() + why + " (" + times + equal + ").");
        if (input.measurements().nodes().dataNodes() == 0) {
            add(ReasonCode.NO_DATA_NODES, Map.of(), "Only stream is possible: the job has no data nodes.");
        }
    }

    private String summary(Prediction prediction) {
        String time = Quantities.duration(prediction.seconds());
        return input.prices().isFree() ? time : time + ", " + money(prediction.cost());
    }

    private String money(double amount) {
        return Quantities.money(amount, input.prices().currency());
    }

    private void addLimits() {
        double fastest =
                predictions.stream().mapToDouble(Prediction::seconds).min().orElseThrow();
        double cheapest =
                predictions.stream().mapToDouble(Prediction::cost).min().orElseThrow();
        OptionalDouble maxSeconds = input.limits().maxSeconds();
        if (chosen.seconds() > maxSeconds.orElse(Double.POSITIVE_INFINITY)) {
            double limit = maxSeconds.getAsDouble();
            add(
                    ReasonCode.TIME_LIMIT_EXCEEDED,
                    Map.of("limitSeconds", limit, "seconds", chosen.seconds(), "leastSeconds", fastest),
                    "Time limit: " + Quantities.duration(limit) + " left, "
                            + chosen.strategy().label() + " needs " + Quantities.duration(chosen.seconds())
                            + (fastest > limit
                                    ? "; no strategy keeps the limit."
                                    : "; a faster strategy costs too much."));
        }
        OptionalDouble maxCost = input.limits().maxCost();
        if (chosen.cost() > maxCost.orElse(Double.POSITIVE_INFINITY)) {
            double limit = maxCost.getAsDouble();
            add(
                    ReasonCode.COST_LIMIT_EXCEEDED,
                    Map.of("limitCost", limit, "cost", chosen.cost(), "leastCost", cheapest),
                    "Cost limit: " + money(limit) + " left, "
                            + chosen.strategy().label() + " costs "
                            + money(chosen.cost())
                            + (cheapest > limit
                                    ? "; no strategy keeps the limit."
                                    : "; a cheaper strategy is too slow."));
        }
    }

    private void addPrediction(Prediction prediction) {
        add(
                ReasonCode.PREDICTION,
                Map.of(
                        "seconds", prediction.seconds(),
                        "startSeconds", prediction.startSeconds(),
                        "steadySeconds", prediction.steadySeconds(),
                        "tailSeconds", prediction.tailSeconds(),
                        "riskSeconds", prediction.riskSeconds(),
                        "bottleneckSeconds", prediction.bottleneckSeconds(),
                        "cost", prediction.cost()),
                prediction.strategy().label() + ": " + summary(prediction) + " = start "
                        + Quantities.duration(prediction.startSeconds()) + " + steady "
                        + Quantities.duration(prediction.steadySeconds()) + " + tail "
                        + Quantities.duration(prediction.tailSeconds()) + " + repeated work "
                        + Quantities.duration(prediction.riskSeconds()) + "; bottleneck "
                        + prediction.bottleneck().label() + ", without its limit "
                        + Quantities.duration(prediction.bottleneckSeconds()) + " less.");
    }

    private void addStages() {
        chosen.stageSeconds().forEach((stage, seconds) -> {
            if (seconds > 0) {
                boolean isFar = stage == JobStage.SOURCE || stage == JobStage.RECEIVING_CPU;
                double bytes =
                        isFar ? input.extent().farBytes() : input.extent().bytes();
                add(
                        ReasonCode.STAGE,
                        Map.of("seconds", seconds, "bytes", bytes),
                        "Stage " + stage.label() + ": " + Quantities.bytes(bytes) + " in "
                                + Quantities.duration(seconds) + " alone = " + Quantities.rate(bytes / seconds) + ".");
            }
        });
    }

    private void addStart() {
        JobStart start = input.measurements().start();
        if (!start.equals(JobStart.NONE)) {
            add(
                    ReasonCode.START,
                    Map.of(
                            "planSeconds", start.planSeconds(),
                            "rampSeconds", start.rampSeconds(),
                            "warmUpSeconds", start.warmUpSeconds()),
                    "Start: " + Quantities.duration(start.planSeconds())
                            + " to list the objects and search the splits, "
                            + Quantities.duration(start.rampSeconds())
                            + " until the connections reach their rate, and for each core "
                            + Quantities.duration(start.warmUpSeconds()) + " until the computation is compiled.");
        }
    }

    /** Shows the formula of the stream strategy, also where the choice avoids the starvation. */
    private void addReception() {
        Prediction stream = predictions.get(0);
        double share = stream.starvedShare();
        if (share > 0) {
            double transfer = Math.max(stream.stage(JobStage.SOURCE), stream.stage(JobStage.NETWORK));
            double computing = input.extent().bytes() / bytesPerSecondOfAllCores()
                    + input.measurements().start().warmUpSeconds();
            double received = Math.min(transfer + share * computing, transfer / (1 - share));
            add(
                    ReasonCode.STARVATION,
                    Map.of(
                            "share", share,
                            "transferSeconds", transfer,
                            "computingSeconds", computing,
                            "receivedSeconds", received),
                    "Reception on workers loses " + Quantities.percent(share)
                            + " of its rate while all cores compute: transfer " + Quantities.duration(transfer) + " + "
                            + Quantities.percent(share) + " of " + Quantities.duration(computing) + " computing"
                            + (received < transfer + share * computing
                                    ? ", but at most transfer / " + Quantities.percent(1 - share)
                                    : "")
                            + " = " + Quantities.duration(received) + ".");
        }
        if (chosen.receivingCores() > 0) {
            int cores = input.measurements().nodes().coresPerNode();
            add(
                    ReasonCode.RECEIVING_CORE,
                    Map.of("receivingCores", (double) chosen.receivingCores(), "cores", (double) cores),
                    chosen.receivingCores() + " of " + cores + " cores of each worker only receives; the others"
                            + " compute and do not starve the reception.");
        }
    }

    private double bytesPerSecondOfAllCores() {
        Measurements measured = input.measurements();
        int cores = measured.nodes().workers() * measured.nodes().coresPerNode();
        return cores * measured.computation().bytesPerCoreSecond();
    }

    private void addReadAhead() {
        for (int i = 0; i < chosen.rangePlans().size(); i++) {
            RangePlan ranges = chosen.rangePlans().get(i);
            double roundTrip = input.measurements().sources().get(i).roundTrip().toNanos() / 1e9;
            boolean isEnough = ranges.bytesPerSecond() >= ranges.wishedBytesPerSecond();
            double rate = ranges.wishedBytesPerSecond();
            add(
                    isEnough ? ReasonCode.READ_AHEAD : ReasonCode.READ_AHEAD_TOO_SMALL,
                    Map.of(
                            "roundTripSeconds",
                            roundTrip,
                            "bytesPerSecond",
                            ranges.bytesPerSecond(),
                            "wishedBytesPerSecond",
                            rate,
                            "ranges",
                            (double) ranges.ranges(),
                            "rangeBytes",
                            (double) ranges.rangeBytes()),
                    ranges.place() + ": round trip " + Quantities.duration(roundTrip) + " x " + Quantities.rate(rate)
                            + " = " + Quantities.bytes(roundTrip * rate) + " on the way; " + ranges.ranges()
                            + " ranges of " + Quantities.bytes(ranges.rangeBytes()) + " for each receiving node reach "
                            + Quantities.rate(ranges.bytesPerSecond())
                            + (isEnough ? "." : "; more memory for ranges gives more."));
        }
    }

    private void addCopies() {
        long copied = input.extent().copiedBytes();
        if (copied > 0) {
            add(
                    ReasonCode.ALREADY_COPIED,
                    Map.of("bytes", (double) copied),
                    Quantities.bytes(copied) + " of "
                            + Quantities.bytes(input.extent().bytes())
                            + " have a copy nearby, and do not cross the far network again.");
        }
    }

    private void addFailures() {
        FailureRisk risk = input.risk();
        if (risk.failuresPerWorkerHour() > 0) {
            add(
                    ReasonCode.FAILURES,
                    Map.of("failuresPerWorkerHour", risk.failuresPerWorkerHour(), "riskSeconds", chosen.riskSeconds()),
                    "Failures of workers: " + risk.failuresPerWorkerHour() + " per worker and hour, "
                            + Quantities.bytes(risk.lostBytes()) + " again for each; without a copy from the source.");
        }
    }

    private void addAdditions() {
        StringBuilder line = new StringBuilder("One more would save: ");
        String separator = "";
        for (Addition addition : Addition.values()) {
            line.append(separator)
                    .append(addition.label())
                    .append(' ')
                    .append(Quantities.duration(chosen.saved(addition)));
            separator = ", ";
        }
        add(
                ReasonCode.ADDITIONS,
                Map.of(
                        "sourceSeconds", chosen.saved(Addition.SOURCE),
                        "workerSeconds", chosen.saved(Addition.WORKER),
                        "coreSeconds", chosen.saved(Addition.CORE),
                        "dataNodeSeconds", chosen.saved(Addition.DATA_NODE)),
                line + ".");
    }

    private void addCaveats() {
        Measurements measured = input.measurements();
        for (SourceSample source : measured.sources()) {
            if (source.isRising()) {
                int most = source.rates().get(source.rates().size() - 1).connections();
                add(
                        ReasonCode.RATE_STILL_RISES,
                        Map.of("connections", (double) most),
                        source.place() + " still gives more with " + most + " connections; sample more connections.");
            }
            notMeasured(source.busyBytesPerSecond(), "rate of " + source.place() + " while the cores compute");
        }
        notMeasured(measured.networkBytesPerSecond(), "rate of the link of a node");
        notMeasured(measured.receivingBytesPerCoreSecond(), "processor time of reception");
        if (measured.nodes().dataNodes() > 0) {
            notMeasured(measured.storage().writeBytesPerSecond(), "rate of writing copies");
            notMeasured(measured.storage().readBytesPerSecond(), "rate of reading copies");
        }
    }

    private void notMeasured(OptionalDouble value, String name) {
        if (value.isEmpty()) {
            add(ReasonCode.NOT_MEASURED, Map.of(), "Not measured, counts as no limit: " + name + ".");
        }
    }
}
